import React, { useState } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Combobox, Icon, InlineSwitch, useStyles2 } from '@grafana/ui';

import { getBoundary } from '../../api/resources';
import { mayReveal } from '../../api/role';
import { useLoad } from '../../api/useLoad';
import { Section } from '../../components/Section/Section';
import { LoadView } from '../../components/StateViews/StateViews';
import { formatCount, plural } from '../../format/number';
import type { BoundaryResponse, EvidenceSide, SideRow } from '../../types/generated';
import { groupCalls, runsWithPairs } from './boundaryCalls';
import { Calls } from './Calls';

interface Props {
  side: EvidenceSide;
  listed: readonly SideRow[] | undefined;
}

/** What was recorded at the edge of the service: what came in, and what it asked of others. */
export function Boundary({ side, listed }: Props) {
  const styles = useStyles2(getStyles);
  const [chosen, setChosen] = useState('');
  const [reveal, setReveal] = useState(false);
  const runs = runsWithPairs(side, listed);
  const run = runs.find(({ value }) => value === chosen)?.value ?? runs[0]?.value ?? '';
  const boundary = useLoad(run ? `${run}\n${reveal}` : null, (signal) => getBoundary(run, reveal, signal));
  const allowed = mayReveal();

  return (
    <Section
      title="Boundary of the recording"
      subtitle="what came in, and what went out for it"
      actions={
        run && (
          <InlineSwitch
            label="Show recorded values"
            showLabel
            transparent
            id="boundary-reveal"
            value={reveal}
            disabled={!allowed}
            title={
              allowed
                ? 'Recorded values can hold secrets'
                : 'Recorded values can hold secrets: only the roles Editor and Admin see them'
            }
            onChange={(event) => setReveal(event.currentTarget.checked)}
          />
        )
      }
    >
      {run === '' ? (
        <p className={styles.dim}>
          No recording of this side was found below the roots, and its runs hold no pairs. Keep the recording below a
          root, or name it in side.json (workload.recording), to see it here.
        </p>
      ) : (
        <>
          {runs.length > 1 && (
            <div className={styles.choice}>
              <Combobox aria-label="Run" options={runs} value={run} onChange={({ value }) => setChosen(value)} />
            </div>
          )}
          <LoadView loaded={boundary} label="Reading the recorded pairs" lines={5}>
            {(data) => <Sides boundary={data} />}
          </LoadView>
        </>
      )}
    </Section>
  );
}

function Sides({ boundary }: { boundary: BoundaryResponse }) {
  const styles = useStyles2(getStyles);
  const { inbound, outbound, total, masked, problems } = boundary;
  const left = total - inbound.length - outbound.length;
  return (
    <>
      <p className={styles.dim}>
        {masked && 'Values are masked: keys and types are shown. '}
        {left > 0 &&
          `The first ${formatCount(inbound.length + outbound.length)} of ${plural(total, 'call')} are listed. `}
        Calls of the same operation and status stand together.
      </p>
      <div className={styles.columns}>
        <div>
          <h3 className={styles.heading}>
            <Icon name="arrow-right" aria-hidden /> Came in{' '}
            <span className={styles.dim}>{plural(inbound.length, 'call')}</span>
          </h3>
          <Calls groups={groupCalls(inbound)} empty="No inbound call was recorded." />
        </div>
        <div>
          <h3 className={styles.heading}>
            Went out <Icon name="arrow-right" aria-hidden />{' '}
            <span className={styles.dim}>{plural(outbound.length, 'call')}</span>
          </h3>
          <Calls
            groups={groupCalls(outbound)}
            empty="No outbound call was recorded: the service answered alone, or its calls did not pass the recorder."
          />
        </div>
      </div>
      {problems.length > 0 && (
        <ul className={styles.problems}>
          {problems.map(({ path, message }, at) => (
            <li key={at}>
              {path} {message}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  dim: css({ margin: 0, color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
  choice: css({ maxWidth: 420 }),
  columns: css({
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 380px), 1fr))',
    gap: theme.spacing(2),
    alignItems: 'start',
    '> div': { minWidth: 0 },
  }),
  heading: css({
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    margin: theme.spacing(0, 0, 1),
    ...theme.typography.h6,
  }),
  problems: css({
    margin: 0,
    paddingLeft: theme.spacing(2.5),
    color: theme.colors.text.secondary,
    overflowWrap: 'anywhere',
    ...theme.typography.bodySmall,
  }),
});
