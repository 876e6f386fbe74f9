import { useTranslation } from 'react-i18next';
import type { PossiblePayment } from '#contract/withdrawals-payouts.ts';
import { formatTimeInFull, groupedByFour } from '#web/client/format.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import styles from './possible-payments.module.css';

type PossiblePaymentsProps = {
  payments: readonly PossiblePayment[];
  /** The currency of the amounts; empty while it is not known. */
  currency: string;
};

/** The payments that may have paid already, each with what an operator compares: amount, time, recipient and id. */
export function PossiblePayments({ payments, currency }: PossiblePaymentsProps) {
  const { t } = useTranslation();
  if (payments.length === 0) return null;
  return (
    <div className={styles.payments}>
      <p>{t('queue.payoutSheet.possible', { count: payments.length })}</p>
      <ul>
        {payments.map((payment) => (
          <li key={payment.txId}>
            <PaymentFacts payment={payment} currency={currency} />
            <span className="mono">{groupedByFour(payment.txId)}</span>{' '}
            <CopyButton text={payment.txId} label={t('queue.sheet.copyTransaction')} />
          </li>
        ))}
      </ul>
    </div>
  );
}

type PaymentFactsProps = { payment: PossiblePayment; currency: string };

function PaymentFacts({ payment: { coinAmount, at, address, isSameAddress }, currency }: PaymentFactsProps) {
  const { t, i18n } = useTranslation();
  if (coinAmount === null || at === null) return <p>{t('queue.payoutSheet.payment.unknown')}</p>;
  const to = isSameAddress === null ? 'unnamed' : isSameAddress ? 'same' : 'other';
  return (
    <>
      <p>
        <b className="num">
          {coinAmount} {currency}
        </b>
        , {formatTimeInFull(at, i18n.language)}
      </p>
      <p data-to={to}>{t(`queue.payoutSheet.payment.${to}`, { address: groupedByFour(address ?? '') })}</p>
    </>
  );
}
