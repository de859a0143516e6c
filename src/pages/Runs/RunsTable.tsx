import React, { useMemo, useRef, useState } from 'react';

import { cx } from '@emotion/css';
import { Icon, useStyles2 } from '@grafana/ui';
import { useVirtualizer } from '@tanstack/react-virtual';

import type { RunRow } from '../../types/generated';
import { runCell, sideCell } from './cells';
import { COLUMNS } from './columns';
import { OnPick, PickButtons } from './PickButtons';
import type { Picks } from './picks';
import type { ColumnKey, Entry, Sort } from './rows';
import { SideName } from './SideName';
import { getTableStyles } from './styles';
import { useGridKeys } from './useGridKeys';

/** One line of the table: a side, one of its runs, or its problems in words. */
type Line =
  | { type: 'side'; key: string; entry: Entry; index: number }
  | { type: 'run'; key: string; entry: Entry; run: RunRow }
  | { type: 'problems'; key: string; entry: Entry };

const HEIGHTS: Record<Line['type'], number> = { side: 56, run: 44, problems: 36 };
const CARD_HEIGHT = 220;

interface Props {
  entries: readonly Entry[];
  sort: Sort;
  picks: Picks;
  /** True where there is no room for columns: each line becomes a card. */
  cards: boolean;
  onSort: (sort: Sort) => void;
  onPick: OnPick;
  onOpen: (side: string) => void;
  onCompare: () => void;
}

/** The sides as a grid of which only the visible lines exist, so that thousands stay smooth. */
export function RunsTable({ entries, sort, picks, cards, onSort, onPick, onOpen, onCompare }: Props) {
  const styles = useStyles2(getTableStyles);
  const scroll = useRef<HTMLDivElement>(null);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const [activeId, setActiveId] = useState<string | null>(null);

  const lines = useMemo(
    () =>
      entries.flatMap((entry, index): Line[] => {
        const { id, runs } = entry.side;
        const side: Line = { type: 'side', key: id, entry, index };
        if (!expanded.has(id)) {
          return [side];
        }
        const below: Line[] = runs.map((run) => ({ type: 'run', key: `run ${run.id}`, entry, run }));
        return [
          side,
          ...below,
          ...(entry.problems.length > 0 ? [{ type: 'problems' as const, key: `problems ${id}`, entry }] : []),
        ];
      }),
    [entries, expanded]
  );

  // The React compiler leaves this component alone: what the virtualiser hands out must not be memoised.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: (at) => {
      const type = lines[at]?.type ?? 'side';
      return cards && type !== 'problems' ? CARD_HEIGHT : HEIGHTS[type];
    },
    getItemKey: (at) => lines[at]?.key ?? at,
    // Room for the head, which stays in sight.
    scrollPaddingStart: cards ? 0 : 40,
    overscan: 6,
  });

  const found = activeId === null ? 0 : entries.findIndex((entry) => entry.side.id === activeId);
  const active = Math.max(0, found);
  const setActive = (index: number) => {
    const id = entries[index]?.side.id;
    if (id !== undefined) {
      setActiveId(id);
      virtual.scrollToIndex(lines.findIndex((line) => line.key === id));
    }
  };
  const expand = (entry: Entry, open: boolean) =>
    setExpanded((before) => {
      const next = new Set(before);
      if (open) {
        next.add(entry.side.id);
      } else {
        next.delete(entry.side.id);
      }
      return next;
    });
  const onKeyDown = useGridKeys({
    entries,
    active,
    setActive,
    onPick: (role, { side }, add) => onPick(role, side, add),
    onExpand: expand,
    onOpen: ({ side }) => onOpen(side.id),
    onCompare,
  });

  const rowId = (index: number) => `replay-evidence-side-${index}`;
  const sideContent = (entry: Entry) => {
    const open = expanded.has(entry.side.id);
    return <SideName entry={entry} expanded={open} onToggle={() => expand(entry, !open)} />;
  };

  const content = (line: Line) => {
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
    const cell = (key: ColumnKey) =>
      line.type === 'run' ? runCell(key, line.run) : key === 'side' ? sideContent(entry) : sideCell(key, entry);
    const buttons = line.type === 'side' && <PickButtons side={entry.side} picks={picks} onPick={onPick} />;
    if (cards) {
      return (
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
      );
    }
    return (
      <>
        <div role="gridcell">{buttons}</div>
        {COLUMNS.map(({ key, numeric }) => (
          <div
            key={key}
            role={key === 'side' ? 'rowheader' : 'gridcell'}
            className={cx(
              styles.cell,
              numeric && styles.number,
              key === 'side' && line.type === 'run' && styles.runPath
            )}
          >
            {cell(key)}
          </div>
        ))}
      </>
    );
  };

  return (
    <div
      ref={scroll}
      role="grid"
      aria-label="Sides"
      aria-rowcount={lines.length + (cards ? 0 : 1)}
      aria-colcount={cards ? 2 : COLUMNS.length + 1}
      aria-activedescendant={entries.length > 0 ? rowId(active) : undefined}
      aria-describedby="replay-evidence-keys"
      tabIndex={0}
      className={styles.scroll}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        const row = event.target instanceof Element ? event.target.closest('[data-side]') : null;
        if (row instanceof HTMLElement && row.dataset.side !== undefined) {
          setActiveId(row.dataset.side);
        }
      }}
    >
      <div className={cards ? undefined : styles.wide}>
        {!cards && <Head sort={sort} onSort={onSort} />}
        <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const line = lines[item.index];
            if (!line) {
              return null;
            }
            const isSide = line.type === 'side';
            return (
              <div
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                data-side={line.entry.side.id}
                id={isSide ? rowId(line.index) : undefined}
                role="row"
                aria-rowindex={item.index + (cards ? 1 : 2)}
                aria-selected={isSide ? line.index === active : undefined}
                className={cx(
                  cards && line.type !== 'problems' ? styles.card : styles.row,
                  line.type === 'run' && styles.runRow,
                  line.type === 'problems' && styles.wordsRow,
                  isSide && line.index === active && styles.active
                )}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                {content(line)}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Head({ sort, onSort }: Pick<Props, 'sort' | 'onSort'>) {
  const styles = useStyles2(getTableStyles);
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} style={{ display: 'contents' }}>
        <div role="columnheader" className={styles.headCell}>
          Choose
        </div>
        {COLUMNS.map(({ key, title, help, numeric }) => {
          const sorted = sort.by === key;
          return (
            <div
              key={key}
              role="columnheader"
              aria-sort={sorted ? (sort.descending ? 'descending' : 'ascending') : 'none'}
              className={cx(styles.headCell, numeric && styles.headNumber)}
            >
              <button
                type="button"
                className={styles.sort}
                data-sorted={sorted}
                title={help}
                onClick={() => onSort({ by: key, descending: sorted ? !sort.descending : key === 'when' })}
              >
                {title}
                {sorted && <Icon name={sort.descending ? 'arrow-down' : 'arrow-up'} size="sm" aria-hidden />}
              </button>
            </div>
          );
        })}
      </div>
    </div>
  );
}
