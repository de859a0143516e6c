import React from 'react';

import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import { Loaded } from '../api/useLoad';
import { AnswerBadge } from './AnswerBadge/AnswerBadge';
import { AnswerCard } from './AnswerBadge/AnswerCard';
import { lookOf } from './AnswerBadge/answers';
import { Guard } from './ErrorBoundary/Guard';
import { Proof, ProofDrawer } from './ProofDrawer/ProofDrawer';
import { LoadView, ProblemView } from './StateViews/StateViews';

const ANSWERS = [
  'unchanged',
  'changed',
  'improved',
  'regressed',
  'no provable change',
  'wait',
  'work',
  'wait and work',
  'unexplained',
  'inconclusive',
];

test('every answer has its own word and its own sign, so that colour is never alone', () => {
  const looks = ANSWERS.map(lookOf);
  expect(new Set(looks.map((look) => look.word)).size).toBe(ANSWERS.length);
  expect(new Set(looks.map((look) => look.icon)).size).toBe(ANSWERS.length);
});

test('an answer of a newer backend is shown as it is, as unsure', () => {
  render(<AnswerBadge answer="a new answer" />);
  expect(screen.getByText('a new answer')).toBeInTheDocument();
  expect(lookOf('a new answer').tone).toBe('unsure');
});

const speed = {
  question: 'Speed',
  headline: 'Improved, p95 lower by at least 100 ms',
  basis: 'histogram intervals',
  reasons: [{ code: 'apart', text: '150–200 ms became 25–50 ms.' }],
  next: 'Confirm with four runs per side.',
};

describe('AnswerCard', () => {
  test('names question, answer, reasons, basis and next step', () => {
    render(<AnswerCard {...speed} answer="improved" />);
    const card = screen.getByRole('region', { name: /^Speed: Improved\. Improved, p95 lower by at least 100 ms$/ });
    expect(card).toHaveTextContent('150–200 ms became 25–50 ms.');
    expect(card).toHaveTextContent('Basis histogram intervals');
    expect(card).toHaveTextContent('Next step Confirm with four runs per side.');
  });

  test('inconclusive says what would settle it', () => {
    render(<AnswerCard {...speed} answer="inconclusive" headline="" basis="none" />);
    const card = screen.getByRole('region', { name: 'Speed: Inconclusive. Inconclusive' });
    expect(card).toHaveTextContent('What would settle it Confirm with four runs per side.');
    expect(card).not.toHaveTextContent('Basis');
  });
});

const proof: Proof = {
  side: 'baseline',
  exploreUrl: '/explore?left=x',
  query: {
    id: 'q3',
    name: 'p95 request duration',
    promql: 'histogram_quantile(0.95, sum by (le) (increase(h_bucket[27s])))',
    time: '2026-11-30T12:00:27Z',
    rangeSeconds: 27,
    state: 'ok',
    result: 0.1898,
    series: 1,
    samples: 1,
    warnings: ['a bucket was not monotonic'],
    infos: [],
    attempts: 2,
  },
};

describe('ProofDrawer', () => {
  test('shows the question exactly as it was sent', async () => {
    const onClose = jest.fn();
    render(<ProofDrawer title="Prometheus p95" proofs={[proof]} onClose={onClose} />);
    const section = screen.getByRole('region', { name: 'baseline: p95 request duration' });
    expect(section).toHaveTextContent(proof.query.promql);
    expect(section).toHaveTextContent('(2026-11-30 12:00:27 UTC)');
    expect(section).toHaveTextContent('27 s up to that instant');
    expect(section).toHaveTextContent('0.19 (0.1898)');
    expect(section).toHaveTextContent('ok after 2 attempts');
    expect(section).toHaveTextContent('a bucket was not monotonic');
    expect(screen.getByRole('link', { name: 'Open in Explore' })).toHaveAttribute('href', '/explore?left=x');
    await userEvent.click(screen.getByRole('button', { name: /close/i }));
    expect(onClose).toHaveBeenCalled();
  });

  test('a missing result says why instead of showing a number', () => {
    const query = { ...proof.query, result: null, state: 'absent', reasons: { result: 'absent_series' } };
    render(<ProofDrawer title="Errors" proofs={[{ side: 'candidate', query }]} onClose={jest.fn()} />);
    expect(screen.getByText('this server has no such series in the window')).toBeInTheDocument();
  });

  test('raw samples show their exact range and how many there were', () => {
    const query = {
      ...proof.query,
      promql: 'h_bucket{job="a"}[30s711ms]',
      rangeSeconds: 30.711137,
      result: null,
      series: 15,
      samples: 450,
      reasons: { result: 'raw_samples' },
    };
    render(<ProofDrawer title="Mean" proofs={[{ side: 'candidate', query }]} onClose={jest.fn()} />);
    const section = screen.getByRole('region', { name: 'candidate: p95 request duration' });
    expect(section).toHaveTextContent('h_bucket{job="a"}[30s711ms]');
    expect(section).toHaveTextContent('30.711 s up to that instant');
    expect(section).toHaveTextContent('15 series, 450 samples');
    expect(section).toHaveTextContent('raw samples, from which the exact figure is counted');
  });

  test('a figure without queries says where it comes from', () => {
    render(<ProofDrawer title="Load p95" proofs={[]} onClose={jest.fn()} />);
    expect(screen.getByText(/comes from the replay’s own files/)).toBeInTheDocument();
  });
});

const problem = {
  code: 'x',
  title: 'The root cannot be read',
  status: 503,
  detail: 'no such directory',
  next: 'Mount it.',
};

test('ProblemView names cause and next step and tries again', async () => {
  const onRetry = jest.fn();
  render(<ProblemView problem={problem} onRetry={onRetry} />);
  expect(screen.getByRole('alert')).toHaveTextContent('The root cannot be read');
  expect(screen.getByRole('alert')).toHaveTextContent('no such directory');
  expect(screen.getByRole('alert')).toHaveTextContent('Next step: Mount it.');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onRetry).toHaveBeenCalledTimes(1);
});

describe('LoadView', () => {
  const show = (loaded: Partial<Loaded<string>>) =>
    render(
      <LoadView loaded={{ loading: false, reload: jest.fn(), ...loaded }} label="Loading runs">
        {(data) => <p>{data}</p>}
      </LoadView>
    );

  test('loading', () => {
    show({ loading: true });
    expect(screen.getByRole('status', { name: 'Loading runs' })).toHaveAttribute('aria-busy', 'true');
  });

  test('loaded', () => {
    show({ data: 'the answer' });
    expect(screen.getByText('the answer')).toBeInTheDocument();
    expect(screen.queryByRole('status')).not.toBeInTheDocument();
  });

  test('a problem leaves what was known in place', () => {
    show({ data: 'the old answer', problem });
    expect(screen.getByText('the old answer')).toBeInTheDocument();
    expect(screen.getByRole('alert')).toHaveTextContent('The root cannot be read');
  });
});

test('Guard keeps a fault inside its part', () => {
  // React reports caught faults to the console; the test expects one and keeps the output readable.
  const quiet = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const Faulty = (): never => {
    throw new Error('x is undefined');
  };
  render(
    <>
      <Guard name="part">
        <Faulty />
      </Guard>
      <p>the rest</p>
    </>
  );
  expect(screen.getByRole('alert')).toHaveTextContent('x is undefined');
  expect(screen.getByText('the rest')).toBeInTheDocument();
  quiet.mockRestore();
});
