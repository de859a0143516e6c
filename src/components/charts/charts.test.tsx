import React from 'react';

import { render, screen, within } from '@testing-library/react';

import { formatBucket, formatNumber } from '../../format/number';
import { layOut, DistributionSide } from './distribution';
import { DistributionChart } from './DistributionChart';
import { alignElapsed, ElapsedSide, stepAt } from './elapsed';
import { ElapsedChart } from './ElapsedChart';
import { fullWidthSeconds, partRows, RequestTime, RequestTimeChart } from './RequestTimeChart';

const bucket = (lower: number, upper: number | null, count: number, total: number) => ({
  lower,
  upper,
  count,
  share: count / total,
});

const baseline: DistributionSide = {
  role: 'baseline',
  label: 'baseline',
  buckets: [
    bucket(0, 0.01, 0, 1200),
    bucket(0.01, 0.05, 0, 1200),
    bucket(0.05, 0.1, 100, 1200),
    bucket(0.1, 0.25, 1090, 1200),
    bucket(0.25, 0.5, 10, 1200),
    bucket(0.5, 1, 0, 1200),
    bucket(1, null, 0, 1200),
  ],
  quantile: { q: 0.95, lower: 0.1, upper: 0.25 },
};

const candidate: DistributionSide = {
  role: 'candidate',
  label: 'candidate',
  buckets: baseline.buckets.map((b) =>
    b.upper === 0.05 ? bucket(0.01, 0.05, 1200, 1200) : { ...b, count: 0, share: 0 }
  ),
  quantile: { q: 0.95, lower: 0.01, upper: 0.05 },
};

describe('layOut', () => {
  test('keeps the stretch that holds observations and one column on either side', () => {
    const { edges, columns, open } = layOut([baseline, candidate]);
    expect(edges).toEqual([0, 0.01, 0.05, 0.1, 0.25, 0.5, 1]);
    expect(columns).toBe(6);
    expect(open).toBe(false);
  });

  test('places buckets and the quantile on the common edges', () => {
    const [first, second] = layOut([baseline, candidate]).sides;
    expect(first?.buckets.map(({ from, to }) => [from, to])).toEqual([
      [2, 3],
      [3, 4],
      [4, 5],
    ]);
    expect(first?.quantile).toMatchObject({ from: 3, to: 4 });
    expect(second?.quantile).toMatchObject({ from: 1, to: 2 });
  });

  test('a bucket of a coarser layout spans the columns of the finer one', () => {
    const coarse: DistributionSide = { ...candidate, buckets: [bucket(0, 0.1, 5, 10), bucket(0.1, 0.5, 5, 10)] };
    const { edges, sides } = layOut([baseline, coarse]);
    expect(edges).toEqual([0, 0.01, 0.05, 0.1, 0.25, 0.5, 1]);
    expect(sides[1]?.buckets.map(({ from, to }) => [from, to])).toEqual([
      [0, 3],
      [3, 5],
    ]);
  });

  test('observations above the highest edge get a column without an upper edge', () => {
    const slow: DistributionSide = {
      ...baseline,
      buckets: [bucket(0.5, 1, 0, 10), bucket(1, null, 10, 10)],
      quantile: { q: 0.95, lower: 1, upper: null },
    };
    const { edges, open, columns, sides } = layOut([slow]);
    expect(edges).toEqual([0.5, 1]);
    expect(open).toBe(true);
    expect(columns).toBe(2);
    expect(sides[0]?.quantile).toMatchObject({ from: 1, to: 2, upper: null });
  });

  test('nothing observed is nothing to draw', () => {
    expect(layOut([{ ...baseline, buckets: [] }]).columns).toBe(0);
  });

  test('a quantile that is not known is not marked', () => {
    const unknown = { ...baseline, quantile: { q: 0.95, lower: null, upper: null } };
    expect(layOut([unknown]).sides[0]?.quantile).toBeNull();
  });
});

describe('DistributionChart', () => {
  test('tells its figures without the picture', () => {
    render(<DistributionChart sides={[baseline, candidate]} />);
    expect(screen.getByRole('img', { name: /baseline: 50–100\sms 8\.3\s%, 100–250\sms 91\s%/ })).toBeInTheDocument();
    const row = screen.getByRole('row', { name: /^100–250/, hidden: true });
    expect(
      within(row)
        .getAllByRole('cell', { hidden: true })
        .map((cell) => cell.textContent)
    ).toEqual(['1,090 (91\u00a0%)', '–']);
  });

  test('says when there is nothing', () => {
    render(<DistributionChart sides={[]} />);
    expect(screen.getByText('Neither side has observations in this histogram.')).toBeInTheDocument();
  });
});

const steps: ElapsedSide[] = [
  {
    role: 'baseline',
    label: 'baseline',
    steps: [
      { seconds: 1, value: 40 },
      { seconds: 2, value: null },
      { seconds: 3, value: 44 },
    ],
  },
  { role: 'candidate', label: 'candidate', steps: [{ seconds: 1.5, value: 170, lower: 150, upper: 200 }] },
];

describe('alignElapsed', () => {
  test('one axis, gaps stay gaps', () => {
    expect(alignElapsed(steps)).toEqual({
      columns: [
        [1, 1.5, 2, 3],
        [40, null, null, 44],
        [null, null, null, null],
        [null, null, null, null],
        [null, 170, null, null],
        [null, 150, null, null],
        [null, 200, null, null],
      ],
      bounded: [false, true],
      max: 200,
    });
  });

  test('a moment belongs to the step that ends at or after it', () => {
    const [first] = steps;
    expect(first && stepAt(first, 1.2)?.seconds).toBe(2);
    expect(first && stepAt(first, 2)?.seconds).toBe(2);
    expect(first && stepAt(first, 3.1)).toBeUndefined();
  });
});

test('ElapsedChart writes bounds where a step has them', () => {
  render(
    <ElapsedChart
      title="p95"
      sides={steps}
      format={formatNumber}
      formatBounds={(lower, upper) => formatBucket(lower, upper)}
    />
  );
  expect(screen.getByRole('row', { name: /^1\.5 s – 150–200\ss$/, hidden: true })).toBeInTheDocument();
  expect(screen.getByRole('row', { name: '2 s – –', hidden: true })).toBeInTheDocument();
});

describe('RequestTimeChart', () => {
  const sides: RequestTime[] = [
    {
      role: 'baseline',
      label: 'baseline',
      totalSeconds: 0.107,
      parts: [
        { kind: 'wait', name: 'pricing pool', seconds: 0.063, share: 0.589 },
        { kind: 'cpu', name: 'CPU', seconds: 0.001, share: 0.009 },
        { kind: 'unexplained', name: 'everything else', seconds: 0.043, share: 0.402 },
      ],
      unloadedSeconds: 0.044,
    },
    {
      role: 'candidate',
      label: 'candidate',
      totalSeconds: 0.044,
      parts: [{ kind: 'unexplained', name: 'everything else', seconds: 0.044, share: 1 }],
      unloadedSeconds: null,
    },
  ];

  test('bars share one scale', () => {
    expect(fullWidthSeconds(sides)).toBeCloseTo(0.107);
    expect(fullWidthSeconds([])).toBe(0);
  });

  test('a part that one side lacks is not zero there', () => {
    expect(partRows(sides).map((row) => row.seconds)).toEqual([
      [0.063, null],
      [0.001, null],
      [0.043, 0.044],
    ]);
  });

  test('reads without colours', () => {
    render(<RequestTimeChart sides={sides} />);
    expect(
      screen.getByRole('img', {
        name: /baseline: 107\sms per request; pricing pool 63\sms, CPU 1\.0\sms, everything else 43\sms/,
      })
    ).toBeInTheDocument();
    expect(screen.getByRole('row', { name: /^Waiting: pricing pool 63\sms –$/, hidden: true })).toBeInTheDocument();
  });

  test('an unknown total says why', () => {
    render(
      <RequestTimeChart
        sides={[
          {
            role: 'baseline',
            label: 'b',
            totalSeconds: null,
            parts: [],
            unloadedSeconds: null,
            reasons: { totalSeconds: 'no_observations' },
          },
        ]}
      />
    );
    expect(screen.getByText('no observations in this window')).toBeInTheDocument();
  });
});
