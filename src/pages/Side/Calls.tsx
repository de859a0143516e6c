import React, { useState } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';

import { DASH, formatCount } from '../../format/number';
import { wholeMs } from '../wholeMs';
import { formatLocal, formatUtc } from '../../format/time';
import type { BoundaryCall } from '../../types/generated';
import type { CallGroup } from './boundaryCalls';

/** How many calls of one operation are listed; all of them ask the same. */
const LISTED = 20;
/** How many operations are shown before one asks for all. */
const SHOWN = 15;

// The local recorder stores every outbound HTTP call as 1 ms, so the backend gives no duration for those.
const UNKNOWN_DURATION = 'The recorder does not measure this: it stores 1 ms for every outbound call.';

function Duration({ call }: { call: BoundaryCall }) {
  return call.durationMs === null ? (
    <span title={call.direction === 'OUT' ? UNKNOWN_DURATION : 'The recorder stored no duration.'}>
      duration unknown
    </span>
  ) : (
    <>{wholeMs(call.durationMs)}</>
  );
}

function Range({ calls }: { calls: readonly BoundaryCall[] }) {
  const [first] = calls;
  const known = calls.flatMap((call) => (call.durationMs === null ? [] : [call.durationMs]));
  if (calls.length === 1 && first) {
    return <Duration call={first} />;
  }
  if (known.length === 0) {
    return <span title={UNKNOWN_DURATION}>duration unknown</span>;
  }
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return <>{least === most ? wholeMs(least) : `${wholeMs(least)} to ${wholeMs(most)}`}</>;
}

/** Calls by operation; the first is open, so that a recording of one request reads at a glance. */
export function Calls({ groups, empty }: { groups: readonly CallGroup[]; empty: string }) {
  const styles = useStyles2(getStyles);
  const [all, setAll] = useState(false);
  if (groups.length === 0) {
    return <p className={styles.dim}>{empty}</p>;
  }
  const shown = all ? groups : groups.slice(0, SHOWN);
  return (
    <>
      <ul className={styles.list}>
        {shown.map(({ key, operation, protocol, status, calls }, at) => (
          <li key={key} className={styles.group}>
            <details open={at === 0 && groups.length < 4}>
              <summary className={styles.summary}>
                <code className={styles.operation}>{operation}</code>
                <span className={styles.facts}>
                  <span>{protocol}</span>
                  <span>{status ? `status ${status}` : DASH}</span>
                  <span>
                    <Range calls={calls} />
                  </span>
                  {calls.length > 1 && <span>×{formatCount(calls.length)}</span>}
                </span>
              </summary>
              {calls[0]?.body ? (
                <pre className={styles.body}>{calls[0].body}</pre>
              ) : (
                <p className={styles.dim}>No body was recorded.</p>
              )}
              <ul className={styles.each}>
                {calls.slice(0, LISTED).map((call) => (
                  <li key={call.uuid || call.path}>
                    <span title={formatUtc(call.at)}>{formatLocal(call.at)}</span>, <Duration call={call} />,{' '}
                    {call.path}
                  </li>
                ))}
                {calls.length > LISTED && <li>and {formatCount(calls.length - LISTED)} more</li>}
              </ul>
            </details>
          </li>
        ))}
      </ul>
      {shown.length < groups.length && (
        <Button size="sm" variant="secondary" fill="text" onClick={() => setAll(true)}>
          Show all {formatCount(groups.length)} operations
        </Button>
      )}
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  list: css({
    listStyle: 'none',
    margin: 0,
    padding: 0,
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(1),
  }),
  group: css({
    minWidth: 0,
    padding: theme.spacing(1),
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
  }),
  summary: css({ cursor: 'pointer', overflowWrap: 'anywhere' }),
  operation: css({ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }),
  facts: css({
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(0, 2),
    color: theme.colors.text.secondary,
    ...theme.typography.bodySmall,
  }),
  body: css({
    margin: theme.spacing(1, 0),
    maxHeight: 320,
    overflow: 'auto',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  }),
  each: css({
    listStyle: 'none',
    margin: 0,
    padding: 0,
    color: theme.colors.text.secondary,
    overflowWrap: 'anywhere',
    ...theme.typography.bodySmall,
  }),
  dim: css({ margin: theme.spacing(1, 0), color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
});
