import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { formatAmount, formatSigned, groupedByFour, toPoints } from '#web/client/format.ts';
import { findRail, useRails } from '#web/ui/rails.ts';
import { PayoutEstimate, RateSentence } from './payout-estimate.tsx';
import { useProcessingTime } from './processing-time.ts';
import type { Bounds, Draft } from './use-withdrawal.ts';
import { useArePayoutsPaused } from './waiting.ts';
import styles from './withdrawal-summary.module.css';

type WithdrawalSummaryProps = { draft: Draft; bounds: Bounds; isAside?: boolean };

/**
 * The payout, the charged points, the fee, the processing time and the remaining balance; on the second step also the
 * address.
 */
export function WithdrawalSummary({ draft, bounds, isAside = false }: WithdrawalSummaryProps) {
  const { t } = useTranslation();
  const rail = findRail(useRails().data, draft.method);
  const takes = useProcessingTime();
  const arePaused = useArePayoutsPaused();
  const amount = toPoints(draft.amount);
  const payout = amount > bounds.fee ? amount - bounds.fee : 0n;
  const remaining = bounds.balance - amount;
  return (
    <aside
      id="withdraw-summary"
      className={clsx(styles.summary, isAside && styles.aside)}
      aria-label={t('withdrawals.dialog.summary')}
    >
      {isAside && <h3 className={styles.heading}>{t('withdrawals.dialog.summary')}</h3>}
      {rail !== undefined && <PayoutEstimate points={payout} rail={rail} />}
      <dl>
        {!isAside && (
          <div>
            <dt>{t('withdrawals.dialog.to')}</dt>
            <dd className={clsx('mono', styles.to)}>
              {rail?.destination?.kind === 'code'
                ? groupedByFour(draft.address.trim())
                : draft.address.trim()}
            </dd>
          </div>
        )}
        <div>
          <dt>{t('withdrawals.dialog.leaves')}</dt>
          <dd className="num">
            {formatSigned(-amount)}
            {'\u00a0'}P
          </dd>
        </div>
        <div>
          <dt>{t('withdrawals.dialog.fee')}</dt>
          <dd className="num">{bounds.fee === 0n ? t('withdrawals.info.none') : formatAmount(bounds.fee)}</dd>
        </div>
        <div>
          <dt>{t('withdrawals.dialog.takes')}</dt>
          <dd>{arePaused ? t('withdrawals.dialog.takesPaused') : takes}</dd>
        </div>
        <div className={styles.total}>
          <dt>{t('withdrawals.dialog.leftAfter')}</dt>
          <dd className="num">{formatAmount(remaining)}</dd>
        </div>
      </dl>
      {rail !== undefined && (
        <p className={styles.fine}>
          {rail.isRated ? (
            <>
              <RateSentence rail={rail} /> {t('withdrawals.dialog.fineCoin')}
            </>
          ) : (
            t('withdrawals.dialog.fineDollars')
          )}
        </p>
      )}
    </aside>
  );
}
