import { faultsOf } from './faults';
import { Draft, PluginSettings, toDraft, toPayload } from './settings';
import { profileMetric, profileName, STARTER_PROFILE, withRequestMetric } from './starter';

const stored: PluginSettings = {
  enabled: true,
  pinned: false,
  jsonData: {
    roots: [{ name: 'lab', path: 'team/a' }],
    prometheus: { url: 'http://prometheus:9090' },
    profiles: [{ yaml: 'name: checkout\n' }],
    quantile: 0.99,
    basicAuth: true,
    basicAuthUser: 'reader',
    httpHeaderName1: 'X-Scope-OrgID',
    httpHeaderName2: 'X-Other',
    keptByHand: { deep: true },
  },
  secureJsonFields: { basicAuthPassword: true, httpHeaderValue1: true, httpHeaderValue2: true },
};

const edit = (change: Partial<Draft>): Draft => ({ ...toDraft(stored), ...change });

test('saving without a change writes the same configuration and no secret', () => {
  expect(toPayload(toDraft(stored), stored)).toEqual({
    enabled: true,
    pinned: false,
    jsonData: stored.jsonData,
    secureJsonData: {},
  });
});

test('an app that is switched off is switched on by saving', () => {
  const off = { ...stored, enabled: false };
  expect(toPayload(toDraft(off), off)).toMatchObject({ enabled: true, pinned: true });
});

test('a data source takes the place of the URL', () => {
  const { jsonData } = toPayload(edit({ way: 'datasource', datasourceUid: ' prom ' }), stored);
  expect(jsonData.prometheus).toEqual({ datasourceUid: 'prom' });
});

test('without Prometheus neither is stored', () => {
  expect(toPayload(edit({ way: 'none' }), stored).jsonData.prometheus).toEqual({});
});

test('every root of the operator is no list at all; a narrowed one keeps its directory', () => {
  expect(toPayload(edit({ everyRoot: true }), stored).jsonData).not.toHaveProperty('roots');
  const roots = [
    { name: 'lab', path: '/team/b/' },
    { name: 'nfs', path: ' ' },
  ];
  expect(toPayload(edit({ roots }), stored).jsonData.roots).toEqual([{ name: 'lab', path: 'team/b' }, { name: 'nfs' }]);
});

test('empty numbers keep what the profiles say', () => {
  const { jsonData } = toPayload(edit({ quantile: '', tolerancePercent: '15', toleranceMs: '' }), stored);
  expect(jsonData).not.toHaveProperty('quantile');
  expect(jsonData).toMatchObject({ tolerancePercent: 15 });
});

test('a new secret is sent, one taken away is sent empty, one that stays is not sent', () => {
  const { secrets } = toDraft(stored);
  const change = (value: string) =>
    toPayload(edit({ secrets: { ...secrets, basicAuthPassword: { stored: false, value } } }), stored).secureJsonData;
  expect(change('new')).toEqual({ basicAuthPassword: 'new' });
  expect(change('')).toEqual({ basicAuthPassword: '' });
});

describe('headers', () => {
  const [first, second] = toDraft(stored).headers;
  if (!first || !second) {
    throw new Error('the stored headers were not read');
  }

  test('the last one can go without its neighbours being typed again', () => {
    const draft = edit({ headers: [first] });
    expect(faultsOf(draft)).toEqual({});
    const { jsonData, secureJsonData } = toPayload(draft, stored);
    expect(jsonData).toMatchObject({ httpHeaderName1: 'X-Scope-OrgID' });
    expect(jsonData).not.toHaveProperty('httpHeaderName2');
    expect(secureJsonData).toEqual({ httpHeaderValue2: '' });
  });

  test('one that moves up needs its value again, because nobody can read what was stored', () => {
    const moved = { ...second, secret: { stored: false, value: '' } };
    expect(faultsOf(edit({ headers: [moved] }))).toEqual({
      [`header ${second.key}`]: expect.stringMatching(/value again/),
    });
    const retyped = edit({ headers: [{ ...moved, secret: { stored: false, value: 'v' } }] });
    expect(faultsOf(retyped)).toEqual({});
    expect(toPayload(retyped, stored)).toMatchObject({
      jsonData: { httpHeaderName1: 'X-Other' },
      secureJsonData: { httpHeaderValue1: 'v', httpHeaderValue2: '' },
    });
  });
});

describe('what would not work is said before it is saved', () => {
  test.each<[string, Partial<Draft>, string]>([
    ['no root', { everyRoot: false, roots: [] }, 'roots'],
    ['a root that is widened', { roots: [{ name: 'lab', path: '../etc' }] }, 'root lab'],
    ['no data source', { way: 'datasource', datasourceUid: '' }, 'datasourceUid'],
    ['no URL', { way: 'url', url: 'prometheus:9090' }, 'url'],
    ['a URL of another kind', { way: 'url', url: 'ftp://prometheus' }, 'url'],
    ['a URL with a password', { way: 'url', url: 'http://a:b@prometheus' }, 'url'],
    ['an address of Grafana that is none', { grafanaUrl: 'localhost' }, 'grafanaUrl'],
    ['basic authentication without user', { basicAuth: true, basicAuthUser: ' ' }, 'basicAuthUser'],
    ['a quantile of 95', { quantile: '95' }, 'quantile'],
    ['a tolerance in words', { tolerancePercent: 'ten' }, 'tolerancePercent'],
    ['a negative tolerance', { toleranceMs: '-1' }, 'toleranceMs'],
  ])('%s', (_name, change, field) => {
    expect(Object.keys(faultsOf(edit(change)))).toEqual([field]);
  });

  test('what is stored has no fault', () => {
    expect(faultsOf(toDraft(stored))).toEqual({});
  });
});

test('a profile is named by its own text', () => {
  expect(profileName(STARTER_PROFILE)).toBe('my-service');
  expect(profileName('name: "orders" # the second guide')).toBe('orders');
  expect(profileName('target:\n  name: x')).toBe('Unnamed profile');
});

test('a histogram is suggested without the suffix of its series', () => {
  expect(profileMetric('http_request_duration_seconds_bucket')).toBe('http_request_duration_seconds');
  expect(profileMetric('process_cpu_seconds_total')).toBe('process_cpu_seconds_total');
});

test('a chosen metric takes the place of the request metric and nothing else', () => {
  expect(withRequestMetric(STARTER_PROFILE, 'checkout_seconds')).toBe(
    STARTER_PROFILE.replace('metric: http_request_duration_seconds', 'metric: checkout_seconds')
  );
  expect(withRequestMetric('request:\n  metric: # none yet\n', 'a')).toBe('request:\n  metric: a # none yet\n');
  expect(withRequestMetric('name: x\n', 'a')).toBe('name: x\nrequest:\n  metric: a\n');
});
