import { Draft, keepsValue } from './settings';

/** What is wrong with a field, by the name of the field; the backend checks the same again. */
export type Faults = Partial<Record<string, string>>;

function urlFault(value: string): string | undefined {
  let url: URL;
  try {
    url = new URL(value.trim());
  } catch {
    return 'This is not a URL: write it like http://prometheus:9090.';
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return 'Only http and https are understood.';
  }
  return url.username || url.password ? 'Put user and password into the fields below, not into the URL.' : undefined;
}

function numberFault(value: string, fits: (value: number) => boolean, words: string): string | undefined {
  return value.trim() === '' || (Number.isFinite(Number(value)) && fits(Number(value))) ? undefined : words;
}

/** Finds what would not work, before it is saved. */
export function faultsOf(draft: Draft): Faults {
  const faults: Faults = {};
  const add = (field: string, fault: string | undefined) => {
    if (fault) {
      faults[field] = fault;
    }
  };
  if (!draft.everyRoot && draft.roots.length === 0) {
    add('roots', 'Choose at least one root, or every root.');
  }
  for (const { name, path = '' } of draft.roots) {
    if (path.split(/[\\/]/).includes('..')) {
      add(`root ${name}`, 'A root can be narrowed, not widened: leave “..” out.');
    }
  }
  if (draft.way === 'datasource' && draft.datasourceUid.trim() === '') {
    add('datasourceUid', 'Choose a data source, or another way to Prometheus.');
  }
  if (draft.way === 'url') {
    add('url', urlFault(draft.url));
  }
  if (draft.grafanaUrl.trim() !== '') {
    add('grafanaUrl', urlFault(draft.grafanaUrl));
  }
  if (draft.basicAuth && draft.basicAuthUser.trim() === '') {
    add('basicAuthUser', 'Name the user, or switch basic authentication off.');
  }
  draft.headers.forEach((header, at) => {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(header.name.trim())) {
      add(`header ${header.key}`, 'This is not the name of a header.');
    } else if (!keepsValue(header, at) && header.secret.value === '') {
      add(
        `header ${header.key}`,
        header.slot === null
          ? 'Type the value.'
          : 'Type the value again: the header has moved, and nobody can read what was stored.'
      );
    }
  });
  add(
    'quantile',
    numberFault(draft.quantile, (q) => q > 0 && q < 1, 'Use a level between 0 and 1, such as 0.95.')
  );
  add(
    'tolerancePercent',
    numberFault(draft.tolerancePercent, (p) => p >= 0 && p < 100, 'Use a percentage from 0 to 100.')
  );
  add(
    'toleranceMs',
    numberFault(draft.toleranceMs, (ms) => ms >= 0, 'Use a number of milliseconds.')
  );
  return faults;
}
