import React from 'react';
import { MemoryRouter } from 'react-router-dom';
import { of, throwError } from 'rxjs';

import { dateTime } from '@grafana/data';
import { setBackendSrv } from '@grafana/runtime';
import { render, screen, waitFor } from '@testing-library/react';

import { testIds } from '../components/testIds';
import { measured, unmeasured } from '../pages/Compare/fixtures';
import { restOf } from './AnswersStrip';
import { explain, faultOf } from './choice';
import { EvidencePanel } from './EvidencePanel';
import { DEFAULTS, EvidenceOptions, layoutOf, Part, PARTS } from './options';

const fetch = jest.fn();

beforeEach(() => {
  fetch.mockReset();
  setBackendSrv({ fetch } as unknown as Parameters<typeof setBackendSrv>[0]);
});

const at = (iso: string) => {
  const moment = dateTime(iso);
  return { from: moment, to: moment, raw: { from: moment, to: moment } };
};

interface Given {
  options?: Partial<EvidenceOptions>;
  width?: number;
  height?: number;
  variables?: Record<string, string>;
  moment?: string;
}

const VARIABLES = { baseline: 'lab/before', candidate: 'lab/after' };

function Panel({ options, width = 1200, height = 800, variables = VARIABLES, moment = '2026-11-30T12:00:00Z' }: Given) {
  return (
    <MemoryRouter future={{ v7_startTransition: true, v7_relativeSplatPath: true }}>
      <EvidencePanel
        options={{ ...DEFAULTS, ...options }}
        width={width}
        height={height}
        replaceVariables={(text) =>
          text.replace(/\$(\w+)/g, (whole, name: string) => (variables as Record<string, string>)[name] ?? whole)
        }
        timeRange={at(moment)}
      />
    </MemoryRouter>
  );
}

describe('layoutOf', () => {
  const all: readonly Part[] = PARTS;
  test.each([
    ['a corner holds the words', all, 200, 100, { answers: 'words', table: false, time: false, cut: true }],
    ['a strip holds the headlines', all, 900, 150, { answers: 'headlines', table: false, time: false, cut: true }],
    ['half a dashboard holds all parts', all, 700, 420, { answers: 'headlines', table: true, time: true, cut: false }],
    [
      'a whole dashboard says basis and next step',
      all,
      1400,
      700,
      { answers: 'full', table: true, time: true, cut: false },
    ],
    [
      'answers alone have room for all words sooner',
      ['answers'],
      800,
      310,
      { answers: 'full', table: false, time: false, cut: false },
    ],
    ['only the picked part', ['time'], 400, 200, { answers: null, table: false, time: true, cut: false }],
    [
      'a part that does not fit leaves the answers',
      ['table'],
      300,
      90,
      { answers: 'words', table: false, time: false, cut: true },
    ],
    ['nothing picked', [], 600, 200, { answers: 'headlines', table: false, time: false, cut: false }],
  ] as Array<[string, readonly Part[], number, number, object]>)('%s', (_name, parts, width, height, want) => {
    expect(layoutOf(parts, width, height)).toEqual(want);
  });
});

describe('faultOf', () => {
  test.each([
    ['both chosen', 'lab/a', 'lab/b', null],
    ['no baseline', '', 'lab/b', /No baseline is chosen/],
    ['no candidate', 'lab/a', '', /No candidate is chosen/],
    ['a variable that is not there', '$before', 'lab/b', /no variable called before/],
    ['the other way to write it', '${after:raw}', 'lab/b', /no variable called after/],
    ['the oldest way to write it', '[[after]]', 'lab/b', /no variable called after/],
    ['several values', '{lab/a,lab/b}', 'lab/c', /several sides at once/],
  ])('%s', (_name, baseline, candidate, says) => {
    const fault = faultOf({ baseline, candidate, profile: '' });
    if (says === null) {
      expect(fault).toBeNull();
    } else {
      expect(fault?.detail).toMatch(says);
      expect(fault?.next).not.toBe('');
    }
  });
});

test('an app that is not enabled is told apart from an address that the app does not know', () => {
  const problem = {
    code: '',
    status: 404,
    title: 'Grafana does not know this address',
    detail: 'Plugin not found',
    next: 'x',
  };
  expect(explain(problem)).toMatchObject({
    title: 'The app "Replay Evidence" is not enabled',
    detail: 'Plugin not found',
  });
  const own = { ...problem, code: 'no_such_side' };
  expect(explain(own)).toBe(own);
});

test.each([
  ['Improved, p95 lower by at least 100 ms', 'Improved', 'p95 lower by at least 100 ms'],
  ['Wait: pricing connection pool', 'Wait', 'pricing connection pool'],
  ['Not the same work', 'Inconclusive', 'Not the same work'],
  ['No provable change', 'No provable change', ''],
])('the headline %j says %j beyond the word', (headline, word, rest) => {
  expect(restOf(headline, word)).toBe(rest);
});

describe('EvidencePanel', () => {
  test('asks the app for what the variables say, and shows every part', async () => {
    fetch.mockReturnValue(of({ data: measured() }));
    render(<Panel />);
    expect(await screen.findByTestId(testIds.answer('Behaviour'))).toHaveTextContent('Unchanged');
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(fetch.mock.calls[0]?.[0]).toMatchObject({
      url: '/api/plugins/replaylab-evidence-app/resources/v1/compare?baseline=lab%2Fbefore&candidate=lab%2Fafter',
    });
    expect(screen.getByTestId(testIds.answer('Speed'))).toHaveTextContent('Improvedp95 lower by at least 100 ms');
    expect(screen.getByTestId(testIds.answer('Cause'))).toHaveTextContent(
      /Next step: confirm that the dependency absorbs/
    );
    expect(screen.getByTestId(testIds.requestTime)).toBeInTheDocument();
    expect(screen.getByRole('row', { name: /^Load requests \(identical replay\) 1,200 1,200/ })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Open the comparison' })).toHaveAttribute(
      'href',
      '/a/replaylab-evidence-app/compare?baseline=lab%2Fbefore&candidate=lab%2Fafter'
    );
  });

  test('a small panel shows the three words and nothing else', async () => {
    fetch.mockReturnValue(of({ data: measured() }));
    render(<Panel width={200} height={100} />);
    expect(await screen.findByTestId(testIds.answer('Speed'))).toHaveTextContent(/^Speed Improved$/);
    expect(screen.queryByRole('table')).not.toBeInTheDocument();
    expect(screen.queryByRole('link')).not.toBeInTheDocument();
  });

  test('better and worse are words, not only colours', async () => {
    fetch.mockReturnValue(of({ data: measured() }));
    render(<Panel options={{ parts: ['table'] }} />);
    expect(await screen.findByRole('row', { name: /Load p95 latency.*better: −73 %/ })).toBeInTheDocument();
    expect(screen.queryByTestId(testIds.answer('Speed'))).not.toBeInTheDocument();
  });

  test('without metrics the picture says why, and what would change that', async () => {
    const comparison = unmeasured();
    fetch.mockReturnValue(of({ data: comparison }));
    render(<Panel options={{ parts: ['time'] }} />);
    expect(await screen.findByText(/The account of a request’s time is missing for both sides/)).toHaveTextContent(
      comparison.sides.baseline.metrics.message ?? ''
    );
  });

  test('wrong options are explained without asking', () => {
    render(<Panel variables={{}} />);
    expect(screen.getByRole('alert')).toHaveTextContent('no variable called baseline');
    expect(screen.getByRole('alert')).toHaveTextContent('Next step: Add a query variable baseline');
    expect(fetch).not.toHaveBeenCalled();
  });

  test('a problem document is shown with its next step', async () => {
    const data = {
      code: 'no_such_side',
      title: 'There is no such side',
      status: 404,
      detail: 'lab/x',
      next: 'Choose one of lab/a.',
    };
    fetch.mockReturnValue(throwError(() => ({ status: 404, data, config: { url: '' } })));
    render(<Panel />);
    expect(await screen.findByRole('alert')).toHaveTextContent('There is no such side');
    expect(screen.getByRole('alert')).toHaveTextContent('Choose one of lab/a.');
  });

  test('the refresh of the dashboard asks again and keeps what is shown', async () => {
    fetch.mockReturnValue(of({ data: measured() }));
    const { rerender } = render(<Panel />);
    await screen.findByTestId(testIds.answer('Speed'));
    fetch.mockReturnValue(throwError(() => ({ status: 502, data: {}, config: { url: '' } })));
    rerender(<Panel moment="2026-11-30T12:00:05Z" />);
    await waitFor(() => expect(fetch).toHaveBeenCalledTimes(2));
    expect(await screen.findByRole('alert')).toHaveTextContent('The plugin’s backend is not available');
    expect(screen.getByTestId(testIds.answer('Speed'))).toHaveTextContent('Improved');
  });

  test('another choice drops the old answer at once', async () => {
    fetch.mockReturnValue(of({ data: measured() }));
    const { rerender } = render(<Panel />);
    await screen.findByTestId(testIds.answer('Speed'));
    fetch.mockReturnValue(throwError(() => ({ status: 500, data: {}, config: { url: '' } })));
    rerender(<Panel variables={{ baseline: 'lab/before', candidate: 'lab/other' }} />);
    expect(screen.queryByTestId(testIds.answer('Speed'))).not.toBeInTheDocument();
    expect(await screen.findByRole('alert')).toBeInTheDocument();
  });
});
