import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

import { sideColor, SideRole } from './sides';

/** The mark of a side: a full disc for the baseline, a ring for the candidate. */
export function SideMark({ role }: { role: SideRole }) {
  const styles = useStyles2(getStyles, role);
  return <span className={styles} aria-hidden />;
}

const getStyles = (theme: GrafanaTheme2, role: SideRole) =>
  css({
    display: 'inline-block',
    width: 10,
    height: 10,
    flexShrink: 0,
    borderRadius: theme.shape.radius.circle,
    border: `3px solid ${sideColor(theme, role)}`,
    background: role === 'baseline' ? sideColor(theme, role) : 'transparent',
  });
