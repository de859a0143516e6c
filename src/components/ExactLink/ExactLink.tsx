import React, { ReactNode } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2, IconName } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';

interface Props {
  /** An address inside this Grafana, with its sub-path and all parameters encoded. */
  href: string;
  look?: 'text' | 'button';
  icon?: IconName;
  /** -1 keeps it out of the way of the tab key, where something else opens the same. */
  tabIndex?: number;
  children: ReactNode;
}

/**
 * A link inside Grafana whose address stays as it was written. The links of @grafana/ui decode it on the way, which
 * turns the "+" of a joined side or of an expression into a blank and cuts it at a "&".
 */
export function ExactLink({ href, look = 'text', icon, tabIndex, children }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <a
      href={href.startsWith('/') ? href : undefined}
      tabIndex={tabIndex}
      className={look === 'button' ? styles.button : styles.text}
    >
      {icon && <Icon name={icon} size="sm" aria-hidden />}
      {children}
    </a>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  text: css({
    color: theme.colors.text.primary,
    textDecoration: 'underline',
    overflowWrap: 'anywhere',
    '&:hover': { color: theme.colors.text.link },
  }),
  // As a small secondary button of @grafana/ui looks.
  button: css({
    display: 'inline-flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    height: theme.spacing(theme.components.height.sm),
    padding: theme.spacing(0, 1),
    color: theme.colors.secondary.text,
    background: theme.colors.secondary.main,
    border: `1px solid ${theme.colors.secondary.border}`,
    borderRadius: theme.shape.radius.default,
    whiteSpace: 'nowrap',
    ...theme.typography.bodySmall,
    fontWeight: theme.typography.fontWeightMedium,
    '&:hover': {
      color: theme.colors.secondary.text,
      background: theme.colors.emphasize(theme.colors.secondary.main, 0.05),
    },
  }),
});
