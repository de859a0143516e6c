import React, { useState } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

import { Figure } from '../../components/Figure/Figure';
import { Section } from '../../components/Section/Section';
import type { Sort } from '../../components/SortableTable/sort';
import { SortableColumn, SortableTable } from '../../components/SortableTable/SortableTable';
import { formatCount, formatNumber, formatSeconds, plural } from '../../format/number';
import { reasonText } from '../../format/reason';
import type { EvidenceEndpointStatement, EvidenceStatement, EvidenceStatements } from '../../types/generated';
import { Facts } from './Facts';

const span = (row: { spanSeconds: number | null; reasons?: Record<string, string> }) => (
  <Figure text={row.spanSeconds === null ? null : formatSeconds(row.spanSeconds)} reason={row.reasons?.spanSeconds} />
);

function Sql({ text }: { text: string }) {
  const styles = useStyles2(getStyles);
  return <code className={styles.sql}>{text}</code>;
}

const INVENTORY: ReadonlyArray<SortableColumn<EvidenceStatement>> = [
  { id: 'sql', header: 'Statement', cell: (row) => <Sql text={row.sql} />, sortBy: (row) => row.sql },
  {
    id: 'tables',
    header: 'Tables',
    cell: (row) => row.tables.join(', ') || 'none',
    sortBy: (row) => row.tables.join(),
  },
  {
    id: 'executions',
    header: 'Executions',
    numeric: true,
    cell: (row) => formatCount(row.executions),
    sortBy: (row) => row.executions,
  },
  { id: 'rows', header: 'Rows', numeric: true, cell: (row) => formatCount(row.rows), sortBy: (row) => row.rows },
  {
    id: 'errors',
    header: 'Errors',
    numeric: true,
    cell: (row) => formatCount(row.errors),
    sortBy: (row) => row.errors,
  },
  { id: 'span', header: 'Time', numeric: true, cell: span, sortBy: (row) => row.spanSeconds },
];

/** A statement below an endpoint, with the text that its fingerprint stands for. */
interface PerEndpoint extends EvidenceEndpointStatement {
  sql: string;
  parentSql: string;
}

const BY_ENDPOINT: ReadonlyArray<SortableColumn<PerEndpoint>> = [
  { id: 'endpoint', header: 'Endpoint', cell: (row) => row.endpoint, sortBy: (row) => row.endpoint },
  {
    id: 'sql',
    header: 'Statement',
    cell: (row) => (
      <>
        <Sql text={row.sql} />
        {row.parentSql && (
          <div>
            Grows with the {plural(row.rowsOfParent, 'row')} that this one returned: <Sql text={row.parentSql} />
          </div>
        )}
      </>
    ),
    sortBy: (row) => row.sql,
  },
  { id: 'calls', header: 'Calls', numeric: true, cell: (row) => formatCount(row.calls), sortBy: (row) => row.calls },
  {
    id: 'executions',
    header: 'Executions',
    numeric: true,
    cell: (row) => formatCount(row.executions),
    sortBy: (row) => row.executions,
  },
  {
    id: 'perCall',
    header: 'Per call',
    numeric: true,
    cell: (row) => formatNumber(row.perCall),
    sortBy: (row) => row.perCall,
  },
  {
    id: 'most',
    header: 'Most per call',
    numeric: true,
    cell: (row) => formatCount(row.maxPerCall),
    sortBy: (row) => row.maxPerCall,
  },
  {
    id: 'guessed',
    header: 'Guessed',
    numeric: true,
    cell: (row) => formatCount(row.guessedExecutions),
    sortBy: (row) => row.guessedExecutions,
  },
  { id: 'span', header: 'Time', numeric: true, cell: span, sortBy: (row) => row.spanSeconds },
];

const MOST_FIRST: Sort = { column: 'executions', descending: true };

/** What this side asked its database, from a recording with statements in it. */
export function Statements({ statements }: { statements: EvidenceStatements }) {
  const styles = useStyles2(getStyles);
  const [inventorySort, setInventorySort] = useState<Sort>(MOST_FIRST);
  const [endpointSort, setEndpointSort] = useState<Sort>({ column: 'perCall', descending: true });
  if (statements.state !== 'ok') {
    return (
      <Section title="Statements">
        <p className={styles.dim}>{statements.message || statements.state}. That is not the same as no statements.</p>
      </Section>
    );
  }
  const texts = new Map(statements.inventory.map((one) => [one.fingerprint, one.sql]));
  const perEndpoint = statements.byEndpoint.map((one): PerEndpoint => ({
    ...one,
    sql: texts.get(one.fingerprint) ?? one.fingerprint,
    parentSql: one.parentFingerprint ? (texts.get(one.parentFingerprint) ?? one.parentFingerprint) : '',
  }));
  const count = (label: string, name: 'executions' | 'reads' | 'writes' | 'errors' | 'messages') => ({
    label,
    value: (
      <Figure
        text={statements[name] === null ? null : formatCount(statements[name])}
        reason={statements.reasons?.[name]}
      />
    ),
  });
  return (
    <Section title="Statements" subtitle={statements.runId}>
      {statements.message && <p className={styles.dim}>{statements.message}</p>}
      <Facts
        facts={[
          count('Executions', 'executions'),
          count('Reads', 'reads'),
          count('Writes', 'writes'),
          count('Errors', 'errors'),
          { ...count('Messages', 'messages'), note: 'differs between drivers' },
          { label: 'Tied to requests by', value: statements.linking || reasonText(undefined) },
        ]}
      />
      {statements.problems.map(({ path, message }, at) => (
        <p key={at} className={styles.dim}>
          {path} {message}
        </p>
      ))}
      {perEndpoint.length > 0 && (
        <>
          <h3 className={styles.heading}>Per call of an endpoint</h3>
          <SortableTable
            caption="Statements per call of an endpoint"
            columns={BY_ENDPOINT}
            rows={perEndpoint}
            rowKey={(row) => `${row.endpoint} ${row.fingerprint}`}
            sort={endpointSort}
            onSort={setEndpointSort}
          />
        </>
      )}
      <h3 className={styles.heading}>All statements</h3>
      <SortableTable
        caption="Statements of this side"
        columns={INVENTORY}
        rows={statements.inventory}
        rowKey={(row) => row.fingerprint}
        sort={inventorySort}
        onSort={setInventorySort}
      />
    </Section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  dim: css({ margin: 0, color: theme.colors.text.secondary, overflowWrap: 'anywhere' }),
  heading: css({ margin: theme.spacing(1, 0, 0), ...theme.typography.h6 }),
  sql: css({ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }),
});
