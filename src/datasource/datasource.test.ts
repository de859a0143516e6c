import { readFileSync } from 'node:fs';
import path from 'node:path';
import { firstValueFrom, of, throwError } from 'rxjs';

import { CoreApp, DataSourceInstanceSettings, DataQueryRequest, toDataFrame } from '@grafana/data';
import { setBackendSrv, setTemplateSrv } from '@grafana/runtime';

import { sides } from '../pages/Compare/fixtures';
import { PARTS } from '../panel/options';
import { EvidenceDataSource } from './datasource';
import { describe as describeQuery, missingOf, NEEDS, ofType } from './needs';
import { EvidenceQuery, EvidenceSettings, EvidenceVariableQuery, QUERY_TYPES } from './types';
import { EvidenceVariables } from './variables';

const fetch = jest.fn();
let variables: Record<string, string> = {};

beforeEach(() => {
  fetch.mockReset();
  variables = {};
  setBackendSrv({ fetch } as unknown as Parameters<typeof setBackendSrv>[0]);
  setTemplateSrv({
    getVariables: () => Object.keys(variables).map((name) => ({ name })),
    replace: (text = '') => text.replace(/\$(\w+)/g, (whole: string, name: string) => variables[name] ?? whole),
  } as unknown as Parameters<typeof setTemplateSrv>[0]);
});

const source = () =>
  new EvidenceDataSource({
    id: 7,
    uid: 'replay-evidence',
    type: 'replaylab-evidence-datasource',
    name: 'Replay Evidence',
    jsonData: {},
    meta: {},
  } as unknown as DataSourceInstanceSettings<EvidenceSettings>);

const query = (fields: Partial<EvidenceQuery>): EvidenceQuery => ({ refId: 'A', ...fields });

describe('queries', () => {
  test('every query type of the backend has an editor, and no other', () => {
    const go = readFileSync(path.join(__dirname, '../../pkg/plugin/query.go'), 'utf8');
    const known = [...go.matchAll(/^\tquery\w+\s+= "(\w+)"$/gm)].map((match) => match[1]);
    expect([...QUERY_TYPES].sort()).toEqual([...known].sort());
    expect(Object.keys(NEEDS).sort()).toEqual([...known].sort());
  });

  test('the default needs nothing to be chosen', () => {
    expect(source().getDefaultQuery(CoreApp.Explore)).toEqual({ queryType: 'runs' });
    expect(source().getDefaultQuery(CoreApp.PanelEditor)).toEqual({ queryType: 'runs' });
  });

  test('the default is a comparison where the dashboard says of what', () => {
    variables = { baseline: 'lab/a', candidate: 'lab/b' };
    expect(source().getDefaultQuery(CoreApp.PanelEditor)).toEqual({
      queryType: 'comparison',
      baseline: '$baseline',
      candidate: '$candidate',
    });
    expect(source().getDefaultQuery(CoreApp.Explore)).toEqual({ queryType: 'runs' });
  });

  test('variables are filled in, and nothing else is touched', () => {
    variables = { baseline: 'lab/a' };
    const asked = query({ queryType: 'comparison', baseline: '$baseline', candidate: 'lab/b', format: 'numbers' });
    expect(source().applyTemplateVariables(asked, {})).toEqual({ ...asked, baseline: 'lab/a' });
    expect(asked.baseline).toBe('$baseline');
  });

  test.each([
    ['hidden', { queryType: 'runs', hide: true }, false],
    ['without a type', {}, false],
    ['complete', { queryType: 'runs' }, true],
  ] as Array<[string, Partial<EvidenceQuery>, boolean]>)('a query that is %s', (_name, fields, runs) => {
    expect(source().filterQuery(query(fields))).toBe(runs);
  });

  test('another type drops the fields that it does not take', () => {
    const before = query({ queryType: 'comparison', baseline: 'a', candidate: 'b', format: 'numbers', key: 'k' });
    expect(ofType(before, 'endpoints')).toEqual({
      refId: 'A',
      key: 'k',
      queryType: 'endpoints',
      baseline: 'a',
      candidate: 'b',
    });
    expect(ofType(before, 'measures')).toEqual({ refId: 'A', key: 'k', queryType: 'measures', format: 'numbers' });
  });

  test('what a query lacks is known', () => {
    expect(missingOf(query({ queryType: 'comparison', candidate: 'b' }))).toEqual(['baseline']);
    expect(missingOf(query({ queryType: 'runs' }))).toEqual([]);
    expect(missingOf(query({}))).toEqual([]);
  });

  test('a query reads as one line', () => {
    expect(describeQuery(query({ queryType: 'runs', kind: 'load' }))).toBe('Runs, kind load');
    expect(source().getQueryDisplayText(query({}))).toBe('');
  });
});

describe('annotations', () => {
  test('ask for windows, whatever is stored', () => {
    const { annotations } = source();
    const stored = { refId: 'X', queryType: 'runs', baseline: 'lab/a' } as EvidenceQuery;
    expect(annotations?.prepareQuery?.({ name: 'n', enable: true, iconColor: 'red', target: stored })).toEqual({
      refId: 'X',
      queryType: 'windows',
      baseline: 'lab/a',
    });
    expect(annotations?.prepareQuery?.({ name: 'n', enable: true, iconColor: 'red' })).toStrictEqual({
      refId: 'Anno',
      queryType: 'windows',
      // Present, so that Grafana does not merge them from the default query.
      baseline: undefined,
      candidate: undefined,
    });
  });
});

describe('variables', () => {
  const ask = async (fields: Partial<EvidenceVariableQuery>) => {
    const support = source().variables as EvidenceVariables;
    const request = {
      targets: [{ refId: 'V', ...fields }],
      scopedVars: {},
    } as unknown as DataQueryRequest<EvidenceVariableQuery>;
    const { data } = await firstValueFrom(support.query(request));
    const frame = toDataFrame(data[0]);
    return frame.fields.find(({ name }) => name === 'value')?.values;
  };

  test.each([
    ['sides that can be compared', {}, ['lab/proxymock/results/baseline', 'lab/proxymock/results/candidate']],
    ['recordings, when asked for', { kind: 'recording' }, ['lab/proxymock/recording']],
    ['the other side', { except: '$baseline' }, ['lab/proxymock/results/candidate']],
    ['of a root that has none', { root: 'ci' }, []],
  ])('sides: %s', async (_name, fields, want) => {
    variables = { baseline: 'lab/proxymock/results/baseline' };
    fetch.mockReturnValue(of({ data: sides() }));
    expect(await ask({ queryType: 'sides', ...fields })).toEqual(want);
    expect(fetch.mock.calls[0]?.[0].url).toContain('/replay-evidence/resources/v1/sides');
  });

  test('runs of a side and a kind', async () => {
    fetch.mockReturnValue(of({ data: sides() }));
    expect(await ask({ queryType: 'runs', side: 'lab/proxymock/results/baseline', kind: 'load' })).toEqual([
      'lab/proxymock/results/baseline/load',
    ]);
  });

  test('endpoints of a side', async () => {
    fetch.mockReturnValue(of({ data: { endpoints: [{ name: 'GET /api/quote' }] } }));
    expect(await ask({ queryType: 'endpoints', side: 'lab/a' })).toEqual(['GET /api/quote']);
    expect(fetch.mock.calls[0]?.[0].params).toEqual({ side: 'lab/a' });
  });

  test('endpoints of no side are none, without asking', async () => {
    expect(await ask({ queryType: 'endpoints' })).toEqual([]);
    expect(fetch).not.toHaveBeenCalled();
  });

  test('a refusal carries its cause', async () => {
    const data = { code: 'forbidden', title: 'Not allowed', status: 403, detail: 'This needs a role.', next: 'Ask.' };
    fetch.mockReturnValue(throwError(() => ({ status: 403, data, config: { url: '' } })));
    await expect(ask({ queryType: 'sides' })).rejects.toThrow('Not allowed: This needs a role.');
  });
});

describe('the provisioned dashboard', () => {
  interface Target extends EvidenceQuery {
    datasource?: { type: string };
  }
  const dashboard: {
    panels: Array<{ type: string; title: string; targets?: Target[]; options?: Record<string, unknown> }>;
    annotations: { list: Array<{ builtIn?: number; target?: EvidenceQuery }> };
    templating: { list: Array<{ name: string; query: EvidenceVariableQuery }> };
  } = JSON.parse(readFileSync(path.join(__dirname, '../../provisioning/dashboards/replay-evidence.json'), 'utf8'));
  const names = dashboard.templating.list.map(({ name }) => `$${name}`);
  const texts = (asked: object) =>
    Object.values(asked).filter((value): value is string => typeof value === 'string' && value.startsWith('$'));

  test('asks our data source for what it answers, with variables that exist', () => {
    const targets = dashboard.panels.flatMap(({ targets = [] }) =>
      targets.filter(({ datasource }) => datasource?.type === 'replaylab-evidence-datasource')
    );
    const windows = dashboard.annotations.list.flatMap(({ target }) => target ?? []);
    expect(targets.length).toBeGreaterThan(0);
    expect(windows.map(({ queryType }) => queryType)).toEqual(['windows', 'windows']);
    for (const target of [...targets, ...windows]) {
      expect(missingOf(target)).toEqual([]);
      const { queryType, ...rest } = target;
      expect(ofType(target, queryType ?? 'runs')).toEqual(expect.objectContaining({ ...rest, queryType }));
      expect(names).toEqual(expect.arrayContaining(texts(target)));
    }
  });

  test('has variables of which the second never offers the first', () => {
    expect(dashboard.templating.list.map(({ query: asked }) => asked)).toEqual([
      { refId: 'baseline', queryType: 'sides' },
      { refId: 'candidate', queryType: 'sides', except: '$baseline' },
    ]);
  });

  test('shows every part in our panel', () => {
    const panels = dashboard.panels.filter(({ type }) => type === 'replaylab-evidence-panel');
    expect(panels.flatMap(({ options }) => options?.parts).sort()).toEqual([...PARTS].sort());
    for (const { options } of panels) {
      expect(options).toMatchObject({ baseline: '$baseline', candidate: '$candidate' });
    }
  });
});
