import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type PayoutTotals, readPayouts } from '#contract/withdrawals-payouts.ts';
import { formatPoints } from '#web/client/format.ts';
import { ALL, type ListSearch } from '#web/client/list-search.ts';
import styles from './payouts.module.css';

const PAYOUTS = '/management-panel-x7k9w/payouts';
const views = [...readPayouts.list.filters.state.choices, ALL] as const;
const finished: readonly string[] = ['confirmed', 'failed'];

type PayoutViewsProps = {
  totals: PayoutTotals | undefined;
  /** The state that is shown, `unfinished` or `all`. */
  current: string;
  /** The method that is shown; undefined for all. */
  method: string | undefined;
};

/** The payouts by state, with their numbers. */
export function PayoutViews({ totals, current, method }: PayoutViewsProps) {
  const { t } = useTranslation();
  const countOf = (view: (typeof views)[number]) =>
    totals
      ?.filter(
        ({ state }) => view === ALL || (view === 'unfinished' ? !finished.includes(state) : state === view),
      )
      .reduce((sum, { count }) => sum + count, 0);
  return (
    <nav className={styles.views} aria-label={t('payouts.views')}>
      {views.map((view) => {
        const count = countOf(view);
        return (
          <Link
            key={view}
            to={PAYOUTS}
            search={{ ...(method !== undefined && { method }), state: view } as ListSearch}
            replace
            data-current={view === current || undefined}
            aria-current={view === current ? 'page' : undefined}
            activeProps={{}}
          >
            {t(view === ALL ? 'payouts.all' : `payouts.choices.state.${view}`)}
            <b className="num">{count === undefined ? '\u00a0' : formatPoints(count)}</b>
          </Link>
        );
      })}
    </nav>
  );
}
