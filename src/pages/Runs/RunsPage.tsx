import React, { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { PluginPage } from '@grafana/runtime';
import { Button, useStyles2 } from '@grafana/ui';

import { getSides } from '../../api/resources';
import { useLoad } from '../../api/useLoad';
import { useElementWidth } from '../../components/charts/useElementWidth';
import { Guard } from '../../components/ErrorBoundary/Guard';
import { EmptyView, LoadView } from '../../components/StateViews/StateViews';
import { ROUTES } from '../../constants';
import type { SidesResponse } from '../../types/generated';
import { pagePath } from '../links';
import { CARDS_BELOW } from './columns';
import { HowToGetRuns } from './HowToGetRuns';
import { KeysHelp } from './KeysHelp';
import { PickBar } from './PickBar';
import { OnPick } from './PickButtons';
import { combine, pick, refusal } from './picks';
import { RootStates } from './RootStates';
import { filterEntries, shortName, sortEntries, toEntries } from './rows';
import { RunsFilter } from './RunsFilter';
import { RunsTable } from './RunsTable';
import { useRunsUrl } from './useRunsUrl';

/** Every side that was found below the roots, to filter, sort and choose from. */
function RunsPage() {
  const sides = useLoad('sides', getSides);
  return (
    <PluginPage
      subTitle="Choose a baseline and a candidate: two directories that hold replays of the same recorded traffic."
      actions={
        <Button variant="secondary" icon="sync" onClick={sides.reload} disabled={sides.loading}>
          {sides.loading && sides.data ? 'Refreshing' : 'Refresh'}
        </Button>
      }
    >
      <Guard name="runs" dependencies={[sides.data]}>
        <LoadView loaded={sides} label="Loading the sides below the roots" lines={10}>
          {(found) => <Found found={found} />}
        </LoadView>
      </Guard>
    </PluginPage>
  );
}

function Found({ found }: { found: SidesResponse }) {
  const styles = useStyles2(getStyles);
  const navigate = useNavigate();
  const url = useRunsUrl();
  const { filter, sort, picks, setPicks } = url;
  const [said, setSaid] = useState('');
  const [ref, width] = useElementWidth<HTMLDivElement>();
  const cards = width > 0 && width < CARDS_BELOW;

  const deferred = useDeferredValue(filter);
  const entries = useMemo(() => toEntries(found.sides), [found.sides]);
  const shown = useMemo(() => sortEntries(filterEntries(entries, deferred), sort), [entries, deferred, sort]);
  const roots = useMemo(() => found.roots.map((root) => root.name), [found.roots]);

  // The lines of the table get one function for as long as they live.
  const change = useRef(setPicks);
  useEffect(() => {
    change.current = setPicks;
  });
  const onPick = useCallback<OnPick>((role, side, add) => {
    change.current((before) => {
      const why = add ? refusal(before, role, side) : '';
      const next = why ? before : add ? combine(before, role, side) : pick(before, role, side);
      setSaid(
        why ||
          (next[role] === ''
            ? `No ${role} is chosen now.`
            : `${shortName(side)} is ${add ? 'added to the' : 'chosen as'} ${role}.`)
      );
      return next;
    });
  }, []);
  const compare = () => {
    if (picks.baseline && picks.candidate) {
      navigate(pagePath(ROUTES.Compare, picks));
    } else {
      setSaid('Choose a baseline (b) and a candidate (c) first.');
    }
  };

  if (found.sides.length === 0) {
    return (
      <div className={styles.page}>
        <RootStates roots={found.roots} problems={found.problems} />
        <HowToGetRuns roots={found.roots} />
      </div>
    );
  }
  return (
    <div className={styles.page} ref={ref}>
      <RootStates roots={found.roots} problems={found.problems} />
      <PickBar
        picks={picks}
        sides={found.sides}
        onAdd={(role, side) => onPick(role, side, true)}
        onClear={(role) => setPicks((before) => ({ ...before, [role]: '' }))}
        onSwap={() => setPicks(({ baseline, candidate }) => ({ baseline: candidate, candidate: baseline }))}
        onCompare={compare}
      />
      <RunsFilter
        filter={filter}
        sort={sort}
        roots={roots}
        shown={shown.length}
        total={entries.length}
        cards={cards}
        onFilter={url.setFilter}
        onSort={url.setSort}
      />
      {shown.length === 0 ? (
        <EmptyView
          message="No side fits the filter"
          button={
            <Button variant="secondary" onClick={() => url.setFilter({ text: '', kind: '', root: '' })}>
              Clear the filter
            </Button>
          }
        />
      ) : (
        <RunsTable
          entries={shown}
          sort={sort}
          picks={picks}
          cards={cards}
          onSort={url.setSort}
          onPick={onPick}
          onOpen={(side) => navigate(pagePath(ROUTES.Side, { side }))}
          onCompare={compare}
        />
      )}
      <KeysHelp said={said} />
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  page: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1.5), minWidth: 0 }),
});

export default RunsPage;
