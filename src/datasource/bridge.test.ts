import { toDraft } from '../components/AppConfig/settings';
import { Options, storedOf, withDraft } from './bridge';

const options = {
  uid: 'replay-evidence',
  url: '',
  basicAuth: true,
  basicAuthUser: 'reader',
  jsonData: {
    prometheus: { url: 'http://prometheus:9090' },
    profiles: [{ yaml: 'name: checkout' }],
    manageAlerts: false,
  },
  secureJsonFields: { basicAuthPassword: true },
  secureJsonData: {},
} as unknown as Options;

const stored = storedOf(options);
const edit = (change: object) => withDraft(options, { ...toDraft(stored), ...change }, stored);

test('what is not touched stays as it is', () => {
  const next = edit({});
  expect(next).toMatchObject({ uid: 'replay-evidence', basicAuth: true, basicAuthUser: 'reader' });
  expect(next.jsonData).toMatchObject({
    prometheus: { url: 'http://prometheus:9090' },
    profiles: [{ yaml: 'name: checkout' }],
  });
  expect(next.secureJsonData).toEqual({});
  expect(next.secureJsonFields).toEqual({ basicAuthPassword: true });
});

test('basic authentication lies where Grafana keeps it for a data source, and nowhere else', () => {
  const next = edit({ basicAuth: false });
  expect(next).toMatchObject({ basicAuth: false, basicAuthUser: '' });
  expect(next.jsonData).not.toHaveProperty('basicAuth');
  expect(next.jsonData).not.toHaveProperty('basicAuthUser');
});

test('a new secret is sent, and Grafana is told that the old one is no more', () => {
  const secrets = { ...toDraft(stored).secrets, basicAuthPassword: { stored: false, value: 'new' } };
  const next = edit({ secrets });
  expect(next.secureJsonData).toEqual({ basicAuthPassword: 'new' });
  expect(next.secureJsonFields).toEqual({ basicAuthPassword: false });
});

test('only one way to Prometheus is kept', () => {
  expect(edit({ way: 'datasource', datasourceUid: 'prometheus' }).jsonData.prometheus).toEqual({
    datasourceUid: 'prometheus',
  });
  expect(edit({ way: 'none' }).jsonData.prometheus).toEqual({});
});
