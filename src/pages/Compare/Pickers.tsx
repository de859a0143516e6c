import React, { useMemo } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Combobox, ComboboxOption, Field, IconButton, useStyles2 } from '@grafana/ui';

import { SideMark } from '../../components/charts/SideMark';
import { SideRole } from '../../components/charts/sides';
import { formatLocal } from '../../format/time';
import type { SideRow, SidesResponse } from '../../types/generated';
import { CompareState } from './state';

interface Props {
  sides: SidesResponse | undefined;
  loading: boolean;
  state: CompareState;
  onChange: (change: Partial<CompareState>) => void;
}

/** What one can tell two sides with the same name apart by: where they lie, what they hold, and when that was made. */
function describe(side: SideRow): string {
  const kinds = [...new Set(side.runs.map((run) => run.kind))].join(', ');
  const ends = side.runs.flatMap((run) => (run.window ? [run.window.end] : [])).sort();
  const newest = ends[ends.length - 1];
  return [side.id, kinds, newest && formatLocal(newest)].filter(Boolean).join(' · ');
}

export function sideOptions(sides: SidesResponse | undefined): Array<ComboboxOption<string>> {
  const all = sides?.sides ?? [];
  const label = (side: SideRow) => side.label || side.path;
  return all.map((side) => ({
    value: side.id,
    // A label that two sides share would not say which of them is chosen.
    label: all.filter((other) => label(other) === label(side)).length > 1 ? side.id : label(side),
    description: describe(side),
    // Roots matter to the reader only when there is more than one.
    group: (sides?.roots.length ?? 0) > 1 ? side.root : undefined,
  }));
}

/**
 * The options that hold every word of what was typed, wherever they say it. Directories that make up one side together,
 * such as a load run and the recording of its statements, can be typed joined with a plus sign.
 */
export function search(options: ReadonlyArray<ComboboxOption<string>>, typed: string): Array<ComboboxOption<string>> {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = options.filter(({ label, description, value }) => {
    const text = `${label} ${description} ${value}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const name = typed.trim();
  return name.includes('+')
    ? [...found, { value: name, label: name, description: 'Several directories, taken as one side' }]
    : found;
}

/** What is chosen without being listed: several directories by their own names, anything else by its address. */
export function unlisted(ref: string): ComboboxOption<string> | null {
  const names = ref.split('+').map((path) => path.replace(/^.*\//, ''));
  return ref === '' ? null : { value: ref, label: names.length > 1 ? names.join(' + ') : ref };
}

/** Chooses the two sides and the profile. */
export function Pickers({ sides, loading, state, onChange }: Props) {
  const styles = useStyles2(getStyles);
  const options = useMemo(() => sideOptions(sides), [sides]);
  const profiles = useMemo(
    () =>
      (sides?.profiles ?? []).map((profile) => ({
        value: profile.name,
        label: profile.name,
        description: profile.problem || profile.requestMetric,
      })),
    [sides]
  );
  const picker = (role: SideRole, label: string) => (
    <Field
      className={styles.side}
      noMargin
      label={
        <span className={styles.label}>
          <SideMark role={role} /> {label}
        </span>
      }
      htmlFor={`compare-${role}`}
    >
      <Combobox
        id={`compare-${role}`}
        aria-label={label}
        placeholder="Choose a side"
        options={(typed) => Promise.resolve(search(options, typed))}
        // A side that vanished from the listing, or one of several directories, still shows its name.
        value={options.find((option) => option.value === state[role]) ?? unlisted(state[role])}
        loading={loading && !sides}
        onChange={({ value }) => onChange({ [role]: value, open: '' })}
      />
    </Field>
  );

  return (
    <div className={styles.row} role="group" aria-label="What is compared">
      {picker('baseline', 'Baseline')}
      <IconButton
        className={styles.swap}
        name="exchange-alt"
        size="lg"
        tooltip="Swap baseline and candidate"
        disabled={!state.baseline && !state.candidate}
        onClick={() => onChange({ baseline: state.candidate, candidate: state.baseline, open: '' })}
      />
      {picker('candidate', 'Candidate')}
      <Field
        className={styles.profile}
        noMargin
        label={<span className={styles.label}>Profile</span>}
        htmlFor="compare-profile"
      >
        <Combobox
          id="compare-profile"
          aria-label="Profile"
          placeholder={profiles.length > 0 ? profiles[0]?.label : 'No profile configured'}
          options={profiles}
          value={state.profile || (profiles[0]?.value ?? null)}
          disabled={profiles.length === 0 && !state.profile}
          noOptionsMessage="No profile has this name"
          onChange={({ value }) => onChange({ profile: value, open: '' })}
        />
      </Field>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  row: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'flex-end',
    gap: theme.spacing(1),
  }),
  side: css({ flex: '1 1 260px', minWidth: 0, maxWidth: 420 }),
  profile: css({ flex: '0 1 200px', minWidth: 140 }),
  label: css({
    display: 'inline-flex',
    alignItems: 'center',
    gap: theme.spacing(0.75),
    marginBottom: theme.spacing(0.5),
  }),
  swap: css({ margin: theme.spacing(0, 0.5, 0.75) }),
});
