import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2, IconName } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';

import { Section } from '../../components/Section/Section';
import { SrOnly } from '../../components/SrOnly/SrOnly';
import { formatCount, formatNumber, formatSeconds } from '../../format/number';
import type { EvidenceCoverage, EvidenceGate, EvidenceReconciliation } from '../../types/generated';
import { upperFirst } from './words';

interface Props {
  gates: readonly EvidenceGate[];
  reconciliation: EvidenceReconciliation;
  coverage: EvidenceCoverage;
}

const ICONS: Record<string, IconName> = {
  passed: 'check',
  failed: 'exclamation-triangle',
  noted: 'info-circle',
};

/** The checks that decide whether the figures may be used, and whether the counts reconcile. */
export function Gates({ gates, reconciliation, coverage }: Props) {
  const styles = useStyles2(getStyles);
  const { extrapolated, factor, text } = reconciliation;
  return (
    <Section title="May the figures be used?" subtitle="gates G1 to G9">
      <p className={styles.text}>
        {upperFirst(text)}.{' '}
        {extrapolated !== null && factor !== null && (
          <span className={styles.dim}>
            PromQL’s increase() extrapolates to {formatNumber(extrapolated)} (×{factor.toFixed(3)}).
          </span>
        )}
      </p>
      <ul className={styles.list}>
        {gates.map(({ code, name, state, detail, next }) => (
          <li key={code} className={styles.gate}>
            <Icon name={ICONS[state] ?? 'minus'} className={styles[state as 'passed'] ?? styles.open} aria-hidden />
            <div>
              <span className={styles.code}>{code}</span> {name}
              <SrOnly>: {state}</SrOnly>
              {state !== 'passed' && <span className={styles.dim}> ({state})</span>}
              <div className={styles.dim}>{detail}</div>
              {next && state === 'failed' && (
                <div>
                  <strong>Next step:</strong> {next}
                </div>
              )}
            </div>
          </li>
        ))}
      </ul>
      {coverage.targets.length > 0 && (
        <p className={styles.dim}>
          {formatCount(coverage.scrapesSeen)} of {formatCount(coverage.scrapesExpected)} scrapes seen
          {coverage.intervalSeconds !== null && `, one each ${formatSeconds(coverage.intervalSeconds)}`}, from{' '}
          {coverage.targets.map((target) => target.instance).join(', ')}
          {coverage.clockSkewSeconds !== null &&
            `; the server’s clock is off by ${formatSeconds(coverage.clockSkewSeconds)}`}
          .
        </p>
      )}
    </Section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  text: css({ margin: 0 }),
  list: css({
    listStyle: 'none',
    margin: 0,
    padding: 0,
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(1),
  }),
  gate: css({
    display: 'flex',
    gap: theme.spacing(1),
    overflowWrap: 'anywhere',
    svg: { flexShrink: 0, marginTop: theme.spacing(0.25) },
    '> div': { minWidth: 0 },
  }),
  code: css({ fontWeight: theme.typography.fontWeightMedium }),
  passed: css({ color: theme.colors.success.text }),
  failed: css({ color: theme.colors.error.text }),
  noted: css({ color: theme.colors.info.text }),
  open: css({ color: theme.colors.text.secondary }),
  dim: css({ margin: 0, color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
});
