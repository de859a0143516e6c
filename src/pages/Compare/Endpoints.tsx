import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Badge, Stack, Tooltip, useStyles2 } from '@grafana/ui';

import { AnswerBadge } from '../../components/AnswerBadge/AnswerBadge';
import { Sort } from '../../components/SortableTable/sort';
import { SortableColumn, SortableTable } from '../../components/SortableTable/SortableTable';
import { DASH, formatCount, formatSecondsChange, formatShare } from '../../format/number';
import type { Comparison, EndpointChange, EvidenceEndpoint } from '../../types/generated';
import { wholeMs } from '../wholeMs';

const PREFIX = 'endpoint:';

const STATES: Record<string, string> = { added: 'only in candidate', removed: 'only in baseline' };

const milliseconds = (value: number | null) => (value === null ? DASH : wholeMs(value));

type Figure = (endpoint: EvidenceEndpoint) => number | null;

/** Baseline and candidate as "173 ms → 46 ms"; sorted by the candidate, where most eyes are. */
function both(id: string, header: string, figure: Figure, format: (value: number | null) => string) {
  return {
    id,
    header,
    numeric: true,
    cell: ({ baseline, candidate }: EndpointChange) =>
      `${baseline ? format(figure(baseline)) : DASH} → ${candidate ? format(figure(candidate)) : DASH}`,
    sortBy: ({ baseline, candidate }: EndpointChange) =>
      candidate ? figure(candidate) : baseline ? figure(baseline) : null,
  };
}

const COLUMNS: ReadonlyArray<SortableColumn<EndpointChange>> = [
  { id: 'name', header: 'Endpoint', cell: (row) => <EndpointName row={row} />, sortBy: (row) => row.name },
  {
    id: 'answer',
    header: 'Speed',
    cell: (row) => (
      <Tooltip content={row.text}>
        <span>
          <AnswerBadge answer={row.answer} />
        </span>
      </Tooltip>
    ),
    sortBy: (row) => row.answer,
  },
  both('requests', 'Requests', (endpoint) => endpoint.requests, formatCount),
  both('share', 'Share', (endpoint) => endpoint.share, formatShare),
  both('failed', 'Failed', (endpoint) => endpoint.failed, formatCount),
  both('mean', 'Mean', (endpoint) => endpoint.avgMs, milliseconds),
  both('p95', 'p95', (endpoint) => endpoint.p95Ms, milliseconds),
  both('max', 'Maximum', (endpoint) => endpoint.maxMs, milliseconds),
  {
    id: 'moved',
    header: 'Moved per request',
    numeric: true,
    cell: (row) => formatSecondsChange(row.movedSecondsPerRequest),
    sortBy: (row) => row.movedSecondsPerRequest,
  },
  {
    id: 'total',
    header: 'Moved in the whole run',
    numeric: true,
    cell: (row) => formatSecondsChange(row.movedSecondsTotal),
    sortBy: (row) => row.movedSecondsTotal,
  },
];

function EndpointName({ row }: { row: EndpointChange }) {
  const tiny = row.baseline?.tiny || row.candidate?.tiny;
  const state = STATES[row.state];
  return (
    <Stack gap={1} wrap="wrap" alignItems="center">
      <span>{row.name}</span>
      {state && <Badge color="blue" text={state} />}
      {tiny && (
        <Badge
          color="orange"
          icon="exclamation-triangle"
          text="few requests"
          tooltip="Below 20 requests a p95 says little."
        />
      )}
    </Stack>
  );
}

interface Props {
  comparison: Comparison;
  open: string;
  sort: Sort | null;
  onSort: (sort: Sort) => void;
}

/** Every endpoint in both sides, by the replay's own figures. */
export function Endpoints({ comparison, open, sort, onSort }: Props) {
  const styles = useStyles2(getStyles);
  if (comparison.endpoints.length === 0) {
    return <p className={styles.note}>Neither side’s results state figures per endpoint.</p>;
  }
  return (
    <>
      <p className={styles.note}>
        The replay’s own figures, baseline → candidate, in whole milliseconds. What the mean moved times the requests is
        what an endpoint cost the whole run.
      </p>
      <SortableTable
        caption="Endpoints of both sides"
        columns={COLUMNS}
        rows={comparison.endpoints}
        rowKey={(row) => row.name}
        sort={sort}
        onSort={onSort}
        revealed={open.startsWith(PREFIX) ? open.slice(PREFIX.length) : undefined}
      />
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  note: css({ margin: 0, color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
});
