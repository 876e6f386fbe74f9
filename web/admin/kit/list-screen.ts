import type { ReactNode } from 'react';
import type { Screen } from '#contract/screens.ts';
import type { ListNotice } from './list-notices.tsx';
import type { BulkAct, HeadAct } from './use-bulk-act.ts';
import type { OperatorListState } from './use-operator-list.ts';
import type { RowOrder } from './use-row-drag.ts';

/**
 * The declaration of a list screen. A feature declares the columns, filters, acts and facts of its list. The kit shows
 * them as a table, on a phone as cards, and keeps page, filters and sort in the URL.
 */
export type ListScreen<Row extends { id: string }> = {
  state: OperatorListState<Row>;
  words: ListWords;
  /** The tabs of the screen, beside the title. */
  tabs?: ReactNode;
  /** What stands at the right of the title, before the acts. */
  tools?: ReactNode;
  /** What always stands above the list, so that no poll moves the rows. */
  notice?: ReactNode;
  /** What comes and goes while an operator works: a line beside the title. */
  notices?: readonly ListNotice[];
  /** The row of totals above the filters. */
  totals?: readonly Total[];
  foundTotals?: FoundTotals;
  /** The list's own views, before those that the operator saved. */
  views?: ListViews;
  /** The first column. Its title opens the row. */
  lead: {
    heading: string;
    title: (row: Row) => string;
    note: (row: Row) => string;
    /** Of 48 px, left of the title. */
    picture?: (row: Row) => ReactNode;
  };
  columns: readonly Column<Row>[];
  filters: readonly FilterChip[];
  sorts: readonly Option[];
  /** A row as a card on a phone, below its title. */
  card: (row: Row) => {
    figure?: ReactNode;
    note?: ReactNode;
    /** Whether the note says what the title's note says. */
    isNoteWhole?: true;
    time?: ReactNode;
    badge?: ReactNode;
    /** A sentence, in the whole width below. */
    sentence?: ReactNode;
  };
  /** Whether a row can be selected and is a target of "next". */
  isWaiting: (row: Row) => boolean;
  /** Why a waiting row is no row for acts on many; undefined if it is. */
  findBulkObstacle?: (row: Row) => string | undefined;
  /** How many rows can be selected at once, beyond the page; absent where only those of the page can. */
  selectMax?: number | undefined;
  /** The sum of the selected rows, shown beside their count. */
  sumOf?: (rows: Row[]) => ReactNode;
  bulkActs?: (rows: Row[]) => readonly BulkAct<Row>[];
  /** Acts on all rows, beyond this page; behind a menu above the list. */
  headActs?: readonly HeadAct<Row>[];
  /** An act that was begun before, in its dialog. */
  shownAct?: { act: BulkAct<Row> | null; close: () => void };
  /** What begins a new row: a button in the head. */
  begin?: { label: string; act: () => void };
  /** Other acts of the screen, beside the export. */
  otherActs?: readonly { key: string; label: string; act: () => void }[];
  /** How rows are moved; absent where the list doesn't show them in the order that operators set. */
  order?: RowOrder<Row> | undefined;
  /**
   * How wide the sheet is beside the list, if it is not narrow: `wide` where texts are compared in it; `desk` where the
   * work is done in it, so that the list is the narrower part and its rows are cards.
   */
  sheetWidth?: 'wide' | 'desk';
  sheet: (row: Row, position: SheetPosition<Row>) => ReactNode;
};

/** The views of a list, and what they are called together. */
export type ListViews = { label: string; items: readonly ListView[] };

/** A view of a list: filters under a name. */
export type ListView = {
  key: string;
  label: string;
  /** How many rows it has: undefined if that is not counted, null until it was read. */
  count?: number | null;
  /** The screen, if it is another one. */
  to?: Screen;
  search: Readonly<Record<string, string>>;
  isCurrent: boolean;
};

/** The texts of a list. `use-list-words.ts` makes them, the filters and the sorts from the contract's declaration. */
export type ListWords = {
  title: string;
  search: string;
  searchLabel: string;
  selectPage: string;
  pages: string;
  empty: { title: string; text: string };
  notFound: { title: string; text: string };
  /** The same of a searched name, where the list has members. */
  noName: { title: string; text: string };
  failed: { title: string; text: string };
  sheet: { title: string; previous: string; next: string; gone: string };
};

/** The value is undefined until it was read, and null after a failed read. */
export type Total = {
  key: string;
  label: string;
  value: ReactNode;
  /** What follows the value in small type, if this total has such a note. */
  note?: ReactNode;
};

/** What stands in the place of the totals while a search or a filter is on: count, points, and `more`. */
export type FoundTotals = {
  /** The filters that the list's own totals follow. */
  followed?: readonly string[];
  /** What the list knows of what is found, besides count and points. */
  more?: readonly Total[];
};

export type Column<Row, Sort extends string = string> = {
  key: string;
  heading: string;
  cell: (row: Row) => ReactNode;
  /** The declared sort that a click on the heading applies. */
  sort?: Sort;
  /** Right-aligned, for numbers. */
  isFigure?: true;
  /** Until the operator chooses columns: shown always, in a list of at least medium width, in a wide one, or never. */
  defaultVisibility?: 'shown' | 'medium' | 'wide' | 'hidden';
};

export type Option = { value: string; label: string };

export type FilterChip =
  /** The options are undefined until they were read. */
  | { kind: 'choice'; name: string; label: string; options: readonly Option[] | undefined }
  /** A range of points or days, stored in two declared filters. */
  | { kind: 'points' | 'days'; from: string; to: string; label: string }
  | { kind: 'text'; name: string; label: string };

/** The position of the open row in the list, and how to move on. */
export type SheetPosition<Row> = {
  /** The index from 0, or -1 if the row has left the list. */
  index: number;
  /** The next waiting row, if any. */
  following: Row | undefined;
  open: (id: string) => void;
  close: () => void;
};
