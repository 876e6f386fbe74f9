import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { formatAmount, formatSigned, toPoints } from '#web/client/format.ts';
import { findRail, useRails } from '#web/ui/rails.ts';
import type { Draft } from './kept-draft.ts';
import { PayoutEstimate, RateSentence } from './payout-estimate.tsx';
import { useProcessingTime } from './processing-time.ts';
import type { Bounds } from './use-withdrawal.ts';
import { useArePayoutsPaused } from './waiting.ts';
import styles from './withdrawal-summary.module.css';

type WithdrawalSummaryProps = { draft: Draft; bounds: Bounds };

/** The slip of a withdrawal. It shows no sum that can't be paid: then it says what is missing. */
export function WithdrawalSummary({ draft, bounds }: WithdrawalSummaryProps) {
  const { t } = useTranslation();
  const amount = toPoints(draft.amount);
  const isPossible = amount >= bounds.minimum && amount <= bounds.maximum;
  return (
    <aside id="withdraw-summary" className={styles.summary} aria-label={t('withdrawals.dialog.summary')}>
      <h3 className={styles.heading}>{t('withdrawals.dialog.summary')}</h3>
      {isPossible ? (
        <Payout amount={amount} method={draft.method} bounds={bounds} />
      ) : (
        <NothingYet amount={amount} bounds={bounds} />
      )}
    </aside>
  );
}

type PayoutProps = { amount: bigint; method: string; bounds: Bounds };

/** The payout, the charged points, the fee, the processing time and the remaining balance. */
function Payout({ amount, method, bounds }: PayoutProps) {
  const { t } = useTranslation();
  const rail = findRail(useRails().data, method);
  const takes = useProcessingTime();
  const arePaused = useArePayoutsPaused();
  if (rail === undefined) return null;
  return (
    <>
      <PayoutEstimate points={amount > bounds.fee ? amount - bounds.fee : 0n} rail={rail} />
      <dl>
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
          <dd className="num">{formatAmount(bounds.balance - amount)}</dd>
        </div>
      </dl>
      <p className={styles.fine}>
        {rail.isRated ? (
          <>
            <RateSentence rail={rail} /> {t('withdrawals.dialog.fineCoin')}
          </>
        ) : (
          t('withdrawals.dialog.fineDollars')
        )}
      </p>
    </>
  );
}

/** What stands between the typed amount and one that can be paid. */
function lackOf(amount: bigint, { balance, minimum, maximum }: Bounds) {
  if (amount > balance) return { name: 'missing', points: amount - balance } as const;
  if (amount > maximum) return { name: 'largest', points: maximum } as const;
  return { name: 'smallest', points: minimum } as const;
}

function NothingYet({ amount, bounds }: { amount: bigint; bounds: Bounds }) {
  const { t } = useTranslation();
  const { name, points } = lackOf(amount, bounds);
  const rows = [
    { name: 'inBalance', points: bounds.balance },
    ...(amount > 0n ? [{ name: 'askedFor', points: amount } as const] : []),
  ] as const;
  return (
    <>
      <p className={styles.get}>{t('withdrawals.dialog.youGet')}</p>
      <p className={clsx(styles.figure, styles.none)}>{t('withdrawals.dialog.nothingYet')}</p>
      <dl>
        {rows.map((row) => (
          <div key={row.name}>
            <dt>{t(`withdrawals.dialog.${row.name}`)}</dt>
            <dd className="num">{formatAmount(row.points)}</dd>
          </div>
        ))}
        <div className={styles.total}>
          <dt>{t(`withdrawals.dialog.${name}`)}</dt>
          <dd className="num">{formatAmount(points)}</dd>
        </div>
      </dl>
      <p className={styles.fine}>
        {t(name === 'missing' ? 'withdrawals.dialog.whenYouHave' : 'withdrawals.dialog.whenWePay')}
      </p>
    </>
  );
}
