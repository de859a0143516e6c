import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Tab, TabContent, TabsBar, useStyles2 } from '@grafana/ui';

import { AnswerCard } from '../../components/AnswerBadge/AnswerCard';
import { Guard } from '../../components/ErrorBoundary/Guard';
import { SrOnly } from '../../components/SrOnly/SrOnly';
import type { Comparison } from '../../types/generated';
import { Checks } from './Checks';
import { Distributions } from './Distributions';
import { Elapsed } from './Elapsed';
import { Endpoints } from './Endpoints';
import { EvidenceTable } from './EvidenceTable';
import { Findings, Limitations } from './Findings';
import { gateSummary } from './gates';
import { RequestTime } from './RequestTime';
import { Responses } from './Responses';
import { SameWork } from './SameWork';
import { SidesLine } from './SidesLine';
import { CompareAddress, TabName } from './state';
import { Statements } from './Statements';

interface Props extends CompareAddress {
  comparison: Comparison;
}

/** One comparison, the three answers first, then what they rest on. */
export function ComparisonView({ comparison, state, update }: Props) {
  const styles = useStyles2(getStyles);
  const { behaviour, speed, cause } = comparison.verdict;
  const openRef = (open: string) => update({ open });
  return (
    <div className={styles.page}>
      <SidesLine comparison={comparison} />
      <div className={styles.answers}>
        <AnswerCard question="Behaviour" {...behaviour} />
        <AnswerCard question="Speed" {...speed} />
        <AnswerCard question="Cause" {...cause} />
      </div>
      <SameWork comparison={comparison} open={state.open} onOpenChecks={() => update({ tab: 'checks', open: '' })} />
      <div className={styles.halves}>
        <RequestTime comparison={comparison} />
        <Distributions
          comparison={comparison}
          chosen={state.histogram}
          onChoose={(histogram) => update({ histogram })}
        />
      </div>
      <div className={styles.wideAndNarrow}>
        <EvidenceTable comparison={comparison} onOpen={openRef} />
        <div className={styles.column}>
          <Findings comparison={comparison} onOpen={update} />
          <Limitations comparison={comparison} />
        </div>
      </div>
      <Elapsed comparison={comparison} />
      <Details comparison={comparison} state={state} update={update} />
    </div>
  );
}

function Details({ comparison, state, update }: Props) {
  const styles = useStyles2(getStyles);
  const { endpoints, responses, statements } = comparison;
  const tabs: Array<{ name: TabName; label: string; counter?: number }> = [
    { name: 'endpoints', label: 'Endpoints', counter: endpoints.length },
    { name: 'responses', label: 'Response differences', counter: responses.differences.length + responses.truncated },
    { name: 'statements', label: 'Statements', counter: statements?.changes.filter((one) => one.endpoint).length },
    { name: 'checks', label: 'Checks', counter: gateSummary(comparison).failed || undefined },
  ];
  return (
    <section className={styles.details} aria-label="Details">
      <SrOnly as="h2">Details</SrOnly>
      <TabsBar className={styles.tabs}>
        {tabs.map(({ name, label, counter }) => (
          <Tab
            key={name}
            label={label}
            counter={counter}
            active={state.tab === name}
            onChangeTab={() => update({ tab: name })}
          />
        ))}
      </TabsBar>
      <TabContent className={styles.content}>
        <Guard name={state.tab} dependencies={[state.tab]}>
          {state.tab === 'endpoints' && (
            <Endpoints
              comparison={comparison}
              open={state.open}
              sort={state.sort}
              onSort={(sort) => update({ sort })}
            />
          )}
          {state.tab === 'responses' && <Responses comparison={comparison} onOpen={(open) => update({ open })} />}
          {state.tab === 'statements' && <Statements comparison={comparison} open={state.open} />}
          {state.tab === 'checks' && <Checks comparison={comparison} open={state.open} onOpen={update} />}
        </Guard>
      </TabContent>
    </section>
  );
}

const getStyles = (theme: GrafanaTheme2) => {
  const grid = { display: 'grid', gap: theme.spacing(2) };
  return {
    // What stands beside what follows the room of the page, which a docked menu makes narrower than the window.
    page: css({
      display: 'flex',
      flexDirection: 'column',
      gap: theme.spacing(2),
      minWidth: 0,
      containerType: 'inline-size',
    }),
    answers: css({
      ...grid,
      gridTemplateColumns: 'minmax(0, 1fr)',
      '@container (min-width: 860px)': { gridTemplateColumns: 'repeat(3, minmax(0, 1fr))' },
    }),
    halves: css({
      ...grid,
      gridTemplateColumns: 'minmax(0, 1fr)',
      '@container (min-width: 940px)': { gridTemplateColumns: 'minmax(0, 6fr) minmax(0, 5fr)' },
    }),
    wideAndNarrow: css({
      ...grid,
      gridTemplateColumns: 'minmax(0, 1fr)',
      '@container (min-width: 1260px)': { gridTemplateColumns: 'minmax(0, 8fr) minmax(0, 5fr)' },
    }),
    column: css({
      ...grid,
      alignContent: 'start',
      minWidth: 0,
      gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 460px), 1fr))',
    }),
    details: css({
      minWidth: 0,
      background: theme.colors.background.primary,
      border: `1px solid ${theme.colors.border.weak}`,
      borderRadius: theme.shape.radius.default,
    }),
    tabs: css({ padding: theme.spacing(0, 1), overflowX: 'auto' }),
    content: css({
      display: 'flex',
      flexDirection: 'column',
      gap: theme.spacing(1.5),
      padding: theme.spacing(2),
      background: 'transparent',
    }),
  };
};
