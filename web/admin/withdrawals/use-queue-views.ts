import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { readWithdrawalStats } from '#contract/withdrawals.ts';
import type { ListViews } from '#web/admin/kit/list-screen.ts';
import { ALL } from '#web/client/list-search.ts';

/** The list shows pending requests without a filter. */
const views = [
  { key: 'pending', search: {} },
  { key: 'clean', search: { flag: 'clean' } },
  { key: 'look', search: { flag: 'look' } },
  { key: 'blocked', search: { flag: 'blocked' } },
  { key: ALL, search: { status: ALL } },
] as const;

/** The pending requests, those of them of each kind, and all. */
export function useQueueViews(
  filters: Readonly<Record<string, string>>,
  stats: Pick<ReplyOf<typeof readWithdrawalStats>, 'pendingWithdrawals' | 'kinds'> | undefined,
): ListViews {
  const { t } = useTranslation();
  const labels = {
    pending: t('queue.choices.status.pending'),
    clean: t('queue.flagKinds.clean'),
    look: t('queue.flagKinds.look'),
    blocked: t('queue.flagKinds.blocked'),
    [ALL]: t('queue.views.all'),
  };
  // Nothing is counted while a long queue waits.
  const countOf = (key: (typeof views)[number]['key']) => {
    if (key === ALL || (key !== 'pending' && stats?.kinds === null)) return {};
    return { count: (key === 'pending' ? stats?.pendingWithdrawals : stats?.kinds?.[key]) ?? null };
  };
  return {
    label: t('queue.views.label'),
    items: views.map(({ key, search }) => ({
      key,
      label: labels[key],
      search,
      ...countOf(key),
      isCurrent:
        key === ALL
          ? filters.status === undefined || filters.status === ALL
          : filters.status === 'pending' && filters.flag === ('flag' in search ? search.flag : undefined),
    })),
  };
}
