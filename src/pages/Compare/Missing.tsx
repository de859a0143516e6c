import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';

import { ROLES, SideRole } from '../../components/charts/sides';
import type { Comparison } from '../../types/generated';

interface Props {
  comparison: Comparison;
  /** What cannot be shown: "The latency distribution". */
  what: string;
  /** Which sides lack it. */
  roles: readonly SideRole[];
}

/** Says in the place of a figure that needs metrics why a side has none, and what would change that. */
export function MissingMetrics({ comparison, what, roles }: Props) {
  const styles = useStyles2(getStyles);
  const causes = new Map<string, { roles: SideRole[]; next: string }>();
  for (const role of roles) {
    const { state, message, next } = comparison.sides[role].metrics;
    // The server answered, and yet this one measure has nothing.
    const cause = state === 'ok' ? 'the server has no observations of this measure in the window' : message || state;
    const known = causes.get(cause) ?? { roles: [], next: state === 'ok' ? '' : (next ?? '') };
    known.roles.push(role);
    causes.set(cause, known);
  }
  return (
    <>
      {[...causes].map(([cause, { roles: of, next }]) => (
        <p key={cause} className={styles.note}>
          <Icon name="info-circle" aria-hidden />
          <span>
            {what} is missing for {of.length === ROLES.length ? 'both sides' : `the ${of.join('')}`}: {cause}.
            {next && (
              <>
                {' '}
                <strong>Next step:</strong> {next}
              </>
            )}
          </span>
        </p>
      ))}
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  note: css({
    display: 'flex',
    gap: theme.spacing(1),
    margin: 0,
    color: theme.colors.text.secondary,
    overflowWrap: 'anywhere',
  }),
});
