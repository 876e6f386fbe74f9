import type { Option } from '#web/admin/kit/list-screen.ts';
import { useRails, useRailWords } from '#web/ui/rails.ts';

/** The payment methods as choices of a filter; undefined until they were read. */
export function useMethodOptions(): Option[] | undefined {
  const { data: rails = [], isPending } = useRails();
  const { nameOf } = useRailWords();
  if (isPending) return undefined;
  return rails.map(({ method }) => ({ value: method, label: nameOf(method) }));
}
