import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2, IconName } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';

import { Section } from '../../components/Section/Section';
import { SrOnly } from '../../components/SrOnly/SrOnly';
import type { Comparison } from '../../types/generated';
import { ProofLink } from './ProofLink';
import type { CompareState } from './state';

// Every kind has its own sign; the word is there for those who do not see it.
const KINDS: Record<string, IconName> = {
  moved: 'arrows-h',
  behaviour: 'exclamation-triangle',
  identity: 'shield-exclamation',
  coverage: 'info-circle',
  disagreement: 'exclamation-circle',
  'ruled out': 'minus-circle',
};

interface Props {
  comparison: Comparison;
  onOpen: (change: Partial<CompareState>) => void;
}

/** What changed, the most important first, each with its proof; then what was ruled out. */
export function Findings({ comparison, onOpen }: Props) {
  const styles = useStyles2(getStyles);
  if (comparison.findings.length === 0) {
    return (
      <Section title="What changed, ranked">
        <p className={styles.none}>Nothing moved enough to be named.</p>
      </Section>
    );
  }
  return (
    <Section title="What changed, ranked">
      <ol className={styles.list}>
        {comparison.findings.map((finding) => (
          <li key={finding.rank} className={styles.finding}>
            <span className={styles.rank}>{finding.rank}</span>
            <Icon name={KINDS[finding.kind] ?? 'info-circle'} className={styles.icon} title={finding.kind} />
            <div className={styles.body}>
              <SrOnly>{finding.kind}: </SrOnly>
              {finding.text}
              {finding.proof.length > 0 && (
                <div className={styles.proofs}>
                  {finding.proof.map((proof) => (
                    <ProofLink key={proof} comparison={comparison} proof={proof} onOpen={onOpen} />
                  ))}
                </div>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** What the evidence does not show; only what applies to these two sides. */
export function Limitations({ comparison }: { comparison: Comparison }) {
  const styles = useStyles2(getStyles);
  return (
    <Section title="What this does not show">
      {comparison.limitations.length === 0 ? (
        <p className={styles.none}>No known limitation applies to these two sides.</p>
      ) : (
        <ul className={styles.limits}>
          {comparison.limitations.map((limitation) => (
            <li key={limitation.code}>{limitation.text}</li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  list: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1.25), listStyle: 'none' }),
  finding: css({ display: 'flex', gap: theme.spacing(1), minWidth: 0 }),
  rank: css({
    flexShrink: 0,
    minWidth: '1.5em',
    textAlign: 'right',
    color: theme.colors.text.secondary,
    fontVariantNumeric: 'tabular-nums',
  }),
  icon: css({ flexShrink: 0, marginTop: theme.spacing(0.25), color: theme.colors.text.secondary }),
  body: css({ minWidth: 0, overflowWrap: 'anywhere' }),
  proofs: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0, 2) }),
  limits: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(0.75),
    margin: 0,
    paddingLeft: theme.spacing(2.5),
    color: theme.colors.text.secondary,
  }),
  none: css({ margin: 0, color: theme.colors.text.secondary }),
});
