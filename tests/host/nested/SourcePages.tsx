import React, { ComponentType, useState } from 'react';
import { firstValueFrom } from 'rxjs';

import {
  CoreApp,
  CustomVariableSupport,
  DataFrame,
  DataQuery,
  DataQueryRequest,
  DataSourceSettings,
  QueryEditorProps,
  toDataFrame,
} from '@grafana/data';
import { Button, Stack } from '@grafana/ui';

import { HostBoot } from '../types';
import { Frames } from './Frames';
import { useParameters } from './parameters';
import { AnySource, runQuery, useSource } from './useSource';

type Editor = ComponentType<QueryEditorProps<AnySource, DataQuery>>;

/** A query editor as Explore shows it, and what its query answers. */
export function ExplorePage({ told }: { told: HostBoot }) {
  const parameters = useParameters();
  const { plugin, source, error } = useSource(told);
  const given = parameters.json<Partial<DataQuery>>('query', {});
  if (error) {
    return <p role="alert">{error}</p>;
  }
  if (!plugin?.components.QueryEditor || !source) {
    return <p aria-busy>Loading the data source</p>;
  }
  const start = Object.keys(given).length > 0 ? given : source.getDefaultQuery?.(CoreApp.PanelEditor);
  return <Asked source={source} start={{ refId: 'A', ...start }} editor={plugin.components.QueryEditor as Editor} />;
}

/** An annotation editor, and the events that Grafana would draw. */
export function AnnotationPage({ told }: { told: HostBoot }) {
  const parameters = useParameters();
  const { source, error } = useSource(told);
  if (error) {
    return <p role="alert">{error}</p>;
  }
  const support = source?.annotations;
  if (!source || !support?.QueryEditor) {
    return <p aria-busy>Loading the data source</p>;
  }
  const start = { refId: 'Anno', ...support.getDefaultQuery?.(), ...parameters.json<Partial<DataQuery>>('query', {}) };
  const prepare = (target: DataQuery) =>
    support.prepareQuery?.({ name: 'Windows', enable: true, iconColor: 'blue', target }) ?? target;
  return <Asked source={source} start={start} editor={support.QueryEditor as Editor} prepare={prepare} />;
}

interface AskedProps {
  source: AnySource;
  start: DataQuery;
  editor: Editor;
  prepare?: (query: DataQuery) => DataQuery;
}

function Asked({ source, start, editor: QueryEditor, prepare = (query) => query }: AskedProps) {
  const [query, setQuery] = useState(start);
  const [frames, setFrames] = useState<DataFrame[]>([]);
  const [problem, setProblem] = useState('');
  const run = async () => {
    try {
      const answer = await runQuery(source, prepare(query));
      setProblem(
        [...(answer.errors ?? []), ...(answer.error ? [answer.error] : [])].map(({ message }) => message).join('; ')
      );
      setFrames(answer.data.map(toDataFrame));
    } catch (error) {
      setProblem(String(error));
    }
  };
  return (
    <Stack direction="column" gap={2} alignItems="flex-start">
      <QueryEditor
        datasource={source}
        query={query}
        app={CoreApp.Explore}
        onChange={setQuery}
        onRunQuery={() => undefined}
      />
      <Button onClick={() => void run()}>Run</Button>
      <code data-testid="query">{JSON.stringify(query)}</code>
      {problem && <p role="alert">{problem}</p>}
      <Frames frames={frames} />
    </Stack>
  );
}

/** The editor of a query variable, and the values that it offers. */
export function VariablePage({ told }: { told: HostBoot }) {
  const parameters = useParameters();
  const { source, error } = useSource(told);
  const [query, setQuery] = useState<DataQuery>({ refId: 'variable', ...parameters.json('query', {}) });
  const [values, setValues] = useState<string[]>([]);
  const [problem, setProblem] = useState('');
  if (error) {
    return <p role="alert">{error}</p>;
  }
  const support = source?.variables as CustomVariableSupport<AnySource> | undefined;
  if (!source || !support) {
    return <p aria-busy>Loading the data source</p>;
  }
  const VariableEditor = support.editor as Editor;
  const run = async () => {
    try {
      const request = { targets: [query], scopedVars: {} } as unknown as DataQueryRequest;
      const { data } = await firstValueFrom(support.query(request));
      const frame = toDataFrame(data[0]);
      setValues(frame.fields.find(({ name }) => name === 'value')?.values ?? []);
      setProblem('');
    } catch (failed) {
      setProblem(String(failed));
    }
  };
  return (
    <Stack direction="column" gap={2} alignItems="flex-start">
      <VariableEditor datasource={source} query={query} onChange={setQuery} onRunQuery={() => undefined} />
      <Button onClick={() => void run()}>Run</Button>
      {problem && <p role="alert">{problem}</p>}
      <ul aria-label="Values">
        {values.map((value) => (
          <li key={value}>{value}</li>
        ))}
      </ul>
    </Stack>
  );
}

/** The data source's page of settings; testing asks the backend with what is stored. */
export function SettingsPage({ told }: { told: HostBoot }) {
  useParameters();
  const { plugin, source, configured, error } = useSource(told);
  const [changed, setChanged] = useState<DataSourceSettings | null>(null);
  const [tested, setTested] = useState('');
  if (error) {
    return <p role="alert">{error}</p>;
  }
  const ConfigEditor = plugin?.components.ConfigEditor;
  if (!ConfigEditor || !source || !configured) {
    return <p aria-busy>Loading the data source</p>;
  }
  const stored = {
    ...configured,
    id: 1,
    orgId: 1,
    version: 1,
    access: 'proxy',
    basicAuth: false,
    basicAuthUser: '',
    jsonData: configured.jsonData ?? {},
    secureJsonFields: {},
    readOnly: false,
  } as unknown as DataSourceSettings;
  const options = changed ?? stored;
  const test = async () => {
    try {
      setTested((await source.testDatasource()).message);
    } catch (failed) {
      setTested(failed instanceof Error ? failed.message : String(failed));
    }
  };
  return (
    <Stack direction="column" gap={2}>
      <ConfigEditor options={options as never} onOptionsChange={setChanged as never} />
      <Button onClick={() => void test()}>Test</Button>
      <p role="status" aria-label="Tested">
        {tested}
      </p>
      <code data-testid="settings" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {JSON.stringify(options.jsonData)}
      </code>
    </Stack>
  );
}
