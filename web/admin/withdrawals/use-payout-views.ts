import { useTranslation } from 'react-i18next';
import { type PayoutTotals, readPayouts } from '#contract/withdrawals-payouts.ts';
import type { ListViews } from '#web/admin/kit/list-screen.ts';
import { ALL } from '#web/client/list-search.ts';

const views = [...readPayouts.list.filters.state.choices, ALL] as const;
const finished: readonly string[] = ['confirmed', 'failed'];

type Shown = {
  /** The state that is shown, `unfinished` or `all`. */
  current: string;
  /** The method that is shown; undefined for all. */
  method: string | undefined;
};

/** The payouts by state, with their numbers. */
export function usePayoutViews(totals: PayoutTotals | undefined, { current, method }: Shown): ListViews {
  const { t } = useTranslation();
  const countOf = (view: (typeof views)[number]) =>
    totals
      ?.filter(
        ({ state }) => view === ALL || (view === 'unfinished' ? !finished.includes(state) : state === view),
      )
      .reduce((sum, { count }) => sum + count, 0);
  return {
    label: t('payouts.views'),
    items: views.map((view) => ({
      key: view,
      label: t(view === ALL ? 'payouts.all' : `payouts.choices.state.${view}`),
      search: { ...(method !== undefined && { method }), state: view },
      count: countOf(view) ?? null,
      isCurrent: view === current,
    })),
  };
}
