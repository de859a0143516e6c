import React, { useState } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Button, Drawer, useStyles2 } from '@grafana/ui';

import { queryString } from '../../api/client';
import { ComparisonOf, getDiff } from '../../api/resources';
import { mayReveal } from '../../api/role';
import { useLoad } from '../../api/useLoad';
import { SideMark } from '../../components/charts/SideMark';
import { ROLES, SideRole } from '../../components/charts/sides';
import { LoadView } from '../../components/StateViews/StateViews';
import type { DiffResponse, ResponseView } from '../../types/generated';
import { PlainTable } from './PlainTable';
import { kindText } from './Responses';

interface Props {
  of: ComparisonOf;
  refUuid: string;
  onClose: () => void;
}

/** The responses of both sides to one recorded request. Masked, unless someone who may see them asks for the values. */
export function DiffDrawer({ of, refUuid, onClose }: Props) {
  const styles = useStyles2(getStyles);
  // Not in the address: whoever gets a link decides anew, and the backend decides for them.
  const [reveal, setReveal] = useState(false);
  const key = queryString({ ...of, refUuid, reveal });
  const diff = useLoad(key, (signal) => getDiff(of, refUuid, reveal, signal));
  return (
    <Drawer
      title={diff.data?.endpoint || 'Responses of one recorded request'}
      subtitle={`recorded pair ${refUuid}`}
      size="lg"
      onClose={onClose}
    >
      <div className={styles.content}>
        <div className={styles.reveal}>
          {mayReveal() ? (
            <Button
              size="sm"
              variant="secondary"
              icon={reveal ? 'eye-slash' : 'eye'}
              onClick={() => setReveal(!reveal)}
              aria-pressed={reveal}
            >
              {reveal ? 'Mask the values' : 'Show the recorded values'}
            </Button>
          ) : (
            <span className={styles.note}>
              Values are masked, because recorded traffic can hold secrets. An Editor or Admin can show them.
            </span>
          )}
        </div>
        <LoadView loaded={diff} label="Loading the responses" lines={8}>
          {(data) => <Diff diff={data} />}
        </LoadView>
      </div>
    </Drawer>
  );
}

function Diff({ diff }: { diff: DiffResponse }) {
  const styles = useStyles2(getStyles);
  return (
    <>
      {diff.differences.length > 0 ? (
        <PlainTable
          caption="What differs"
          head={['Where', 'What', ...ROLES]}
          rows={diff.differences.map((difference) => ({
            key: difference.field,
            cells: [
              <code key="field">{difference.field}</code>,
              kindText(difference.kind),
              ...ROLES.map((role) => (
                <code key={role} className={styles.value}>
                  {difference[role] || 'nothing'}
                </code>
              )),
            ],
          }))}
        />
      ) : (
        <p className={styles.note}>No stable field differs between these two responses.</p>
      )}
      <div className={styles.sides}>
        {ROLES.map((role) => (
          <Response key={role} role={role} response={diff[role]} />
        ))}
      </div>
      {diff.ignored.length > 0 && (
        <p className={styles.note}>
          Left out: {diff.ignored.map((field) => `${field.field} (${field.reason})`).join(', ')}.
        </p>
      )}
    </>
  );
}

function Response({ role, response }: { role: SideRole; response: ResponseView | null }) {
  const styles = useStyles2(getStyles);
  return (
    <section className={styles.side} aria-label={`Response of the ${role}`}>
      <h4 className={styles.heading}>
        <SideMark role={role} /> {role}
        {response && `: status ${response.status}`}
      </h4>
      {response ? (
        <>
          <span className={styles.path}>{response.path}</span>
          <pre className={styles.body}>
            <code>
              {Object.entries(response.headers)
                .sort(([a], [b]) => a.localeCompare(b))
                .map(([name, values]) => `${name}: ${values.join(', ')}\n`)
                .join('')}
            </code>
          </pre>
          <pre className={styles.body}>
            <code>{response.body || '(no body)'}</code>
          </pre>
          {response.truncated && <p className={styles.note}>The body is longer; this is its beginning.</p>}
        </>
      ) : (
        <p className={styles.note}>This side did not replay the request.</p>
      )}
    </section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  content: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2), minWidth: 0 }),
  reveal: css({ display: 'flex' }),
  note: css({ margin: 0, color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
  sides: css({
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 280px), 1fr))',
    gap: theme.spacing(2),
  }),
  side: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1), minWidth: 0 }),
  heading: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(0.75), margin: 0, ...theme.typography.h5 }),
  path: css({ color: theme.colors.text.secondary, overflowWrap: 'anywhere', ...theme.typography.bodySmall }),
  body: css({ margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: 480, overflow: 'auto' }),
  value: css({ whiteSpace: 'pre-wrap', overflowWrap: 'break-word' }),
});
