import { EvidenceQuery, QueryType, TextField } from './types';

interface Need {
  label: string;
  description: string;
  /** Fields without which there is no answer. */
  required: readonly TextField[];
  /** Fields that narrow the answer. */
  optional: readonly TextField[];
  /** True when the answer can also be had as plain numbers. */
  numbers?: boolean;
}

const PAIR = ['baseline', 'candidate'] as const;

/** What each question is called and which fields it takes. */
export const NEEDS: Record<QueryType, Need> = {
  runs: {
    label: 'Runs',
    description: 'One row for each run: kind, window, requests, latency',
    required: [],
    optional: ['root', 'side', 'kind'],
  },
  measures: {
    label: 'Measures of a side',
    description: 'One row for each measure of a side, with bounds and PromQL',
    required: ['side'],
    optional: ['profile'],
    numbers: true,
  },
  comparison: {
    label: 'Comparison',
    description: 'The three answers, and the evidence table',
    required: PAIR,
    optional: ['profile'],
    numbers: true,
  },
  endpoints: {
    label: 'Endpoints',
    description: 'One row for each endpoint of two sides',
    required: PAIR,
    optional: ['profile'],
  },
  differences: {
    label: 'Response differences',
    description: 'One row for each field that differs',
    required: PAIR,
    optional: ['profile'],
  },
  statements: {
    label: 'SQL statements',
    description: 'One row for each statement, executions per call',
    required: PAIR,
    optional: ['profile'],
  },
  elapsed: {
    label: 'Elapsed series',
    description: 'One measure of both sides; second 0 of each run is the start of the time range',
    required: PAIR,
    optional: ['profile', 'measure'],
  },
  windows: {
    label: 'Windows of runs',
    description: 'Each run’s window as start and end, for annotations',
    required: [],
    optional: ['root', 'side', 'kind', 'baseline', 'candidate'],
  },
};

/** The required fields that a query leaves empty. */
export function missingOf(query: EvidenceQuery): TextField[] {
  return query.queryType ? NEEDS[query.queryType].required.filter((field) => !query[field]) : [];
}

/** A query of another type: fields that it does not take go, so that nothing hidden narrows the answer. */
export function ofType(query: EvidenceQuery, queryType: QueryType): EvidenceQuery {
  const { refId, datasource, hide, key } = query;
  const next: EvidenceQuery = { refId, datasource, hide, key, queryType };
  const { required, optional, numbers } = NEEDS[queryType];
  for (const field of [...required, ...optional]) {
    if (query[field]) {
      next[field] = query[field];
    }
  }
  if (numbers && query.format) {
    next.format = query.format;
  }
  return next;
}

/** One line that says what a query asks, for collapsed rows and the query history. */
export function describe(query: EvidenceQuery): string {
  if (!query.queryType) {
    return '';
  }
  const { label, required, optional } = NEEDS[query.queryType];
  const said = [...required, ...optional].filter((field) => query[field]).map((field) => `${field} ${query[field]}`);
  return [label, ...said].join(', ');
}
