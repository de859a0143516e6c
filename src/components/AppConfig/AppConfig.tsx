import React, { useState } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

import { checkHealth } from '../../api/client';
import { getSettings } from '../../api/resources';
import { useLoad } from '../../api/useLoad';
import { Guard } from '../ErrorBoundary/Guard';
import { LoadView } from '../StateViews/StateViews';
import { ConfigForm } from './ConfigForm';
import { HealthPanel } from './HealthPanel';
import { getPluginSettings } from './pluginSettings';
import type { PluginSettings } from './settings';

/** The configuration of the app in this organisation, and how its backend fares with it. */
function AppConfig() {
  const styles = useStyles2(getStyles);
  const stored = useLoad('plugin settings', getPluginSettings);
  const effective = useLoad('settings', getSettings);
  const health = useLoad('health', checkHealth);
  const [saved, setSaved] = useState<{ settings: PluginSettings; times: number } | null>(null);

  const onSaved = (settings: PluginSettings) => {
    setSaved((before) => ({ settings, times: (before?.times ?? 0) + 1 }));
    effective.reload();
    health.reload();
  };
  return (
    <Guard name="configuration">
      <div className={styles.page}>
        <HealthPanel health={health} />
        <LoadView loaded={stored} label="Loading the configuration" lines={10}>
          {(settings) => (
            // A new form after each saving, so that secrets which were typed leave the page.
            <ConfigForm
              key={saved?.times ?? 0}
              stored={saved?.settings ?? settings}
              effective={effective.data}
              saved={saved !== null}
              onSaved={onSaved}
            />
          )}
        </LoadView>
      </div>
    </Guard>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  page: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2), maxWidth: 1200, minWidth: 0 }),
});

export default AppConfig;
