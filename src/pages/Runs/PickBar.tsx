import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Button, IconButton, useStyles2 } from '@grafana/ui';

import { SideMark } from '../../components/charts/SideMark';
import { ROLES, SideRole } from '../../components/charts/sides';
import type { SideRow } from '../../types/generated';
import { AddDirectory } from './AddDirectory';
import { chosenOf, Picks } from './picks';
import { shortName } from './rows';

interface Props {
  picks: Picks;
  sides: readonly SideRow[];
  onAdd: (role: SideRole, side: SideRow) => void;
  onClear: (role: SideRole) => void;
  onSwap: () => void;
  onCompare: () => void;
}

/** The names of what was chosen; a side that is no longer there keeps its address and is marked. */
function namesOf(ref: string, sides: readonly SideRow[]): { text: string; missing: boolean } {
  const chosen = chosenOf(ref, sides);
  if (!chosen.every((side) => side !== undefined)) {
    return { text: ref, missing: true };
  }
  const names = chosen.map(shortName);
  // Directories of one side often bear one label; then their own names tell them apart.
  const alike = new Set(names).size < names.length;
  return { text: (alike ? chosen.map(({ path }) => path.replace(/^.*\//, '')) : names).join(' + '), missing: false };
}

/** What is chosen so far, and the way to the comparison. */
export function PickBar({ picks, sides, onAdd, onClear, onSwap, onCompare }: Props) {
  const styles = useStyles2(getStyles);
  const ready = picks.baseline !== '' && picks.candidate !== '';
  return (
    <section className={styles.bar} aria-label="Chosen sides">
      {ROLES.map((role) => {
        const { text, missing } = namesOf(picks[role], sides);
        return (
          <div key={role} className={styles.pick}>
            <SideMark role={role} />
            <span className={styles.role}>{role === 'baseline' ? 'Baseline' : 'Candidate'}</span>
            {text ? (
              <>
                <span className={styles.name} title={picks[role]}>
                  {text}
                  {missing && ' (not found any more)'}
                </span>
                <IconButton name="times" size="sm" tooltip={`Take the ${role} back`} onClick={() => onClear(role)} />
                {!missing && (
                  <AddDirectory role={role} picks={picks} sides={sides} onAdd={(side) => onAdd(role, side)} />
                )}
              </>
            ) : (
              <span className={styles.none}>not chosen</span>
            )}
          </div>
        );
      })}
      <div className={styles.actions}>
        <Button
          variant="secondary"
          fill="text"
          icon="exchange-alt"
          disabled={!picks.baseline && !picks.candidate}
          onClick={onSwap}
        >
          Swap
        </Button>
        <Button
          icon="arrow-right"
          disabled={!ready}
          onClick={onCompare}
          tooltip={ready ? undefined : 'Choose a baseline and a candidate'}
        >
          Compare
        </Button>
      </div>
    </section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  bar: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(1, 3),
    padding: theme.spacing(1, 1.5),
    background: theme.colors.background.secondary,
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
  }),
  pick: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(1), minWidth: 0 }),
  role: css({ color: theme.colors.text.secondary }),
  name: css({ fontWeight: theme.typography.fontWeightMedium, overflowWrap: 'anywhere' }),
  none: css({ color: theme.colors.text.secondary, fontStyle: 'italic' }),
  actions: css({ display: 'flex', gap: theme.spacing(1), marginLeft: 'auto' }),
});
