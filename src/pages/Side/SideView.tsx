import React, { useState } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

import { Proof, ProofDrawer } from '../../components/ProofDrawer/ProofDrawer';
import { PartialView } from '../../components/StateViews/StateViews';
import { formatCount } from '../../format/number';
import type { EvidenceSide, SideRow } from '../../types/generated';
import { exploreUrl } from '../Compare/explore';
import { Boundary } from './Boundary';
import { Course, Distribution, RequestTime } from './Course';
import { Endpoints } from './Endpoints';
import { Gates } from './Gates';
import { Identity } from './Identity';
import { Measured } from './Measured';
import { MockFidelity } from './MockFidelity';
import { ReplayFigures } from './ReplayFigures';
import { Saturation } from './Saturation';
import { Statements } from './Statements';

interface Props {
  side: EvidenceSide;
  /** Of the data source that the plugin asks; empty when it asks a URL of its own. */
  datasourceUid: string;
  /** Every side that is known, to find recordings in. */
  listed: readonly SideRow[] | undefined;
}

/** What a reader wants to see the questions of. */
interface Opened {
  title: string;
  subtitle: string;
  ids: readonly string[];
}

/** Everything that is known of one side, from what the replay says to what was recorded. */
export function SideView({ side, datasourceUid, listed }: Props) {
  const styles = useStyles2(getStyles);
  const [opened, setOpened] = useState<Opened | null>(null);
  const { metrics, queries } = side;
  // Without a replay there is nothing to measure, and a page of dashes would say no more than one sentence.
  const replayed = side.load !== null || side.functional !== null;

  const proofs: Proof[] = queries
    .filter((query) => opened?.ids.includes(query.id))
    .map((query) => ({ side: side.label, query, exploreUrl: exploreUrl(datasourceUid, [query]) }));

  return (
    <div className={styles.page}>
      {replayed && metrics.state !== 'ok' && (
        <PartialView title={`Metrics: ${metrics.message || metrics.state}`}>
          The replay’s own figures and the recording are shown all the same.{' '}
          {metrics.next && (
            <>
              <strong>Next step:</strong> {metrics.next}
            </>
          )}
        </PartialView>
      )}
      {side.frozen && (
        <PartialView title="These metrics are frozen">
          The metrics server no longer keeps this window; the figures were read from{' '}
          {side.frozenFrom ?? 'evidence.json'}.
        </PartialView>
      )}
      {side.problems.length > 0 && (
        <PartialView
          title={
            side.problems.length === 1
              ? 'One thing was wrong with the files'
              : `${formatCount(side.problems.length)} things were wrong with the files`
          }
        >
          <ul className={styles.problems}>
            {side.problems.map(({ path, message }, at) => (
              <li key={at}>
                <span className={styles.dim}>{path}</span> {message}
              </li>
            ))}
          </ul>
        </PartialView>
      )}
      <Identity side={side} listed={listed} />
      {replayed ? (
        <>
          <ReplayFigures side={side} />
          <div className={styles.columns}>
            <div className={styles.stack}>
              <Measured
                side={side}
                onProof={(title, subtitle, ids) => setOpened({ title, subtitle, ids })}
                onAll={() =>
                  setOpened({
                    title: 'Every question that was asked',
                    subtitle: metrics.server ?? '',
                    ids: queries.map((query) => query.id),
                  })
                }
              />
              <RequestTime side={side} />
              <Distribution side={side} />
            </div>
            <div className={styles.stack}>
              <Gates gates={side.gates} reconciliation={metrics.reconciliation} coverage={metrics.coverage} />
              <Saturation saturation={side.saturation} />
            </div>
          </div>
          <Course side={side} />
          <Endpoints endpoints={side.endpoints} />
          <MockFidelity mock={side.mock} />
        </>
      ) : (
        <p className={styles.note}>This side holds no replay: there are no figures to show, only what was recorded.</p>
      )}
      {side.statements && <Statements statements={side.statements} />}
      <Boundary side={side} listed={listed} />
      {opened && (
        <ProofDrawer title={opened.title} subtitle={opened.subtitle} proofs={proofs} onClose={() => setOpened(null)} />
      )}
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  page: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2), minWidth: 0 }),
  columns: css({
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 3fr) minmax(0, 2fr)',
    gap: theme.spacing(2),
    alignItems: 'start',
    [theme.breakpoints.down('lg')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  }),
  stack: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2), minWidth: 0 }),
  problems: css({ margin: 0, paddingLeft: theme.spacing(2.5), overflowWrap: 'anywhere' }),
  note: css({ margin: 0, color: theme.colors.text.secondary }),
  dim: css({ color: theme.colors.text.secondary }),
});
