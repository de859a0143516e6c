import React, { useEffect, useRef } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2, PanelProps } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

import { getComparison } from '../api/resources';
import { useLoad } from '../api/useLoad';
import { Guard } from '../components/ErrorBoundary/Guard';
import { ExactLink } from '../components/ExactLink/ExactLink';
import { LoadingView, ProblemView } from '../components/StateViews/StateViews';
import { ROUTES } from '../constants';
import { pageHref } from '../pages/links';
import type { Comparison } from '../types/generated';
import { AnswersStrip } from './AnswersStrip';
import { Choice, explain, faultOf } from './choice';
import { EvidenceRows } from './EvidenceRows';
import { EvidenceOptions, layoutOf, Part, PARTS } from './options';
import { TimePicture } from './TimePicture';

type Props = Pick<PanelProps<EvidenceOptions>, 'options' | 'width' | 'height' | 'replaceVariables' | 'timeRange'>;

/** One comparison on a dashboard. It asks the app's backend and nothing else. */
export function EvidencePanel({ options, width, height, replaceVariables, timeRange }: Props) {
  const styles = useStyles2(getStyles);
  const choice: Choice = {
    baseline: replaceVariables(options.baseline ?? '').trim(),
    candidate: replaceVariables(options.candidate ?? '').trim(),
    profile: replaceVariables(options.profile ?? '').trim(),
  };
  const fault = faultOf(choice);
  const loaded = useLoad(fault ? null : JSON.stringify(choice), (signal) => getComparison(choice, signal));
  useReloadWith(timeRange.to.valueOf(), loaded.reload);

  const problem = fault ?? (loaded.problem && explain(loaded.problem));
  return (
    <div className={styles.panel} style={{ width, height }}>
      {problem && <ProblemView problem={problem} onRetry={fault ? undefined : loaded.reload} />}
      {loaded.data && (
        <Guard name="panel" dependencies={[loaded.data]}>
          <Shown
            comparison={loaded.data}
            choice={choice}
            parts={options.parts ?? PARTS}
            width={width}
            height={height}
          />
        </Guard>
      )}
      {loaded.loading && !loaded.data && <LoadingView label="Loading the comparison" lines={height > 120 ? 3 : 1} />}
    </div>
  );
}

// The dashboard's own refresh moves the time range, and nothing else tells a panel without queries of it.
function useReloadWith(moment: number, reload: () => void) {
  const before = useRef(moment);
  useEffect(() => {
    if (before.current !== moment) {
      before.current = moment;
      reload();
    }
  }, [moment, reload]);
}

interface ShownProps {
  comparison: Comparison;
  choice: Choice;
  parts: readonly Part[];
  width: number;
  height: number;
}

function Shown({ comparison, choice, parts, width, height }: ShownProps) {
  const styles = useStyles2(getStyles);
  const { answers, table, time, cut } = layoutOf(parts, width, height);
  const page = pageHref(ROUTES.Compare, { ...choice });
  return (
    <>
      <div className={styles.body}>
        {answers && <AnswersStrip verdict={comparison.verdict} detail={answers} />}
        {time && <TimePicture comparison={comparison} />}
        {table && <EvidenceRows rows={comparison.table} width={width} />}
      </div>
      {answers !== 'words' && (
        <div className={styles.foot}>
          <span>
            {comparison.sides.baseline.label} → {comparison.sides.candidate.label}
          </span>
          {cut && <span>Make the panel larger to see the rest.</span>}
          <ExactLink href={page}>Open the comparison</ExactLink>
        </div>
      )}
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  panel: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1), overflow: 'auto' }),
  // The table scrolls; where to see more stays in sight.
  body: css({
    display: 'flex',
    flex: '1 1 0',
    flexDirection: 'column',
    gap: theme.spacing(1),
    minHeight: 0,
    overflow: 'auto',
  }),
  foot: css({
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: theme.spacing(0.5, 2),
    color: theme.colors.text.secondary,
    ...theme.typography.bodySmall,
  }),
});
