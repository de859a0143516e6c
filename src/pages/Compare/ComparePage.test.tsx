import React from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { of, throwError } from 'rxjs';

import { BackendSrvRequest, config, setBackendSrv } from '@grafana/runtime';
import { configure, render, screen, waitFor, within } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event';

import { testIds } from '../../components/testIds';
import type { Comparison, DiffResponse } from '../../types/generated';
import ComparePage from './ComparePage';
import { measured, settings, sides, unmeasured, withStatements } from './fixtures';

type Answer = unknown;

const BOTH = 'baseline=lab/proxymock/results/baseline&candidate=lab/proxymock/results/candidate';

const problem = {
  type: 'urn:x',
  title: 'Side not found',
  status: 404,
  detail: 'no side "nowhere"',
  code: 'side_unknown',
  next: 'Refresh the list of runs and choose again.',
};

class Refusal {
  constructor(readonly body: typeof problem) {}
}

/** Answers resources by the end of their path, and remembers what was asked. */
function backend(answers: Record<string, Answer>): string[] {
  const asked: string[] = [];
  const all: Record<string, Answer> = { sides: sides(), settings: settings(), ...answers };
  const fetch = ({ url }: BackendSrvRequest) => {
    asked.push(url);
    const name = new URL(url, 'http://grafana').pathname.split('/v1/')[1] ?? '';
    const answer = all[name];
    return answer instanceof Refusal
      ? throwError(() => ({ status: answer.body.status, statusText: '', data: answer.body, config: {} }))
      : of({ data: answer });
  };
  setBackendSrv({ fetch } as unknown as Parameters<typeof setBackendSrv>[0]);
  return asked;
}

// Whether an element is hidden is not asked of every one of the page’s thousands: that takes jsdom most of a minute.
configure({ defaultHidden: true });
const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never, delay: null });

// jsdom has no canvas; the pickers only measure the width of their options with it.
beforeAll(() => {
  jest
    .spyOn(HTMLCanvasElement.prototype, 'getContext')
    .mockReturnValue({ measureText: () => ({ width: 0 }) } as unknown as RenderingContext);
});

function Address() {
  return <output data-testid="address">{decodeURIComponent(useLocation().search)}</output>;
}
const address = () => screen.getByTestId('address').textContent;

function show(search: string) {
  return render(
    <MemoryRouter
      initialEntries={[`/compare?${search}`]}
      future={{ v7_startTransition: true, v7_relativeSplatPath: true }}
    >
      <ComparePage />
      <Address />
    </MemoryRouter>
  );
}

const card = (question: string) => screen.findByTestId(testIds.answer(question));
const drawer = () => screen.findByRole('dialog');

describe('the answers', () => {
  test('all three read from the comparison, each with reasons and the next step', async () => {
    const comparison = measured();
    const asked = backend({ compare: comparison });
    show(`${BOTH}&profile=checkout`);
    for (const [question, judgement] of [
      ['Behaviour', comparison.verdict.behaviour],
      ['Speed', comparison.verdict.speed],
      ['Cause', comparison.verdict.cause],
    ] as const) {
      const shown = await card(question);
      expect(shown).toHaveTextContent(judgement.headline);
      judgement.reasons.forEach((reason) => expect(shown).toHaveTextContent(reason.text));
      expect(shown).toHaveTextContent(judgement.next);
    }
    expect(asked.filter((url) => url.includes('/compare?'))).toEqual([
      expect.stringContaining(
        'baseline=lab%2Fproxymock%2Fresults%2Fbaseline&candidate=lab%2Fproxymock%2Fresults%2Fcandidate&profile=checkout'
      ),
    ]);
    expect(screen.queryByTestId(testIds.partial)).not.toBeInTheDocument();
  });

  test('what breaks the comparison is said in words', async () => {
    const comparison = measured();
    comparison.comparable = false;
    const [first] = comparison.identity;
    Object.assign(first ?? {}, {
      state: 'differs',
      breaks: true,
      text: 'the recordings differ',
      next: 'replay the same recording',
    });
    backend({ compare: comparison });
    show(BOTH);
    const strip = await screen.findByLabelText('Same work?');
    expect(within(strip).getByRole('alert')).toHaveTextContent('their speed is not compared');
    expect(within(strip).getByRole('alert')).toHaveTextContent(
      'the recordings differ. Next step: replay the same recording.'
    );
    expect(within(strip).getByRole('button', { name: /Breaks the comparison/ })).toBeInTheDocument();
  });
});

describe('without metrics', () => {
  test('the rest works, and every part says why it is missing and what to do', async () => {
    const comparison = unmeasured();
    backend({ compare: comparison });
    show(BOTH);
    expect(await card('Cause')).toHaveTextContent('What would settle it');
    expect(screen.getByTestId(testIds.partial)).toHaveTextContent('no Prometheus is configured');
    for (const title of ['Where one request’s time goes', 'Latency distribution', 'From the start of each run']) {
      const section = screen.getByText(title).closest('section');
      expect(section).toHaveTextContent('no Prometheus is configured');
      expect(section).toHaveTextContent('Next step: Name a Prometheus-compatible server');
    }
    const speed = await card('Speed');
    expect(speed).toHaveTextContent('p95 173 → 46 ms');
  });

  test('a figure that is not known is never shown as 0', async () => {
    const comparison = unmeasured();
    const unknown = comparison.table.filter((row) => row.baseline.value === null && row.candidate.value === null);
    expect(unknown.length).toBeGreaterThan(0);
    backend({ compare: comparison });
    show(BOTH);
    await card('Speed');
    for (const row of unknown) {
      const cells = [...(screen.getByText(row.label).closest('tr')?.querySelectorAll('td') ?? [])];
      expect(cells[0]).toHaveTextContent(row.baseline.text);
      expect(cells[1]).toHaveTextContent(row.candidate.text);
      cells.slice(0, 3).forEach((cell) => expect(cell.textContent).not.toMatch(/\d/));
    }
  });
});

test('figures of an endpoint that are not known are dashes', async () => {
  const comparison = measured();
  const [endpoint] = comparison.endpoints;
  Object.assign(endpoint ?? {}, { movedSecondsPerRequest: null, movedSecondsTotal: null });
  Object.assign(endpoint?.candidate ?? {}, { failed: null, p95Ms: null });
  backend({ compare: comparison });
  show(BOTH);
  await card('Speed');
  const row = within(screen.getByLabelText('Details')).getByText('GET /api/quote').closest('tr');
  const texts = [...(row?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent?.replace(/\u00a0/g, ' '));
  expect(texts).toEqual(expect.arrayContaining(['0 → –', '173 ms → –', '–']));
  expect(texts.filter((text) => text === '–')).toHaveLength(2);
});

describe('states', () => {
  test('nothing picked yet says what to do and asks for no comparison', async () => {
    const asked = backend({});
    show('');
    expect(await screen.findByText('Choose a baseline and a candidate')).toBeInTheDocument();
    expect(asked.some((url) => url.includes('/compare'))).toBe(false);
  });

  test('one side picked asks for the other', async () => {
    backend({});
    show('baseline=lab/proxymock/results/baseline');
    expect(await screen.findByText('Choose a candidate, too')).toBeInTheDocument();
  });

  test('no runs at all names the roots that cannot be read', async () => {
    const root = { name: 'lab', readable: false, message: 'The directory is gone: mount it.', sides: 0, runs: 0 };
    backend({ sides: { ...sides(), sides: [], roots: [root] } });
    show('');
    expect(await screen.findByTestId(testIds.empty)).toHaveTextContent('lab: The directory is gone: mount it.');
  });

  test('a refused comparison shows cause and next step, and the pickers stay', async () => {
    backend({ compare: new Refusal(problem) });
    show('baseline=nowhere&candidate=lab/proxymock/results/candidate');
    const shown = await screen.findByTestId(testIds.problem);
    expect(shown).toHaveTextContent('no side "nowhere"');
    expect(shown).toHaveTextContent('Refresh the list of runs and choose again.');
    expect(screen.getByRole('combobox', { name: 'Baseline' })).toBeEnabled();
  });

  test('a listing that fails does not keep the comparison away', async () => {
    backend({ compare: measured(), sides: new Refusal({ ...problem, title: 'The root is gone' }) });
    show(BOTH);
    expect(await card('Speed')).toBeInTheDocument();
    expect(screen.getByTestId(testIds.problem)).toHaveTextContent('The root is gone');
  });
});

describe('the address', () => {
  test('opens the proof it names, with the exact question, and closing takes it out again', async () => {
    const comparison = measured();
    const withSource = settings();
    withSource.prometheus.datasourceUid = 'prom';
    backend({ compare: comparison, settings: withSource });
    show(`${BOTH}&open=table:requestQuantile`);
    const shown = await drawer();
    const query = comparison.sides.candidate.queries.find((one) => one.id === 'q1');
    expect(shown).toHaveTextContent(query?.promql ?? 'no such query');
    expect(shown).toHaveTextContent('2026-08-13 15:01:33 UTC');
    expect(shown).toHaveTextContent('the guide’s PromQL says 193 ms');
    // The guide's query and three of raw samples, for each side.
    expect(await within(shown).findAllByRole('link', { name: 'Open in Explore' })).toHaveLength(8);
    await user.click(within(shown).getByRole('button', { name: /close/i }));
    await waitFor(() => expect(address()).not.toContain('open='));
    expect(address()).toContain(BOTH);
  });

  /** The comparison with these questions named as those behind the mean, a figure of our own. */
  const meanFrom = (baseline: string[], candidate: string[]) => {
    const comparison = measured();
    const row = comparison.table.find((one) => one.key === 'requestMean');
    Object.assign(row?.baseline ?? {}, { queryIds: baseline });
    Object.assign(row?.candidate ?? {}, { queryIds: candidate });
    return comparison;
  };

  test('follows what is opened; a figure without a query says what it is computed from', async () => {
    backend({ compare: meanFrom([], []) });
    show(BOTH);
    await user.click(await screen.findByText('Mean request duration'));
    expect(address()).toContain('open=table:requestMean');
    const shown = await drawer();
    expect(shown).toHaveTextContent('computed from: Σ duration / requests, exact');
    await user.click(within(shown).getByRole('button', { name: 'Every question asked for the candidate' }));
    expect(address()).toContain('open=queries:candidate');
  });

  test('a figure counted from several questions shows each of them, side by side', async () => {
    backend({ compare: meanFrom(['q1', 'q2'], []) });
    show(`${BOTH}&open=table:requestMean`);
    const shown = within(await drawer());
    expect(shown.getAllByRole('region', { name: /^baseline: / })).toHaveLength(2);
    expect(shown.getByText(/^no query of its own; computed from: Σ duration/)).toBeInTheDocument();
    expect(shown.queryByText(/No single query/)).not.toBeInTheDocument();
  });

  test('follows the tab and the histogram that are chosen', async () => {
    backend({ compare: measured() });
    show(BOTH);
    await user.click(await screen.findByText('Checks'));
    expect(address()).toContain('tab=checks');
    await user.click(screen.getByText('Wait: pricing connection'));
    expect(address()).toContain('histogram=pricing+connection');
  });

  test('follows a swap, and leaves what was opened of the other comparison', async () => {
    backend({ compare: new Refusal(problem) });
    show(`${BOTH}&open=table:requestMean`);
    await user.click(await screen.findByLabelText('Swap baseline and candidate'));
    expect(address()).toBe('?baseline=lab/proxymock/results/candidate&candidate=lab/proxymock/results/baseline');
  });

  test('a proof of a finding leads to its figure', async () => {
    backend({ compare: measured() });
    show(BOTH);
    await card('Speed');
    const findings = screen.getByText('What changed, ranked').closest('section') ?? document.body;
    await user.click(within(findings).getByText('Pricing connection wait per request'));
    expect(address()).toContain('open=table:waitSeconds');
    expect(await drawer()).toHaveTextContent('66 ms');
  });
});

test('an N+1 is shown as parent and child', async () => {
  const comparison = withStatements();
  backend({ compare: comparison });
  show(`${BOTH}&tab=statements`);
  const tree = await screen.findByLabelText('N+1 in the candidate, GET /orders');
  const [found] = comparison.statements?.nPlusOne ?? [];
  const [parent, child] = within(tree).getAllByRole('listitem');
  expect(parent).toHaveTextContent(found?.parentSql ?? 'no parent');
  expect(child).toHaveTextContent(found?.childSql ?? 'no child');
  expect(child).toHaveTextContent('40× per call');
});

describe('response differences', () => {
  const refUuid = '6ba7b810';
  const difference = {
    refUuid,
    endpoint: 'GET /api/quote',
    field: 'body .total_cents',
    kind: 'value_changed',
    baseline: '(masked)',
    candidate: '(masked)',
    masked: true,
    count: 3,
    baselinePath: 'b.md',
    candidatePath: 'c.md',
  };
  const response = (body: string) => ({ path: 'b.md', status: 200, headers: { Date: ['x'] }, body, truncated: false });
  const diff: DiffResponse = {
    apiVersion: '1',
    refUuid,
    endpoint: 'GET /api/quote',
    masked: true,
    baseline: response('"total_cents": (masked)'),
    candidate: response('"total_cents": (masked)'),
    differences: [difference],
    ignored: [{ field: 'header Date', reason: 'fixed list' }],
  };
  const changed = (): Comparison => {
    const comparison = measured();
    comparison.responses.differences = [difference];
    return comparison;
  };
  const as = (orgRole: 'Viewer' | 'Editor') => {
    Object.assign(config.bootData.user, { orgRole });
  };

  test('open the pair, masked, and a Viewer is not offered the values', async () => {
    as('Viewer');
    const asked = backend({ compare: changed(), diff });
    show(`${BOTH}&tab=responses`);
    await user.click(await screen.findByLabelText(/^Compare the responses of GET \/api\/quote/));
    expect(address()).toContain(`open=pair:${refUuid}`);
    const shown = await drawer();
    expect(await within(shown).findByRole('region', { name: 'Response of the baseline' })).toHaveTextContent(
      '(masked)'
    );
    expect(within(shown).queryByRole('button', { name: 'Show the recorded values' })).not.toBeInTheDocument();
    expect(shown).toHaveTextContent('An Editor or Admin can show them.');
    expect(asked.some((url) => url.includes('show='))).toBe(false);
  });

  test('an Editor may ask, and a refusal is shown as one', async () => {
    as('Editor');
    const answers = { compare: changed(), diff };
    let asked = backend(answers);
    show(`${BOTH}&open=pair:${refUuid}`);
    const reveal = await within(await drawer()).findByRole('button', { name: 'Show the recorded values' });
    expect(asked.filter((url) => url.includes('/diff'))).toEqual([expect.not.stringContaining('show=')]);
    asked = backend({ ...answers, diff: new Refusal({ ...problem, status: 403, title: 'You may not see values' }) });
    await user.click(reveal);
    expect(await within(await drawer()).findByText('You may not see values')).toBeInTheDocument();
    expect(asked).toEqual([expect.stringContaining('show=values')]);
  });
});
