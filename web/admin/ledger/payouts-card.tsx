import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readPayoutTotals } from '#contract/withdrawals-payouts.ts';
import { formatAmount, formatPoints } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import styles from './books-page.module.css';

/** How many payouts are in each state, and their points. Each leads to its payouts, where an operator acts. */

const POLL_MS = 5_000;
const states = ['queued', 'signed', 'broadcast', 'confirmed', 'parked', 'failed'] as const;

/** The list of payouts checks the filters of its address itself. */
const searchOf = (state: string): Record<string, string> => ({ state });

export function PayoutsCard() {
  const { t } = useTranslation();
  const read = useRead(readPayoutTotals, undefined, { refetchInterval: POLL_MS });
  return (
    <section className={styles.part} aria-labelledby="payouts">
      <h2 id="payouts">{t('books.payouts')}</h2>
      <ul className={styles.states}>
        {states.map((state) => {
          const rows = read.data?.filter((total) => total.state === state);
          const count = rows?.reduce((sum, total) => sum + total.count, 0) ?? 0;
          const points = rows?.reduce((sum, total) => sum + BigInt(total.points), 0n) ?? 0n;
          return (
            <li key={state} data-alert={(state === 'parked' && count > 0) || undefined}>
              <Link to="/management-panel-x7k9w/payouts" search={searchOf(state)}>
                <span>{t(`payoutState.${state}`)}</span>{' '}
                <b className="num">{read.data === undefined ? '–' : formatPoints(count)}</b>
                <small className="num">{read.data === undefined ? '\u00a0' : formatAmount(points)}</small>
              </Link>
            </li>
          );
        })}
      </ul>
      {read.isError && read.data === undefined && (
        <p className={styles.note}>{t(`refusals.${read.error.code}`)}</p>
      )}
    </section>
  );
}
