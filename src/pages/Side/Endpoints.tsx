import React, { ReactNode, useState } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Badge, useStyles2 } from '@grafana/ui';

import { Figure } from '../../components/Figure/Figure';
import { Section } from '../../components/Section/Section';
import type { Sort } from '../../components/SortableTable/sort';
import { SortableColumn, SortableTable } from '../../components/SortableTable/SortableTable';
import { formatCount, formatRate, formatShare } from '../../format/number';
import { wholeMs } from '../wholeMs';
import type { EvidenceEndpoint } from '../../types/generated';

type Numeric = 'requests' | 'share' | 'failed' | 'avgMs' | 'p50Ms' | 'p95Ms' | 'p99Ms' | 'maxMs' | 'perSecond';

function figure(id: Numeric, header: string, write: (value: number) => string): SortableColumn<EvidenceEndpoint> {
  return {
    id,
    header,
    numeric: true,
    cell: (row): ReactNode => <Figure text={row[id] === null ? null : write(row[id])} reason={row.reasons?.[id]} />,
    sortBy: (row) => row[id],
  };
}

const COLUMNS: ReadonlyArray<SortableColumn<EvidenceEndpoint>> = [
  {
    id: 'name',
    header: 'Endpoint',
    cell: (row) => (
      <>
        {row.name}{' '}
        {row.tiny && (
          <Badge
            color="orange"
            icon="exclamation-triangle"
            text="few requests"
            tooltip="Below 20 requests a p95 says little."
          />
        )}
      </>
    ),
    sortBy: (row) => row.name,
  },
  figure('requests', 'Requests', formatCount),
  figure('share', 'Share', formatShare),
  figure('failed', 'Failed', formatCount),
  figure('avgMs', 'Mean', wholeMs),
  figure('p50Ms', 'p50', wholeMs),
  figure('p95Ms', 'p95', wholeMs),
  figure('p99Ms', 'p99', wholeMs),
  figure('maxMs', 'Most', wholeMs),
  figure('perSecond', 'Throughput', formatRate),
];

/** The replay's own figures per endpoint. */
export function Endpoints({ endpoints }: { endpoints: readonly EvidenceEndpoint[] }) {
  const styles = useStyles2(getStyles);
  const [sort, setSort] = useState<Sort | null>(null);
  return (
    <Section title="Endpoints" subtitle="the replay’s own figures, whole milliseconds">
      {endpoints.length === 0 ? (
        <p className={styles.dim}>The results of this side state no figures per endpoint.</p>
      ) : (
        <SortableTable
          caption="Endpoints of this side"
          columns={COLUMNS}
          rows={endpoints}
          rowKey={(row) => row.name}
          sort={sort}
          onSort={setSort}
        />
      )}
    </Section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  dim: css({ margin: 0, color: theme.colors.text.secondary }),
});
