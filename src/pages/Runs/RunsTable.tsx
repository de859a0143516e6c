import React, { useCallback, useMemo, useRef, useState } from 'react';

import { cx } from '@emotion/css';
import { Icon, useStyles2 } from '@grafana/ui';
import { useVirtualizer } from '@tanstack/react-virtual';

import { COLUMNS } from './columns';
import { Line, LineContent } from './LineContent';
import type { OnPick } from './PickButtons';
import type { Picks } from './picks';
import type { Entry, Sort } from './rows';
import { getTableStyles } from './styles';
import { useGridKeys } from './useGridKeys';

const HEIGHTS: Record<Line['type'], number> = { side: 58, run: 52, problems: 36 };
const CARD_HEIGHT = 240;
/** The head stays in sight above the lines. */
const HEAD_HEIGHT = 36;

interface Props {
  entries: readonly Entry[];
  sort: Sort;
  picks: Picks;
  /** True where there is no room for columns: each line becomes a card. */
  cards: boolean;
  onSort: (sort: Sort) => void;
  /** Must stay the same from one drawing to the next. */
  onPick: OnPick;
  onOpen: (side: string) => void;
  onCompare: () => void;
}

const rowId = (index: number) => `replay-evidence-side-${index}`;

function toLines(entries: readonly Entry[], expanded: ReadonlySet<string>): Line[] {
  return entries.flatMap((entry, index): Line[] => {
    const { id, runs } = entry.side;
    const side: Line = { type: 'side', key: id, entry, index };
    if (!expanded.has(id)) {
      return [side];
    }
    const below: Line[] = runs.map((run) => ({ type: 'run', key: `run ${run.id}`, entry, run }));
    if (entry.problems.length > 0) {
      below.push({ type: 'problems', key: `problems ${id}`, entry });
    }
    return [side, ...below];
  });
}

/** The sides as a grid of which only the visible lines exist, so that thousands stay smooth. */
export function RunsTable({ entries, sort, picks, cards, onSort, onPick, onOpen, onCompare }: Props) {
  const styles = useStyles2(getTableStyles);
  const scroll = useRef<HTMLDivElement>(null);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const [activeId, setActiveId] = useState<string | null>(null);
  const lines = useMemo(() => toLines(entries, expanded), [entries, expanded]);

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
    scrollPaddingStart: cards ? 0 : HEAD_HEIGHT,
    overscan: 5,
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
  const onExpand = useCallback(
    ({ side }: Entry, open: boolean) =>
      setExpanded((before) => {
        const next = new Set(before);
        if (open) {
          next.add(side.id);
        } else {
          next.delete(side.id);
        }
        return next;
      }),
    []
  );
  const onKeyDown = useGridKeys({
    entries,
    active,
    setActive,
    onPick: (role, { side }, add) => onPick(role, side, add),
    onExpand,
    onOpen: ({ side }) => onOpen(side.id),
    onCompare,
  });

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
            const index = line.type === 'side' ? line.index : null;
            return (
              <div
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                data-side={line.entry.side.id}
                id={index === null ? undefined : rowId(index)}
                role="row"
                aria-rowindex={item.index + (cards ? 1 : 2)}
                aria-selected={index === null ? undefined : index === active}
                className={cx(
                  cards && line.type !== 'problems' ? styles.card : styles.row,
                  line.type === 'run' && styles.runRow,
                  line.type === 'problems' && styles.wordsRow,
                  index === active && styles.active
                )}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <LineContent
                  line={line}
                  expanded={expanded.has(line.entry.side.id)}
                  picks={picks}
                  cards={cards}
                  onPick={onPick}
                  onExpand={onExpand}
                />
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
    <div role="rowgroup" className={styles.headGroup}>
      <div role="row" aria-rowindex={1} className={styles.head}>
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
