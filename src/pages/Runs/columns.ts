import type { ColumnKey } from './rows';

export interface Column {
  key: ColumnKey;
  title: string;
  /** What the column says, on hover over its head. */
  help: string;
  /** Width for CSS grid. */
  width: string;
  numeric?: boolean;
}

/** The columns in their order. Their least widths together decide when rows become cards. */
export const COLUMNS: readonly Column[] = [
  { key: 'side', title: 'Side', help: 'Label, directory and what side.json says of it', width: 'minmax(160px, 2.4fr)' },
  {
    key: 'holds',
    title: 'Holds',
    help: 'Runs of this side by kind, as their content shows',
    width: 'minmax(88px, 1fr)',
  },
  { key: 'when', title: 'When', help: 'Start of the run in your time zone', width: '140px' },
  { key: 'window', title: 'Window', help: 'How start and end are known, and how far they may be off', width: '80px' },
  {
    key: 'requests',
    title: 'Requests',
    help: 'Requests of the load run, else of the functional run',
    width: '62px',
    numeric: true,
  },
  {
    key: 'failed',
    title: 'Failures',
    help: 'Failed requests, those of the functional run included',
    width: '56px',
    numeric: true,
  },
  {
    key: 'match',
    title: 'Match',
    help: 'Share of functional responses that match the recording',
    width: '48px',
    numeric: true,
  },
  { key: 'p95', title: 'p95', help: 'p95 as the replay reports it, whole milliseconds', width: '50px', numeric: true },
  {
    key: 'throughput',
    title: 'Throughput',
    help: 'Requests per second over the replay’s active time',
    width: '74px',
    numeric: true,
  },
  {
    key: 'harness',
    title: 'Harness',
    help: 'Whether the replay says that it, not the service, was the limit',
    width: '86px',
  },
  {
    key: 'problems',
    title: 'Problems',
    help: 'What was wrong with files of this side, in words',
    width: 'minmax(90px, 1.2fr)',
  },
];

/** Columns of the grid: the two buttons that choose, then the columns above. */
export const GRID_TEMPLATE = ['72px', ...COLUMNS.map((column) => column.width)].join(' ');

/** Below this width of the table, in CSS pixels, each row is a card. */
export const CARDS_BELOW = 820;
