import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

import type { Comparison } from '../../types/generated';
import { proofTarget } from './proofs';
import type { CompareState } from './state';

interface Props {
  comparison: Comparison;
  /** In the backend's words: "table:waitSeconds". */
  proof: string;
  onOpen: (change: Partial<CompareState>) => void;
}

/** Leads to what proves a statement; what cannot be opened here, such as a file, is only named. */
export function ProofLink({ comparison, proof, onOpen }: Props) {
  const styles = useStyles2(getStyles);
  const target = proofTarget(comparison, proof);
  if (!target) {
    // A figure that this comparison does not have proves nothing; everything else is the name of a file or a run.
    return proof.startsWith('table:') ? null : <code className={styles.file}>{proof}</code>;
  }
  return (
    <button
      type="button"
      className={styles.link}
      onClick={() => onOpen({ open: proof, ...(target.tab && { tab: target.tab }) })}
    >
      {target.label}
    </button>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  link: css({
    padding: 0,
    border: 'none',
    background: 'none',
    color: theme.colors.text.link,
    textAlign: 'left',
    ...theme.typography.bodySmall,
    '&:hover': { textDecoration: 'underline' },
  }),
  file: css({ whiteSpace: 'normal', overflowWrap: 'anywhere', ...theme.typography.bodySmall }),
});
