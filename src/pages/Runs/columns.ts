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
  { key: 'side', title: 'Side', help: 'Label, directory and what side.json says of it', width: 'minmax(150px, 2.4fr)' },
  {
    key: 'holds',
    title: 'Holds',
    help: 'Runs of this side by kind, as their content shows',
    width: 'minmax(80px, 1fr)',
  },
  { key: 'when', title: 'When', help: 'Start of the run in your time zone', width: '138px' },
  { key: 'window', title: 'Window', help: 'How start and end are known, and how far they may be off', width: '74px' },
  {
    key: 'requests',
    title: 'Requests',
    help: 'Requests of the load run, else of the functional run',
    width: '58px',
    numeric: true,
  },
  {
    key: 'failed',
    title: 'Failures',
    help: 'Failed requests, those of the functional run included',
    width: '54px',
    numeric: true,
  },
  {
    key: 'match',
    title: 'Match',
    help: 'Share of functional responses that match the recording',
    width: '46px',
    numeric: true,
  },
  { key: 'p95', title: 'p95', help: 'p95 as the replay reports it, whole milliseconds', width: '52px', numeric: true },
  {
    key: 'throughput',
    title: 'Throughput',
    help: 'Requests per second over the replay’s active time',
    width: '70px',
    numeric: true,
  },
  {
    key: 'harness',
    title: 'Harness',
    help: 'Whether the replay says that it, not the service, was the limit',
    width: '68px',
  },
  {
    key: 'problems',
    title: 'Problems',
    help: 'What was wrong with files of this side, in words',
    width: 'minmax(84px, 1.2fr)',
  },
];

/** Columns of the grid: the two buttons that choose, then the columns above. */
export const GRID_TEMPLATE = ['76px', ...COLUMNS.map((column) => column.width)].join(' ');

/** The least width of a line in CSS pixels: the columns above with the gaps between them. It fits beside Grafana's docked menu. */
export const LINE_MIN_WIDTH = 1040;

/** Below this width of the table, in CSS pixels, each row is a card. */
export const CARDS_BELOW = 820;
