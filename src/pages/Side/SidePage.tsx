import React, { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { PluginPage } from '@grafana/runtime';
import { Button, LinkButton, useStyles2 } from '@grafana/ui';

import { getEvidence, getSettings, getSides } from '../../api/resources';
import { useLoad } from '../../api/useLoad';
import { Guard } from '../../components/ErrorBoundary/Guard';
import { ExactLink } from '../../components/ExactLink/ExactLink';
import { EmptyView, LoadView } from '../../components/StateViews/StateViews';
import { ROUTES } from '../../constants';
import { pageHref } from '../links';
import { SideChoice } from './SideChoice';
import { SideView } from './SideView';

/** One side alone: what its replay says, what Prometheus saw, what was recorded. The address names side and profile. */
function SidePage() {
  const styles = useStyles2(getStyles);
  const [params, setParams] = useSearchParams();
  const side = params.get('side') ?? '';
  const profile = params.get('profile') ?? '';

  const sides = useLoad('sides', getSides);
  const settings = useLoad('settings', getSettings);
  const evidence = useLoad(side ? `${side}\n${profile}` : null, (signal) =>
    getEvidence(side, profile || undefined, signal)
  );
  const label = evidence.data?.label ?? sides.data?.sides.find((one) => one.id === side)?.label ?? side;
  const title = useMemo(() => (side ? { text: label } : undefined), [side, label]);

  const change = (name: string, value: string) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      next.set(name, value);
      return next;
    });

  return (
    <PluginPage
      pageNav={title}
      actions={
        <>
          <Button
            size="sm"
            variant="secondary"
            icon="sync"
            disabled={!side || evidence.loading}
            onClick={evidence.reload}
          >
            {evidence.loading && evidence.data ? 'Measuring again' : 'Measure again'}
          </Button>
          {side && (
            <ExactLink look="button" icon="exchange-alt" href={pageHref(ROUTES.Runs, { baseline: side })}>
              Compare with another side
            </ExactLink>
          )}
        </>
      }
    >
      <div className={styles.page}>
        <SideChoice sides={sides} side={side} profile={profile} onChange={change} />
        {side === '' ? (
          <EmptyView
            message="No side is chosen"
            button={<LinkButton href={pageHref(ROUTES.Runs)}>See all runs</LinkButton>}
          >
            Choose one above, or open one from the list of runs.
          </EmptyView>
        ) : (
          <Guard name="side" dependencies={[evidence.data]}>
            <LoadView loaded={evidence} label="Measuring the side" lines={12}>
              {(data) => (
                <SideView
                  side={data}
                  datasourceUid={settings.data?.prometheus.datasourceUid ?? ''}
                  listed={sides.data?.sides}
                />
              )}
            </LoadView>
          </Guard>
        )}
      </div>
    </PluginPage>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  page: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2), minWidth: 0 }),
});

export default SidePage;
