import React, { useState } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Button, Icon, useStyles2 } from '@grafana/ui';

import { SideMark } from '../../components/charts/SideMark';
import { SideRole } from '../../components/charts/sides';
import { DASH, formatCount, formatNumber, formatSecondsChange } from '../../format/number';
import type { Comparison, NPlusOne, StatementChange } from '../../types/generated';
import { PlainTable } from './PlainTable';

/** A mean number of times: whole numbers stay whole, so that "40× per call" is not read as a rounded figure. */
const times = (value: number | null) =>
  value !== null && Number.isInteger(value) ? formatCount(value) : formatNumber(value);

/** How many changed statements are shown before one asks for all: services rarely have more that matter. */
const SHOWN = 25;

interface Props {
  comparison: Comparison;
  open: string;
}

/** What the two sides asked their databases: per call of an endpoint, what changed, and what grows with rows. */
export function Statements({ comparison, open }: Props) {
  const styles = useStyles2(getStyles);
  const { statements } = comparison;
  if (!statements) {
    return (
      <p className={styles.note}>
        Neither side holds a recording with database statements. <strong>Next step:</strong> record the service’s own
        calls to its database on both sides and place the recordings beside the replays.
      </p>
    );
  }
  const perEndpoint = statements.changes.filter((change) => change.endpoint !== '');
  const inAll = statements.changes.filter((change) => change.endpoint === '');
  return (
    <div className={styles.tab}>
      <p className={styles.text}>{statements.text || statements.state}</p>
      {statements.nPlusOne.map((found) => (
        <ParentAndChild key={`${found.side} ${found.endpoint} ${found.childFingerprint}`} found={found} />
      ))}
      {statements.perEndpoint.length > 0 && (
        <>
          <h3 className={styles.heading}>Statements per call of an endpoint</h3>
          <PlainTable
            caption="Statements per call of an endpoint"
            head={['Endpoint', 'Baseline', 'Candidate']}
            rows={statements.perEndpoint.map((row) => ({
              key: row.endpoint,
              cells: [row.endpoint, times(row.baseline), times(row.candidate)],
            }))}
          />
        </>
      )}
      <Changes heading="Changed per endpoint" columns={PER_ENDPOINT} changes={perEndpoint} open={open} />
      <Changes heading="Changed in all" columns={IN_ALL} changes={inAll} open={open} />
    </div>
  );
}

const asRole = (side: string): SideRole => (side === 'baseline' ? 'baseline' : 'candidate');

/** A statement and the one that is executed once for each of the rows it returns. */
function ParentAndChild({ found }: { found: NPlusOne }) {
  const styles = useStyles2(getStyles);
  return (
    <section className={styles.tree} aria-label={`N+1 in the ${found.side}, ${found.endpoint}`}>
      <h3 className={styles.heading}>
        <SideMark role={asRole(found.side)} /> N+1 in the {found.side}: {found.endpoint}
      </h3>
      <ul className={styles.parent}>
        <li>
          <span className={styles.times}>{times(found.parentPerCall)}× per call</span>
          <code className={styles.sql}>{found.parentSql}</code>
          <div className={styles.note}>returns {times(found.rowsPerCall)} rows per call, and for each of them</div>
          <ul className={styles.child}>
            <li>
              <Icon name="corner-down-right-alt" aria-hidden />
              <div>
                <span className={styles.times}>{times(found.childPerCall)}× per call</span>
                <code className={styles.sql}>{found.childSql}</code>
              </div>
            </li>
          </ul>
        </li>
      </ul>
      <p className={styles.note}>{found.text}</p>
    </section>
  );
}

const perCall = (change: StatementChange) =>
  change.perCallBaseline === null && change.perCallCandidate === null
    ? DASH
    : `${times(change.perCallBaseline)} → ${times(change.perCallCandidate)}`;

type Column = [head: string, cell: (change: StatementChange) => string];

const whatChanged: Column = [
  'What changed',
  (change) => (change.state === 'both' ? change.text : `${change.state}: ${change.text}`),
];
const executions: Column = [
  'Executions',
  (change) => `${formatCount(change.baseline)} → ${formatCount(change.candidate)}`,
];

const PER_ENDPOINT: readonly Column[] = [
  ['Endpoint', (change) => change.endpoint],
  executions,
  ['Per call', perCall],
  ['Moved per call', (change) => formatSecondsChange(change.movedSecondsPerCall)],
  whatChanged,
];
// Over all endpoints there is no call to count by.
const IN_ALL: readonly Column[] = [executions, whatChanged];

interface ChangesProps {
  heading: string;
  columns: readonly Column[];
  changes: readonly StatementChange[];
  open: string;
}

function Changes({ heading, columns, changes, open }: ChangesProps) {
  const styles = useStyles2(getStyles);
  const pointedAt = changes.findIndex((change) => open === `statement:${change.fingerprint}`);
  const [all, setAll] = useState(false);
  const shown = all || pointedAt >= SHOWN ? changes : changes.slice(0, SHOWN);
  if (changes.length === 0) {
    return null;
  }
  return (
    <>
      <h3 className={styles.heading}>{heading}</h3>
      <PlainTable
        caption={heading}
        head={['Statement', ...columns.map(([head]) => head)]}
        rows={shown.map((change, at) => ({
          key: `${change.endpoint} ${change.fingerprint}`,
          revealed: at === pointedAt,
          cells: [
            <code key="sql" className={styles.sql}>
              {change.sql}
            </code>,
            ...columns.map((column) => {
              const text = column[1](change);
              return column === whatChanged ? (
                text
              ) : (
                <span key={column[0]} className={styles.figures}>
                  {text}
                </span>
              );
            }),
          ],
        }))}
      />
      {shown.length < changes.length && (
        <Button size="sm" variant="secondary" className={styles.more} onClick={() => setAll(true)}>
          Show all {formatCount(changes.length)}
        </Button>
      )}
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  tab: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1.5), minWidth: 0 }),
  text: css({ margin: 0 }),
  heading: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(0.75), margin: 0, ...theme.typography.h6 }),
  note: css({ margin: 0, color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
  tree: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(1),
    padding: theme.spacing(1.5),
    border: `1px solid ${theme.colors.border.weak}`,
    borderLeft: `3px solid ${theme.colors.warning.border}`,
    borderRadius: theme.shape.radius.default,
  }),
  parent: css({ listStyle: 'none' }),
  child: css({
    listStyle: 'none',
    marginTop: theme.spacing(0.5),
    li: { display: 'flex', gap: theme.spacing(0.75), paddingLeft: theme.spacing(2) },
  }),
  times: css({ marginRight: theme.spacing(1), fontWeight: theme.typography.fontWeightMedium, whiteSpace: 'nowrap' }),
  // A frame around each line of a statement that wraps would only be noise.
  sql: css({
    padding: 0,
    border: 'none',
    background: 'none',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  }),
  figures: css({ whiteSpace: 'nowrap' }),
  more: css({ alignSelf: 'flex-start' }),
});
