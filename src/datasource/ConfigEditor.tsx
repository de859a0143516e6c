import React, { useMemo, useState } from 'react';

import { DataSourcePluginOptionsEditorProps } from '@grafana/data';
import { Alert, Stack } from '@grafana/ui';

import { getSourceSettings } from '../api/source';
import { useLoad } from '../api/useLoad';
import { faultsOf } from '../components/AppConfig/faults';
import { FieldsProps } from '../components/AppConfig/fields';
import { toDraft } from '../components/AppConfig/settings';
import { SettingsFields } from '../components/AppConfig/SettingsFields';
import { PartialView } from '../components/StateViews/StateViews';
import { Secrets, storedOf, withDraft } from './bridge';
import type { EvidenceSettings } from './types';

export type ConfigProps = DataSourcePluginOptionsEditorProps<EvidenceSettings, Secrets>;

/** The settings of the data source: those of the app, but its own. "Save & test" asks the backend how it is. */
export function ConfigEditor(props: ConfigProps) {
  // Saving makes a new version: what was typed is then stored, and secrets are gone from the page.
  return <Fields key={props.options.version ?? 0} {...props} />;
}

function Fields({ options, onOptionsChange }: ConfigProps) {
  const [stored] = useState(() => storedOf(options));
  const [draft, setDraft] = useState(() => toDraft(stored));
  const faults = useMemo(() => faultsOf(draft), [draft]);
  // A data source that was never saved has no backend to ask yet.
  const effective = useLoad(options.version ? options.uid : null, (signal) => getSourceSettings(options.uid, signal));
  const fields: FieldsProps = {
    draft,
    faults,
    locked: options.readOnly,
    change: (change) => {
      const next = { ...draft, ...change };
      setDraft(next);
      onOptionsChange(withDraft(options, next, stored));
    },
  };
  return (
    <Stack direction="column" gap={2}>
      <Alert severity="info" title="These settings belong to this data source alone">
        The app has its own, on its configuration page. Which directories are roots is decided by the operator in
        Grafana’s configuration, section [plugin.replaylab-evidence-datasource].
      </Alert>
      {options.readOnly && (
        <PartialView title="This data source is provisioned, so it cannot be changed here">
          Its settings come from a file on the Grafana server. Change that file and restart Grafana; here everything can
          be read.
        </PartialView>
      )}
      <SettingsFields
        {...fields}
        effective={effective.data}
        profilesNote="the questions for each service; they are checked with the app’s Prometheus"
      />
    </Stack>
  );
}
