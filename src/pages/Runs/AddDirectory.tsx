import React, { useState } from 'react';

import { Button, Combobox } from '@grafana/ui';

import { SideRole } from '../../components/charts/sides';
import type { SideRow } from '../../types/generated';
import { includes, Picks, refusal } from './picks';
import { shortName } from './rows';

interface Props {
  role: SideRole;
  picks: Picks;
  sides: readonly SideRow[];
  onAdd: (side: SideRow) => void;
}

/** Adds a further directory to what is chosen: the results of one side may lie in several. */
export function AddDirectory({ role, picks, sides, onAdd }: Props) {
  const [open, setOpen] = useState(false);
  const offered = sides.filter((side) => !includes(picks[role], side) && refusal(picks, role, side) === '');
  if (offered.length === 0) {
    return null;
  }
  const label = `Add a directory to the ${role}`;
  return open ? (
    <Combobox
      // The button that was pressed gives its place, and with it the focus, to this field.
      // eslint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      aria-label={label}
      placeholder="Which directory"
      width={30}
      value={null}
      options={offered.map((side) => ({ value: side.id, label: shortName(side), description: side.id }))}
      noOptionsMessage="No other directory of this root has this name"
      onBlur={() => setOpen(false)}
      onChange={({ value }) => {
        const side = offered.find((one) => one.id === value);
        if (side) {
          onAdd(side);
        }
        setOpen(false);
      }}
    />
  ) : (
    <Button
      size="sm"
      variant="secondary"
      fill="text"
      icon="plus"
      aria-label={label}
      tooltip="For a side whose results lie in several directories, such as a load run and the recording of its statements"
      onClick={() => setOpen(true)}
    >
      Add a directory
    </Button>
  );
}
