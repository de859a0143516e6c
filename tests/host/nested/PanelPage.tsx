import React, { useState } from 'react';

import {
  EventBusSrv,
  FieldConfigSource,
  LoadingState,
  PanelOptionsEditorBuilder,
  PanelPlugin,
  PanelProps,
  StandardEditorProps,
  standardEditorsRegistry,
} from '@grafana/data';
import { getTemplateSrv } from '@grafana/runtime';
import { Field, MultiCombobox, PanelChrome, Stack } from '@grafana/ui';

import { HostBoot } from '../types';
import { useParameters } from './parameters';
import { labRange } from './time';
import { usePlugin } from './usePlugin';

type Options = Record<string, unknown>;

interface ListSettings {
  options: Array<{ value: string; label: string }>;
}

function ListEditor({ value, onChange, item, id }: StandardEditorProps<string[], ListSettings>) {
  return (
    <MultiCombobox
      id={id}
      aria-label={item.name}
      options={item.settings?.options ?? []}
      value={value ?? []}
      onChange={(picked) => onChange(picked.map((one) => one.value))}
    />
  );
}

// Grafana's core registers these; a panel plugin only names them.
standardEditorsRegistry.setInit(() => [{ id: 'multi-select', name: 'List', editor: ListEditor as never }]);

/** A nested panel as a dashboard shows it, with its options beside it. */
export function PanelPage({ told }: { told: HostBoot }) {
  const parameters = useParameters();
  const { plugin, error } = usePlugin<PanelPlugin>(told.plugins.find(({ type }) => type === 'panel')?.module);
  const [options, setOptions] = useState<Options>(parameters.json('options', {}));
  if (error) {
    return <p role="alert">{error}</p>;
  }
  if (!plugin?.panel) {
    return <p aria-busy>Loading the panel</p>;
  }
  const Panel = plugin.panel;
  const all = { ...plugin.defaults, ...options };
  const width = parameters.number('width', 900);
  const height = parameters.number('height', 480);
  const range = labRange();
  return (
    <Stack gap={2} wrap="wrap" alignItems="flex-start">
      <PanelChrome title="Replay evidence" width={width} height={height}>
        {(innerWidth, innerHeight) => (
          <Panel
            {...({
              id: 1,
              title: 'Replay evidence',
              data: { state: LoadingState.Done, series: [], timeRange: range },
              timeRange: range,
              timeZone: 'browser',
              options: all,
              fieldConfig: { defaults: {}, overrides: [] } as FieldConfigSource,
              width: innerWidth,
              height: innerHeight,
              transparent: false,
              renderCounter: 0,
              eventBus: new EventBusSrv(),
              replaceVariables: (text: string) => getTemplateSrv().replace(text),
              onOptionsChange: setOptions,
              onFieldConfigChange: () => undefined,
              onChangeTimeRange: () => undefined,
            } as PanelProps)}
          />
        )}
      </PanelChrome>
      {parameters.number('editor', 0) > 0 && <PanelEditor plugin={plugin} options={all} onChange={setOptions} />}
    </Stack>
  );
}

interface EditorProps {
  plugin: PanelPlugin;
  options: Options;
  onChange: (options: Options) => void;
}

function PanelEditor({ plugin, options, onChange }: EditorProps) {
  const builder = new PanelOptionsEditorBuilder<Options>();
  plugin.getPanelOptionsSupplier()(builder, { data: [], options });
  return (
    <section aria-label="Panel options" style={{ width: 340 }}>
      {builder.getItems().map((item) => {
        const Editor = item.editor;
        return (
          <Field key={item.id} label={item.name} description={item.description} htmlFor={item.id}>
            <Editor
              id={item.id}
              item={item}
              value={options[item.path]}
              context={{ data: [], options }}
              onChange={(value: unknown) => onChange({ ...options, [item.path]: value })}
            />
          </Field>
        );
      })}
    </section>
  );
}
