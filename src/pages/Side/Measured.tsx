import React, { ReactNode } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';

import { Figure } from '../../components/Figure/Figure';
import { scrollHint } from '../../components/scrollHint';
import { Section } from '../../components/Section/Section';
import { SrOnly } from '../../components/SrOnly/SrOnly';
import { formatCount, formatNumber, formatSeconds, formatShare } from '../../format/number';
import type { EvidenceHistogram, EvidenceQuantile, EvidenceReasons, EvidenceSide } from '../../types/generated';

interface Props {
  side: EvidenceSide;
  /** Shows the questions behind a figure. */
  onProof: (title: string, subtitle: string, ids: readonly string[]) => void;
  onAll: () => void;
}

interface Line {
  key: string;
  label: string;
  figure: ReactNode;
  /** Bounds and source in words. */
  bounds: string;
  /** What proves the figure: the guide's query, if any, and the raw samples. */
  queryIds: readonly string[];
}

/** The questions behind one figure, each once; older evidence does not name them all. */
const proof = (...ids: ReadonlyArray<string | readonly string[] | undefined>): string[] => [
  ...new Set(ids.flat().filter((id): id is string => Boolean(id))),
];

const level = (q: number) => `p${Number((q * 100).toPrecision(6))}`;

function number(
  value: number | null,
  write: (value: number) => string,
  reasons: EvidenceReasons | undefined,
  name: string
) {
  return <Figure text={value === null ? null : write(value)} reason={reasons?.[name]} />;
}

/** The bounds of a quantile in words: its 95 % interval, and what PromQL interpolates inside the bucket. */
function quantileBounds({ text, ciText, ciLower, ciUpper, promql }: EvidenceQuantile): string {
  return [
    (ciLower !== null || ciUpper !== null) && ciText !== text && `95 % interval ${ciText}`,
    promql !== null && `PromQL ${formatSeconds(promql)} (interpolated)`,
  ]
    .filter(Boolean)
    .join('; ');
}

const isKnown = ({ lower, upper }: EvidenceQuantile) => lower !== null || upper !== null;

function histogramLines(key: string, name: string, histogram: EvidenceHistogram): Line[] {
  const { p95Seconds: quantile, metric } = histogram;
  return [
    {
      key: `${key} quantile`,
      label: `${level(quantile.q)} ${name}`,
      figure: (
        <Figure
          text={isKnown(quantile) ? quantile.text : null}
          reason={quantile.reasons?.lower ?? quantile.reasons?.upper}
        />
      ),
      bounds: quantileBounds(quantile) || metric,
      queryIds: proof(quantile.queryId, histogram.queryIds),
    },
    {
      key: `${key} mean`,
      label: `Mean ${name}`,
      figure: number(histogram.meanSeconds, formatSeconds, histogram.reasons, 'meanSeconds'),
      bounds: histogram.count === null ? metric : `exact, ${formatCount(histogram.count)} observations of ${metric}`,
      queryIds: proof(histogram.queryIds),
    },
  ];
}

/** Every figure that Prometheus gave, as lines of one table. */
export function measuredLines({ metrics }: EvidenceSide): Line[] {
  const { requestDuration, waits, cpu, errors, extra } = metrics;
  return [
    ...histogramLines('request', 'request duration', requestDuration),
    ...waits.flatMap((wait): Line[] => [
      ...histogramLines(`wait ${wait.name}`, `wait for ${wait.name}`, wait),
      {
        key: `wait ${wait.name} share`,
        label: `Share of ${wait.name} in the mean`,
        figure: number(wait.share, formatShare, wait.reasons, 'share'),
        bounds: [
          wait.secondsPerRequest !== null && `${formatSeconds(wait.secondsPerRequest)} per request`,
          wait.meanWaiting !== null && `${formatNumber(wait.meanWaiting)} requests waited on average`,
        ]
          .filter(Boolean)
          .join('; '),
        queryIds: proof(wait.queryIds, requestDuration.queryIds),
      },
    ]),
    {
      key: 'cpu request',
      label: 'CPU per request',
      figure: number(cpu.secondsPerRequest, formatSeconds, cpu.reasons, 'secondsPerRequest'),
      bounds: cpu.share === null ? '' : `${formatShare(cpu.share)} of the mean request duration`,
      queryIds: proof(cpu.queryIds, requestDuration.queryIds),
    },
    {
      key: 'cpu cores',
      label: 'CPU cores',
      figure: number(cpu.activeCores, formatNumber, cpu.reasons, 'activeCores'),
      bounds:
        cpu.averageCores === null
          ? 'over active time'
          : `over active time; over the whole window ${formatNumber(cpu.averageCores)}`,
      queryIds: proof(cpu.queryId, cpu.queryIds),
    },
    {
      key: 'errors',
      label: 'Errors',
      figure: number(errors.count, formatCount, errors.reasons, 'count'),
      bounds: [errors.note, errors.upperRate !== null && `true rate at most ${formatShare(errors.upperRate)} (95 %)`]
        .filter(Boolean)
        .join('; '),
      queryIds: proof(errors.queryId, errors.queryIds),
    },
    ...extra.map((one): Line => ({
      key: `extra ${one.name}`,
      label: one.name,
      figure: number(
        one.value,
        (value) => `${formatNumber(value)}${one.unit ? `\u00a0${one.unit}` : ''}`,
        one.reasons,
        'value'
      ),
      bounds: 'a query of the profile',
      queryIds: proof(one.queryId),
    })),
  ];
}

/** What the service did in exactly this window, each figure with its bounds and its proof. */
export function Measured({ side, onProof, onAll }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <Section
      title="What Prometheus saw"
      subtitle={side.metrics.server}
      actions={
        side.queries.length > 0 && (
          <Button size="sm" variant="secondary" fill="text" onClick={onAll}>
            All {formatCount(side.queries.length)} questions
          </Button>
        )
      }
    >
      <div className={styles.scroll}>
        <table className={styles.table}>
          <caption>
            <SrOnly>What Prometheus saw of this side</SrOnly>
          </caption>
          <thead>
            <tr>
              <th scope="col">Measure</th>
              <th scope="col" className={styles.figure}>
                Figure
              </th>
              <th scope="col">Bounds and source</th>
              <th scope="col">Proof</th>
            </tr>
          </thead>
          <tbody>
            {measuredLines(side).map(({ key, label, figure, bounds, queryIds }) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                <td className={styles.figure}>{figure}</td>
                <td className={styles.bounds}>{bounds}</td>
                <td>
                  {queryIds.length > 0 && (
                    <Button
                      size="sm"
                      variant="secondary"
                      fill="text"
                      aria-label={`${queryIds.length === 1 ? 'Query' : 'Queries'} behind ${label}`}
                      onClick={() => onProof(label, bounds, queryIds)}
                    >
                      {queryIds.length === 1 ? 'Query' : 'Queries'}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  scroll: css({ overflowX: 'auto', minWidth: 0, ...scrollHint(theme) }),
  table: css({
    width: '100%',
    fontVariantNumeric: 'tabular-nums',
    caption: { padding: 0, height: 0 },
    'th, td': {
      padding: theme.spacing(0.5, 1),
      borderBottom: `1px solid ${theme.colors.border.weak}`,
      textAlign: 'left',
      fontWeight: theme.typography.fontWeightRegular,
    },
    'thead th': { color: theme.colors.text.secondary, ...theme.typography.bodySmall },
  }),
  figure: css({ '&&': { textAlign: 'right', whiteSpace: 'nowrap' } }),
  bounds: css({
    color: theme.colors.text.secondary,
    overflowWrap: 'anywhere',
    minWidth: 140,
    ...theme.typography.bodySmall,
  }),
});
