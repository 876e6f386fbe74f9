import { useMediaQuery } from '@mantine/hooks';
import { from } from '#web/ui/sizes.ts';
import type { Column, ListScreen } from './list-screen.ts';

/** The columns that are shown: those that the operator chose, else those that fit. */
export function useShownColumns<Row extends { id: string }>({
  state,
  columns,
}: ListScreen<Row>): readonly Column<Row>[] {
  const isDesktop = useMediaQuery(from('desktop'), true, { getInitialValueInEffect: false });
  const { columns: chosen } = state;
  if (chosen !== null) return columns.filter(({ key }) => chosen.includes(key));
  return columns.filter(({ usually = 'shown' }) => usually === 'shown' || (usually === 'wide' && isDesktop));
}
