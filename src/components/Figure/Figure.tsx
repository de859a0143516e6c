import React, { ReactNode } from 'react';

import { css } from '@emotion/css';
import { useStyles2 } from '@grafana/ui';

import { DASH } from '../../format/number';
import { reasonText } from '../../format/reason';

interface Props {
  /** The figure as text; null when it is not known. */
  text: ReactNode | null;
  /** The stable code that says why the figure is not known. */
  reason?: string;
  /** More about a known figure, on hover. */
  hint?: string;
}

/** A figure, or a dash that says on hover, and to readers of the screen, why there is none. Never 0 for "not known". */
export function Figure({ text, reason, hint }: Props) {
  const styles = useStyles2(getStyles);
  if (text !== null) {
    return hint ? <span title={hint}>{text}</span> : <>{text}</>;
  }
  const why = reasonText(reason);
  return (
    <span title={why} className={styles.absent}>
      <span aria-hidden>{DASH}</span>
      <span className={styles.srOnly}>{why}</span>
    </span>
  );
}

const getStyles = () => ({
  absent: css({ cursor: 'help' }),
  srOnly: css({
    position: 'absolute',
    width: 1,
    height: 1,
    overflow: 'hidden',
    clipPath: 'inset(50%)',
    whiteSpace: 'nowrap',
  }),
});
