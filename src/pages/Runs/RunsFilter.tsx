import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Combobox, FilterInput, IconButton, useStyles2 } from '@grafana/ui';

import { plural } from '../../format/number';
import { COLUMNS } from './columns';
import { Filter, KINDS, Sort } from './rows';

const KIND_WORDS: Record<string, string> = {
  functional: 'Functional',
  load: 'Load',
  recording: 'Recording',
  mock: 'Mock',
  unknown: 'Unknown',
};

interface Props {
  filter: Filter;
  sort: Sort;
  roots: readonly string[];
  shown: number;
  total: number;
  /** Cards have no head to sort by, so the order is chosen here. */
  cards: boolean;
  onFilter: (change: Partial<Filter>) => void;
  onSort: (sort: Sort) => void;
}

/** Narrows the list by text, kind and root. */
export function RunsFilter({ filter, sort, roots, shown, total, cards, onFilter, onSort }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.line} role="search" aria-label="Filter sides">
      <div className={styles.text}>
        <FilterInput
          placeholder="Filter by label, directory, version or problem"
          aria-label="Filter by text"
          escapeRegex={false}
          value={filter.text}
          onChange={(text) => onFilter({ text })}
        />
      </div>
      <div className={styles.choice}>
        <Combobox
          aria-label="Kind"
          placeholder="All kinds"
          isClearable
          value={filter.kind || null}
          options={KINDS.map((kind) => ({ value: kind, label: KIND_WORDS[kind] }))}
          onChange={(option) => onFilter({ kind: option?.value ?? '' })}
        />
      </div>
      {(roots.length > 1 || filter.root !== '') && (
        <div className={styles.choice}>
          <Combobox
            aria-label="Root"
            placeholder="All roots"
            isClearable
            value={filter.root || null}
            options={roots.map((root) => ({ value: root, label: root }))}
            onChange={(option) => onFilter({ root: option?.value ?? '' })}
          />
        </div>
      )}
      {cards && (
        <div className={styles.choice}>
          <Combobox
            aria-label="Sort by"
            value={sort.by}
            options={COLUMNS.map(({ key, title }) => ({ value: key, label: title }))}
            onChange={({ value }) => onSort({ by: value, descending: value === 'when' })}
          />
          <IconButton
            name={sort.descending ? 'sort-amount-down' : 'sort-amount-up'}
            tooltip={sort.descending ? 'Largest first' : 'Smallest first'}
            onClick={() => onSort({ ...sort, descending: !sort.descending })}
          />
        </div>
      )}
      <span className={styles.count} role="status">
        {shown === total ? plural(total, 'side') : `${shown} of ${plural(total, 'side')}`}
      </span>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  line: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(1) }),
  text: css({ flex: '1 1 240px', maxWidth: 480 }),
  choice: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(1), flex: '0 1 160px', minWidth: 130 }),
  count: css({ color: theme.colors.text.secondary, marginLeft: 'auto' }),
});
