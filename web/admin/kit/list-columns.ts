import { useMediaQuery } from '@mantine/hooks';
import { from } from '#web/ui/sizes.ts';
import type { Column, ListScreen } from './list-screen.ts';

/** The visible columns: those the operator chose, else the default ones for this width. */
export function useShownColumns<Row extends { id: string }>({
  state,
  columns,
}: ListScreen<Row>): readonly Column<Row>[] {
  const isDesktop = useMediaQuery(from('desktop'), true, { getInitialValueInEffect: false });
  const { columns: chosen } = state;
  if (chosen !== null) return columns.filter(({ key }) => chosen.includes(key));
  return columns.filter(({ usually = 'shown' }) => usually === 'shown' || (usually === 'wide' && isDesktop));
}
