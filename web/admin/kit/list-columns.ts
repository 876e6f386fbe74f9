import type { Column, ListScreen } from './list-screen.ts';

/** The list's own widths in px, without the open sheet, from which further columns are shown. */
const leastWidths = { shown: 0, medium: 640, wide: 1024, hidden: Number.POSITIVE_INFINITY } as const;

/** The visible columns: those the operator chose, else the default ones for the list's width in px. */
export function shownColumns<Row extends { id: string }>(
  { state, columns }: ListScreen<Row>,
  listWidth: number,
): readonly Column<Row>[] {
  const { columns: chosen } = state;
  if (chosen !== null) return columns.filter(({ key }) => chosen.includes(key));
  return columns.filter(({ usually = 'shown' }) => listWidth >= leastWidths[usually]);
}
