import { useTranslation } from 'react-i18next';
import { formatAmount, formatDollars } from '#web/client/format.ts';
import type { FoundTotals, Total } from './list-screen.ts';
import { countOf } from './page-tabs.tsx';
import type { OperatorListState } from './use-operator-list.ts';

/**
 * The totals above a list. While a search or a filter is on, they are those of the rows that it finds: the others
 * count rows that the list does not show then.
 */
export function useShownTotals<Row extends { id: string }>(
  { q, changed, read }: Pick<OperatorListState<Row>, 'q' | 'changed' | 'read'>,
  totals: readonly Total[],
  { followed = [], more = [] }: FoundTotals = {},
): readonly Total[] {
  const { t } = useTranslation();
  if (q === '' && changed.every((name) => followed.includes(name))) return totals;
  // The rows of the search before stay in place until the next ones were read.
  const found = read.isPlaceholderData ? undefined : read.data;
  const unread = read.isError && read.data === undefined ? null : undefined;
  const points = found?.points ?? null;
  return [
    { key: 'found', label: t('list.found'), value: found === undefined ? unread : countOf(read) },
    ...(points === null
      ? []
      : [
          {
            key: 'foundPoints',
            label: t('list.foundPoints'),
            value: formatAmount(points),
            note: formatDollars(points),
          },
        ]),
    ...more,
  ];
}
