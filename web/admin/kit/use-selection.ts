import { useState } from 'react';
import { isApiError } from '#web/client/call.ts';
import { toast } from '#web/ui/toast.tsx';
import type { ListScreen } from './list-screen.ts';
import type { FirstRows } from './use-operator-list.ts';
import { useRefusalWords } from './use-refusal-words.ts';

type SelectionRules<Row extends { id: string }> = Pick<
  ListScreen<Row>,
  'state' | 'isWaiting' | 'findBulkObstacle' | 'selectMax'
>;

type Held<Row> = {
  /** The filters, the search and the sort under which rows were selected, and the page. */
  found: string;
  page: number;
  ids: ReadonlySet<string>;
  /** The rows of all pages as they were last read, once the whole view was selected. */
  view: FirstRows<Row> | null;
};

/**
 * The selected rows: of this page, or of the whole view, beyond the page. Another view ends the selection, and another
 * page that of a page. A row of the page that was decided or obstructed meanwhile is no longer selected; of the other
 * pages that is known when they are read again.
 */
export function useSelection<Row extends { id: string }>(rules: SelectionRules<Row>) {
  const { state, isWaiting, findBulkObstacle: findObstacle = () => undefined } = rules;
  const { rows, page } = state;
  const { held, hold } = useHeld<Row>(JSON.stringify(state.found), page);
  /** The row that was selected or deselected last, from which a range extends. */
  const [lastId, setLastId] = useState<string | null>(null);
  const canSelect = (row: Row) => isWaiting(row) && findObstacle(row) === undefined;
  const idsOf = (some: readonly Row[]) => some.filter(canSelect).map(({ id }) => id);
  const { ids, view } = held;
  const selectable = rows.filter(canSelect);
  const shown = new Set(rows.map(({ id }) => id));
  const others = (view?.rows ?? []).filter(({ id }) => !shown.has(id));
  const selected = [...rows, ...others].filter((row) => ids.has(row.id) && canSelect(row));
  const isAll = selectable.length > 0 && selectable.every(({ id }) => ids.has(id));
  const whole = useWholeView(rules, { held, hold, idsOf, isAll });

  const selectPage = () => hold({ ids: new Set([...ids, ...idsOf(rows)]), view });
  const clear = () => hold({ ids: new Set(), view: null });
  return {
    ...whole,
    selected,
    has: (row: Row) => ids.has(row.id) && canSelect(row),
    isAll,
    canSelect,
    /** Why a waiting row can't be selected. */
    findObstacle: (row: Row) => (isWaiting(row) ? findObstacle(row) : undefined),
    canSelectAny: selectable.length > 0,
    toggle: (row: Row) => {
      if (!canSelect(row)) return;
      const next = new Set(ids);
      if (!next.delete(row.id)) next.add(row.id);
      hold({ ids: next, view });
      setLastId(row.id);
    },
    /** Selects every row between the last one and this one, both included. */
    extendTo: (row: Row) => {
      const [from, to] = [rows.findIndex(({ id }) => id === lastId), rows.indexOf(row)];
      const between = from === -1 ? [row] : rows.slice(Math.min(from, to), Math.max(from, to) + 1);
      hold({ ids: new Set([...ids, ...idsOf(between)]), view });
      setLastId(row.id);
    },
    toggleAll: isAll ? clear : selectPage,
    clear,
    /** The page, and once it is selected the view. */
    selectMore: () => {
      if (!isAll) selectPage();
      else if (whole.offer !== undefined) void whole.selectView();
    },
    /** The selected rows as they are now, for which other pages are read again; undefined if that failed. */
    renew: async (): Promise<Row[] | undefined> => {
      if (view === null) return selected;
      const now = await whole.readAgain();
      return now?.rows.filter((row) => ids.has(row.id) && canSelect(row));
    },
  };
}

type Holding<Row> = {
  held: Held<Row>;
  hold: (next: Pick<Held<Row>, 'ids' | 'view'>) => void;
  /** The ids of those rows that can be selected. */
  idsOf: (rows: readonly Row[]) => string[];
  isAll: boolean;
};

/** The selection of a whole view, as far as one act can name its rows. */
function useWholeView<Row extends { id: string }>(
  { state, selectMax }: SelectionRules<Row>,
  { held: { ids, view }, hold, idsOf, isAll }: Holding<Row>,
) {
  const { totalCount = 0, totalPages = 0 } = state.read.data ?? {};
  const { isReading, readView } = useReading(state, selectMax ?? 0);
  const isMore = totalPages > 1 || !isAll;
  return {
    isReading,
    /** How many rows of the view can be selected at once, of how many; undefined where they are or can't be. */
    offer:
      selectMax !== undefined && view === null && isMore
        ? { count: Math.min(totalCount, selectMax), totalCount }
        : undefined,
    selectView: async () => {
      const first = await readView();
      if (first !== undefined) hold({ ids: new Set(idsOf(first.rows)), view: first });
    },
    /** Reads the rows again and keeps what is selected. */
    readAgain: async () => {
      const now = await readView();
      if (now !== undefined) hold({ ids, view: now });
      return now;
    },
    /** What of the selected view is not selected: rows behind the most that are, and those that can't be. */
    beyond: view && {
      count: view.rows.length,
      totalCount: view.totalCount,
      leftOutCount: view.rows.length - idsOf(view.rows).length,
    },
  };
}

/** What is selected, until the list shows something else. */
function useHeld<Row>(found: string, page: number) {
  const none: Held<Row> = { found, page, ids: new Set(), view: null };
  const [kept, setKept] = useState(none);
  const isOf = (held: Held<Row>) => held.found === found && (held.view !== null || held.page === page);
  if (!isOf(kept)) setKept(none);
  return {
    held: isOf(kept) ? kept : none,
    /** Without effect if the list shows something else by then. */
    hold: (next: Pick<Held<Row>, 'ids' | 'view'>) =>
      setKept((before) => (isOf(before) ? { found, page, ...next } : before)),
  };
}

/** Reads the rows of a view, and says why that failed. */
function useReading<Row extends { id: string }>({ readFirst }: ListScreen<Row>['state'], countMax: number) {
  const refusalWords = useRefusalWords();
  const [isReading, setReading] = useState(false);
  const readView = async () => {
    setReading(true);
    try {
      return await readFirst(countMax);
    } catch (error) {
      if (!isApiError(error)) throw error;
      toast.bad(refusalWords(error.code));
      return undefined;
    } finally {
      setReading(false);
    }
  };
  return { isReading, readView };
}

export type Selection<Row extends { id: string }> = ReturnType<typeof useSelection<Row>>;
