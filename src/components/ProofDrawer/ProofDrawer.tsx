import React, { ReactNode } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Alert, ClipboardButton, Drawer, Stack, useStyles2 } from '@grafana/ui';

import { formatCount, formatNumber, plural } from '../../format/number';
import { reasonText } from '../../format/reason';
import { formatLocal, formatUtc } from '../../format/time';
import { ExactLink } from '../ExactLink/ExactLink';
import { testIds } from '../testIds';

/** One question as it was sent to the metrics server, and what came back. */
export interface ProofQuery {
  id: string;
  name: string;
  promql: string;
  /** The exact instant that was sent. */
  time: string;
  /** The range inside the text in seconds; 0 for none. */
  rangeSeconds: number;
  state: string;
  result: number | null;
  series: number;
  samples: number;
  warnings: readonly string[];
  infos: readonly string[];
  attempts: number;
  error?: string;
  reasons?: Record<string, string>;
}

export interface Proof {
  /** Whose query it is: baseline or candidate. */
  side: string;
  query: ProofQuery;
  /** The address that opens this very question in Explore, when there is a data source for it. */
  exploreUrl?: string;
}

interface Props {
  /** What is proved, for example "Prometheus p95 request duration". */
  title: string;
  /** Bounds and source in words. */
  subtitle?: string;
  proofs: readonly Proof[];
  /** What to say when no query was sent for the figure. */
  empty?: ReactNode;
  /** Stands above the queries: the figure itself. */
  children?: ReactNode;
  onClose: () => void;
}

/** Shows the exact questions behind a figure: text, instant, range, what came back. */
export function ProofDrawer({ title, subtitle, proofs, empty, children, onClose }: Props) {
  return (
    <Drawer title={title} subtitle={subtitle} size="md" onClose={onClose}>
      <Stack direction="column" gap={3} data-testid={testIds.proof}>
        {children}
        {proofs.length === 0 &&
          (empty ?? <span>This figure comes from the replay’s own files; no query was sent for it.</span>)}
        {proofs.map((proof) => (
          <ProofSection key={`${proof.side} ${proof.query.id}`} {...proof} />
        ))}
      </Stack>
    </Drawer>
  );
}

/** A range with all the digits that are asked with: Prometheus takes whole milliseconds. */
const exactSeconds = (seconds: number) => `${Number(seconds.toFixed(3))}\u00a0s`;

function ProofSection({ side, query, exploreUrl }: Proof) {
  const styles = useStyles2(getStyles);
  return (
    <section className={styles.section} aria-label={`${side}: ${query.name}`}>
      <h4 className={styles.heading}>
        <span className={styles.side}>{side}</span> {query.name}
      </h4>
      <pre className={styles.code}>
        <code>{query.promql}</code>
      </pre>
      <Stack gap={1} wrap="wrap">
        <ClipboardButton size="sm" variant="secondary" icon="copy" getText={() => query.promql}>
          Copy PromQL
        </ClipboardButton>
        {exploreUrl && (
          <ExactLink href={exploreUrl} look="button" icon="compass">
            Open in Explore
          </ExactLink>
        )}
      </Stack>
      <dl className={styles.facts}>
        <dt>Evaluated at</dt>
        <dd>
          {formatLocal(query.time)} <span className={styles.dim}>({formatUtc(query.time)})</span>
        </dd>
        {query.rangeSeconds > 0 && (
          <>
            <dt>Range</dt>
            <dd>{exactSeconds(query.rangeSeconds)} up to that instant</dd>
          </>
        )}
        <dt>State</dt>
        <dd>
          {query.state}
          {query.attempts > 1 && ` after ${query.attempts} attempts`}
        </dd>
        <dt>Result</dt>
        <dd>
          {query.result === null ? reasonText(query.reasons?.result) : formatNumber(query.result)}
          {query.result !== null && <span className={styles.dim}> ({String(query.result)})</span>}
        </dd>
        <dt>Seen</dt>
        <dd>
          {formatCount(query.series)} series, {plural(query.samples, 'sample')}
        </dd>
      </dl>
      {query.error && (
        <Alert severity="error" title="The query failed">
          {query.error}
        </Alert>
      )}
      {[...query.warnings, ...query.infos].map((warning) => (
        <Alert key={warning} severity="warning" title={warning} />
      ))}
    </section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  section: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1), minWidth: 0 }),
  heading: css({ margin: 0, ...theme.typography.h5 }),
  side: css({ color: theme.colors.text.secondary, fontWeight: theme.typography.fontWeightRegular }),
  code: css({ margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }),
  facts: css({
    display: 'grid',
    gridTemplateColumns: 'max-content 1fr',
    gap: theme.spacing(0.5, 2),
    margin: 0,
    dt: { color: theme.colors.text.secondary, fontWeight: theme.typography.fontWeightRegular },
    dd: { margin: 0, overflowWrap: 'anywhere' },
  }),
  dim: css({ color: theme.colors.text.secondary }),
});
