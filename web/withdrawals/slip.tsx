import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { formatAmount, formatSigned, groupedByFour, toPoints } from '#web/client/format.ts';
import { Arrives, RateSentence } from './arrives.tsx';
import { useProcessingTime } from './processing-time.ts';
import styles from './slip.module.css';
import type { Bounds, Draft } from './use-withdrawal.ts';

type SlipProps = { draft: Draft; bounds: Bounds; isAside?: boolean };

/** What arrives, what leaves, the fee, how long it takes, what is left. On the second step also where it goes. */
export function Slip({ draft, bounds, isAside = false }: SlipProps) {
  const { t } = useTranslation();
  const takes = useProcessingTime();
  const amount = toPoints(draft.amount);
  const arrives = amount > bounds.fee ? amount - bounds.fee : 0n;
  const left = bounds.balance - amount;
  return (
    <aside className={clsx(styles.slip, isAside && styles.aside)} aria-label={t('withdrawals.dialog.slip')}>
      {isAside && <h3 className={styles.heading}>{t('withdrawals.dialog.slip')}</h3>}
      <Arrives points={arrives} method={draft.method} />
      <dl>
        {!isAside && (
          <div>
            <dt>{t('withdrawals.dialog.to')}</dt>
            <dd className={clsx('mono', styles.to)}>
              {draft.method === 'paypal' ? draft.address.trim() : groupedByFour(draft.address.trim())}
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
          <dd>{takes}</dd>
        </div>
        <div className={styles.total}>
          <dt>{t('withdrawals.dialog.leftAfter')}</dt>
          <dd className="num">{formatAmount(left)}</dd>
        </div>
      </dl>
      <p className={styles.fine}>
        {draft.method === 'paypal' ? (
          t('withdrawals.dialog.finePaypal')
        ) : (
          <>
            <RateSentence method={draft.method} /> {t('withdrawals.dialog.fineCoin')}
          </>
        )}
      </p>
    </aside>
  );
}
