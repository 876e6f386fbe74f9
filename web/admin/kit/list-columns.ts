import type { Column, ListScreen } from './list-screen.ts';

/** The list's own widths in px, without the open sheet, from which further columns are shown. */
const widthsMin = { shown: 0, medium: 640, wide: 1024, hidden: Number.POSITIVE_INFINITY } as const;

/**
 * The visible columns: those the operator chose. If none of them is known, the default ones for the list's width in px.
 */
export function shownColumns<Row extends { id: string }>(
  { state, columns }: ListScreen<Row>,
  listWidth: number,
): readonly Column<Row>[] {
  const { columns: chosen } = state;
  const known = columns.filter(({ key }) => chosen?.includes(key));
  if (known.length > 0) return known;
  return columns.filter(({ defaultVisibility = 'shown' }) => listWidth >= widthsMin[defaultVisibility]);
}
