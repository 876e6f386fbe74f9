import { useState } from 'react';

/** The selected waiting rows of this page. A row that was decided meanwhile is no longer selected. */
export function useSelection<Row extends { id: string }>(rows: Row[], isWaiting: (row: Row) => boolean) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const waiting = rows.filter(isWaiting);
  const selected = waiting.filter((row) => ids.has(row.id));
  return {
    selected,
    has: (row: Row) => ids.has(row.id) && isWaiting(row),
    isAll: waiting.length > 0 && selected.length === waiting.length,
    canSelect: isWaiting,
    canSelectAny: waiting.length > 0,
    toggle: (row: Row) => {
      if (!isWaiting(row)) return;
      const next = new Set(ids);
      if (!next.delete(row.id)) next.add(row.id);
      setIds(next);
    },
    toggleAll: () =>
      setIds(selected.length === waiting.length ? new Set() : new Set(waiting.map((row) => row.id))),
    clear: () => setIds(new Set()),
  };
}

export type Selection<Row extends { id: string }> = ReturnType<typeof useSelection<Row>>;
