/** What a column is sorted by; null stands for "not known" and comes last in both directions. */
export type SortValue = string | number | null;

export interface Sort {
  column: string;
  descending: boolean;
}

/** Sorts a copy. Rows that compare equal keep their order. */
export function sorted<Row>(rows: readonly Row[], value: (row: Row) => SortValue, descending: boolean): Row[] {
  return [...rows].sort((a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === null || right === null) {
      return left === right ? 0 : left === null ? 1 : -1;
    }
    const order =
      typeof left === 'string' || typeof right === 'string'
        ? String(left).localeCompare(String(right), 'en-GB', { numeric: true })
        : left - right;
    return descending ? -order : order;
  });
}

/** Reads "p95" or "-p95", as it stands in an address. */
export function parseSort(text: string): Sort | null {
  return text ? { column: text.replace(/^-/, ''), descending: text.startsWith('-') } : null;
}

/** Writes what parseSort reads. */
export function writeSort({ column, descending }: Sort): string {
  return (descending ? '-' : '') + column;
}
