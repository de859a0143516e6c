import React, { memo } from 'react';

import { cx } from '@emotion/css';
import { useStyles2 } from '@grafana/ui';

import type { RunRow } from '../../types/generated';
import { runCell, sideCell } from './cells';
import { COLUMNS } from './columns';
import { OnPick, PickButtons } from './PickButtons';
import type { Picks } from './picks';
import type { ColumnKey, Entry } from './rows';
import { SideName } from './SideName';
import { getTableStyles } from './styles';

/** One line of the table: a side, one of its runs, or its problems in words. */
export type Line =
  | { type: 'side'; key: string; entry: Entry; index: number }
  | { type: 'run'; key: string; entry: Entry; run: RunRow }
  | { type: 'problems'; key: string; entry: Entry };

interface Props {
  line: Line;
  expanded: boolean;
  picks: Picks;
  /** True where there is no room for columns. */
  cards: boolean;
  onPick: OnPick;
  onExpand: (entry: Entry, open: boolean) => void;
}

/** What stands in a line. While the table scrolls, a line that stays in sight is not drawn again. */
export const LineContent = memo(function LineContent({ line, expanded, picks, cards, onPick, onExpand }: Props) {
  const styles = useStyles2(getTableStyles);
  const { entry } = line;
  if (line.type === 'problems') {
    return (
      <div role="gridcell" aria-colspan={COLUMNS.length + 1}>
        <ul className={styles.words} aria-label={`Problems of ${entry.side.label}`}>
          {entry.problems.map((problem, at) => (
            <li key={at}>
              <span className={styles.wordsPath}>{problem.path}</span> {problem.message}
            </li>
          ))}
        </ul>
      </div>
    );
  }

  const cell = (key: ColumnKey) => {
    if (line.type === 'run') {
      return runCell(key, line.run);
    }
    return key === 'side' ? (
      <SideName entry={entry} expanded={expanded} onToggle={() => onExpand(entry, !expanded)} />
    ) : (
      sideCell(key, entry)
    );
  };
  const buttons = line.type === 'side' && <PickButtons side={entry.side} picks={picks} onPick={onPick} />;

  return cards ? (
    <>
      <div className={styles.cardTop} role="gridcell">
        {cell('side')}
        {buttons}
      </div>
      <div className={styles.facts} role="gridcell">
        {COLUMNS.slice(1).map(({ key, title }) => (
          <div key={key}>
            <div className={styles.factLabel}>{title}</div>
            <div className={styles.cell}>{cell(key)}</div>
          </div>
        ))}
      </div>
    </>
  ) : (
    <>
      <div role="gridcell">{buttons}</div>
      {COLUMNS.map(({ key, numeric }) => (
        <div
          key={key}
          role={key === 'side' ? 'rowheader' : 'gridcell'}
          className={cx(styles.cell, numeric && styles.number, key === 'side' && line.type === 'run' && styles.runPath)}
        >
          {cell(key)}
        </div>
      ))}
    </>
  );
});
