import React from 'react';

import { cx } from '@emotion/css';
import { useStyles2 } from '@grafana/ui';

import { SideMark } from '../../components/charts/SideMark';
import { ROLES, SideRole } from '../../components/charts/sides';
import type { SideRow } from '../../types/generated';
import { includes, Picks } from './picks';
import { getPickStyles, getTableStyles } from './styles';

export type OnPick = (role: SideRole, side: SideRow, add: boolean) => void;

interface Props {
  side: SideRow;
  picks: Picks;
  onPick: OnPick;
}

const LETTERS: Record<SideRole, string> = { baseline: 'B', candidate: 'C' };

/**
 * Two buttons that choose a side as baseline or candidate. In the table the keys b and c do the same, so the buttons
 * stay out of the way of the tab key.
 */
export function PickButtons({ side, picks, onPick }: Props) {
  const table = useStyles2(getTableStyles);
  const styles = useStyles2(getPickStyles);
  return (
    <span className={table.picks}>
      {ROLES.map((role) => {
        const chosen = includes(picks[role], side);
        return (
          <button
            key={role}
            type="button"
            tabIndex={-1}
            className={cx(styles.button, chosen && styles[role])}
            aria-pressed={chosen}
            aria-label={`${role}: ${side.label}`}
            title={
              chosen
                ? `Chosen as ${role}; again takes it back`
                : `Choose as ${role} (${LETTERS[role].toLowerCase()}); with Shift it is added`
            }
            onClick={(event) => onPick(role, side, event.shiftKey)}
          >
            {chosen && <SideMark role={role} />}
            {LETTERS[role]}
          </button>
        );
      })}
    </span>
  );
}
