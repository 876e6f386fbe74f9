import { useState } from 'react';
import type { ListScreen } from './list-screen.ts';

type SelectionRules<Row extends { id: string }> = Pick<ListScreen<Row>, 'isWaiting' | 'findBulkObstacle'>;

/** The selected waiting rows of this page. A row that was decided or obstructed meanwhile is no longer selected. */
export function useSelection<Row extends { id: string }>(
  rows: Row[],
  { isWaiting, findBulkObstacle: findObstacle = () => undefined }: SelectionRules<Row>,
) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  /** The row that was selected or deselected last, from which a range extends. */
  const [lastId, setLastId] = useState<string | null>(null);
  const canSelect = (row: Row) => isWaiting(row) && findObstacle(row) === undefined;
  const selectable = rows.filter(canSelect);
  const selected = selectable.filter((row) => ids.has(row.id));
  return {
    selected,
    has: (row: Row) => ids.has(row.id) && canSelect(row),
    isAll: selectable.length > 0 && selected.length === selectable.length,
    canSelect,
    /** Why a waiting row can't be selected. */
    findObstacle: (row: Row) => (isWaiting(row) ? findObstacle(row) : undefined),
    canSelectAny: selectable.length > 0,
    toggle: (row: Row) => {
      if (!canSelect(row)) return;
      const next = new Set(ids);
      if (!next.delete(row.id)) next.add(row.id);
      setIds(next);
      setLastId(row.id);
    },
    /** Selects every row between the last one and this one, both included. */
    extendTo: (row: Row) => {
      const [from, to] = [rows.findIndex(({ id }) => id === lastId), rows.indexOf(row)];
      const between = from === -1 ? [row] : rows.slice(Math.min(from, to), Math.max(from, to) + 1);
      setIds(new Set([...ids, ...between.filter(canSelect).map(({ id }) => id)]));
      setLastId(row.id);
    },
    toggleAll: () =>
      setIds(selected.length === selectable.length ? new Set() : new Set(selectable.map((row) => row.id))),
    clear: () => setIds(new Set()),
  };
}

export type Selection<Row extends { id: string }> = ReturnType<typeof useSelection<Row>>;
