import type { ReactNode } from 'react';
import type { BulkAct } from './use-bulk-act.ts';
import type { OperatorListState } from './use-operator-list.ts';

/**
 * The declaration of a list's screen. A feature says which columns, filters, acts and facts its list has; the kit shows
 * them as a table, on a phone as a list, and keeps what is shown in the address.
 */
export type ListScreen<Row extends { id: string }> = {
  state: OperatorListState<Row>;
  words: ListWords;
  /** The strip of totals above the filters. */
  totals?: readonly Total[];
  /** The first column. Its title opens the row. */
  lead: { heading: string; title: (row: Row) => string; note: (row: Row) => string };
  columns: readonly Column<Row>[];
  filters: readonly FilterChip[];
  /** The names of the declared sorts. A sort with a minus goes from the largest or newest down. */
  sorts: readonly Option[];
  /** A row on a phone, below its title. */
  card: (row: Row) => { figure?: ReactNode; note: ReactNode; time: ReactNode; badge?: ReactNode };
  /** Such a row can be selected, and "next" leads to it. */
  isWaiting: (row: Row) => boolean;
  /** What the selected rows come to, beside their count. */
  sumOf?: (rows: Row[]) => ReactNode;
  bulkActs?: (rows: Row[]) => readonly BulkAct<Row>[];
  /** Acts on more than this page, above the list. */
  headActs?: readonly BulkAct<Row>[];
  sheet: (row: Row, position: SheetPosition<Row>) => ReactNode;
};

/** What the feature says. These are texts and no keys, so that the checks of the words see where each is used. */
export type ListWords = {
  title: string;
  search: string;
  searchLabel: string;
  selectPage: string;
  pages: string;
  empty: { title: string; text: string };
  notFound: { title: string; text: string };
  failed: { title: string; text: string };
  sheet: { title: string; previous: string; next: string; gone: string };
};

export type Total = { key: string; label: string; value: ReactNode };

export type Column<Row> = {
  key: string;
  heading: string;
  cell: (row: Row) => ReactNode;
  /** The declared sort by which the heading orders the list. */
  sort?: string;
  /** Figures stand at the right. */
  isFigure?: true;
  /** Shown without being chosen: always, from a desktop's width on, or never. */
  usually?: 'shown' | 'wide' | 'hidden';
};

export type Option = { value: string; label: string };

export type FilterChip =
  | { kind: 'choice'; name: string; label: string; options: readonly Option[] }
  /** Two declared filters of points, from one and to the other. */
  | { kind: 'points'; from: string; to: string; label: string };

/** Where the open row stands, and the ways on from it. */
export type SheetPosition<Row> = {
  /** From 0; -1 once it has left the list. */
  index: number;
  /** The next row that waits, if any does. */
  following: Row | undefined;
  open: (id: string) => void;
  close: () => void;
};
