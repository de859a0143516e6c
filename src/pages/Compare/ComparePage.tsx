import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { PluginPage } from '@grafana/runtime';
import { LinkButton, useStyles2 } from '@grafana/ui';

import { queryString } from '../../api/client';
import { ComparisonOf, getComparison, getSettings, getSides } from '../../api/resources';
import { Loaded, useLoad } from '../../api/useLoad';
import { ROLES } from '../../components/charts/sides';
import { EmptyView, LoadingView, PartialView, ProblemView } from '../../components/StateViews/StateViews';
import { ROUTES } from '../../constants';
import type { Comparison, SidesResponse } from '../../types/generated';
import { pageHref } from '../links';
import { Actions, TimeSpan } from './Actions';
import { ComparisonView } from './ComparisonView';
import { DiffDrawer } from './DiffDrawer';
import { exploreUrl } from './explore';
import { Pickers } from './Pickers';
import { openPair } from './proofs';
import { ProofView } from './ProofView';
import { CompareState, useCompareState } from './state';

/** Compares two sides. The address holds what is compared and what is opened. */
function ComparePage() {
  const styles = useStyles2(getStyles);
  const { state, update } = useCompareState();
  const sides = useLoad('sides', getSides);
  const settings = useLoad('settings', getSettings);
  const of: ComparisonOf = { baseline: state.baseline, candidate: state.candidate, profile: state.profile };
  const key = state.baseline && state.candidate ? queryString({ ...of }) : null;
  const comparison = useLoad(key, (signal) => getComparison(of, signal));
  const { data } = comparison;
  const datasourceUid = settings.data?.prometheus.datasourceUid ?? '';
  const refUuid = openPair(state.open);

  return (
    <PluginPage
      actions={
        data && (
          <Actions
            of={of}
            range={timeSpan(data)}
            onRefresh={comparison.reload}
            refreshing={comparison.loading}
            exploreUrl={exploreUrl(datasourceUid, sameQuestion(data))}
          />
        )
      }
    >
      <div className={styles.page}>
        <Pickers sides={sides.data} loading={sides.loading} state={state} onChange={update} />
        {sides.problem && <ProblemView problem={sides.problem} onRetry={sides.reload} />}
        {key === null && !sides.problem && <NothingPicked sides={sides} state={state} />}
        {comparison.problem && <ProblemView problem={comparison.problem} onRetry={comparison.reload} />}
        {comparison.loading && !data && <Skeleton />}
        {data && (
          <>
            <Incomplete comparison={data} />
            <ComparisonView comparison={data} state={state} update={update} />
            <ProofView
              comparison={data}
              open={state.open}
              datasourceUid={datasourceUid}
              onOpen={(open) => update({ open })}
            />
          </>
        )}
        {key !== null && refUuid && <DiffDrawer of={of} refUuid={refUuid} onClose={() => update({ open: '' })} />}
      </div>
    </PluginPage>
  );
}

/** The question that the speed answer rests on, as it was asked for each side. */
function sameQuestion(comparison: Comparison) {
  const row = comparison.table.find((one) => one.key === 'requestQuantile');
  return ROLES.flatMap((role) =>
    comparison.sides[role].queries.filter((query) => row?.[role].queryIds.includes(query.id))
  );
}

/** The time in which both sides ran, with a minute on either side to see where each begins and ends. */
export function timeSpan({ sides }: Comparison): TimeSpan | undefined {
  const windows = ROLES.flatMap((role) => sides[role].window ?? []);
  if (windows.length === 0) {
    return undefined;
  }
  return {
    from: Math.min(...windows.map(({ start }) => Date.parse(start))) - 60_000,
    to: Math.max(...windows.map(({ end }) => Date.parse(end))) + 60_000,
  };
}

/** Before anything is compared: what to do. */
function NothingPicked({ sides, state }: { sides: Loaded<SidesResponse>; state: CompareState }) {
  if (!sides.data) {
    return <LoadingView label="Looking for sides" />;
  }
  const unreadable = sides.data.roots.filter((root) => !root.readable);
  if (sides.data.sides.length === 0) {
    return (
      <EmptyView
        message="No runs were found"
        button={
          <LinkButton variant="secondary" href={pageHref(ROUTES.Runs)}>
            Open the list of runs
          </LinkButton>
        }
      >
        {unreadable.length > 0
          ? unreadable.map((root) => `${root.name}: ${root.message}`).join(' ')
          : 'Replay a recording against two versions of the service and let the results land below one of the configured roots.'}
      </EmptyView>
    );
  }
  const missing = state.baseline ? 'candidate' : state.candidate ? 'baseline' : '';
  return (
    <EmptyView message={missing ? `Choose a ${missing}, too` : 'Choose a baseline and a candidate'}>
      The baseline is the replay against the version you trust; the candidate is the same replay against the version in
      question. The answers appear as soon as both are chosen.
    </EmptyView>
  );
}

/** Says what could not be measured; the rest of the page works without it. */
function Incomplete({ comparison }: { comparison: Comparison }) {
  const lacking = ROLES.filter((role) => comparison.sides[role].metrics.state !== 'ok');
  if (lacking.length === 0) {
    return null;
  }
  const said = new Map<string, string[]>();
  for (const role of lacking) {
    const { state, message, next } = comparison.sides[role].metrics;
    const text = [`${message || state}.`, next].filter(Boolean).join(' ');
    said.set(text, [...(said.get(text) ?? []), role]);
  }
  return (
    <PartialView title="The service’s metrics are missing; the replay’s own figures are complete">
      {[...said].map(([text, roles]) => (
        <div key={text}>
          {roles.join(' and ')}: {text}
        </div>
      ))}
    </PartialView>
  );
}

/** The outline of the page while the first answer is on its way. */
function Skeleton() {
  const styles = useStyles2(getStyles);
  return (
    <>
      <div className={styles.answers}>
        <LoadingView label="Comparing the two sides" lines={5} />
        <LoadingView label="Comparing the two sides" lines={5} />
        <LoadingView label="Comparing the two sides" lines={5} />
      </div>
      <LoadingView label="Reading the evidence" lines={10} />
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  page: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2), minWidth: 0 }),
  answers: css({
    display: 'grid',
    gap: theme.spacing(2),
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 300px), 1fr))',
  }),
});

export default ComparePage;
