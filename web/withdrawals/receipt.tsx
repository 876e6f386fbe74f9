import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { readStats } from '#contract/ledger.ts';
import {
  formatAmount,
  formatDay,
  formatSigned,
  formatTime,
  formatWorth,
  groupedByFour,
  toPoints,
} from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { findRail, useRails } from '#web/ui/rails.ts';
import { rateText } from './estimate.ts';
import { PayoutEstimate } from './payout-estimate.tsx';
import styles from './receipt-dialog.module.css';
import { paidText, useRimText } from './receipt-title.ts';
import { numberOf } from './request-id.ts';
import { TransactionId } from './transaction-id.tsx';
import type { Entry } from './withdrawal-row.tsx';

type ReceiptProps = { entry: Entry; isPaid: boolean };

/**
 * The slip of a request: an estimate before its approval, then what is paid. A paid one has a stamp. One that was
 * turned down has the points that were asked for and came back, and no sum that would be paid.
 */
export function Receipt({ entry, isPaid }: ReceiptProps) {
  const { t } = useTranslation();
  const rail = findRail(useRails().data, entry.method);
  if (rail === undefined) return null;
  const amount = toPoints(entry.amount);
  const worth = formatWorth(amount - toPoints(entry.fee));
  return (
    <section className={styles.slip} aria-label={t('withdrawals.receipt.label')}>
      {isPaid && <Stamp entry={entry} />}
      {entry.status === 'rejected' ? (
        <>
          <p className="small dim">{t('withdrawals.receipt.askedFor')}</p>
          <p className={clsx('num', styles.figure)}>{formatAmount(amount)}</p>
        </>
      ) : entry.coinAmount === null ? (
        <div className={styles.estimate}>
          <PayoutEstimate points={amount - toPoints(entry.fee)} rail={rail} />
        </div>
      ) : (
        <>
          <p className="small dim">{t('withdrawals.receipt.label')}</p>
          <p className={clsx('num', styles.figure)}>{paidText(entry, rail.currency)}</p>
          <p className="num dim">
            {t('withdrawals.receipt.worth', { dollars: worth, points: formatAmount(amount) })}
          </p>
        </>
      )}
      <Rows entry={entry} currency={rail.currency} isCode={rail.destination?.kind === 'code'} />
    </section>
  );
}

type RowsProps = {
  entry: Entry;
  currency: string;
  isCode: boolean;
};

function Rows({ entry, currency, isCode }: RowsProps) {
  const { t, i18n } = useTranslation();
  const { data: stats } = useRead(readStats);
  const { address, fee, rate, txId, createdAt, processedAt, status } = entry;
  return (
    <dl>
      <Row name={t('withdrawals.receipt.to')} isMono>
        {isCode ? groupedByFour(address) : address}
      </Row>
      {status === 'rejected' ? (
        <Row name={t('withdrawals.receipt.returned')}>
          {formatSigned(entry.amount)}
          {'\u00a0'}P
        </Row>
      ) : (
        <>
          <Row name={t('withdrawals.dialog.leaves')}>
            {formatSigned(`-${entry.amount}`)}
            {'\u00a0'}P
          </Row>
          <Row name={t('withdrawals.dialog.fee')}>
            {toPoints(fee) === 0n ? t('withdrawals.info.none') : formatAmount(fee)}
          </Row>
        </>
      )}
      {status === 'pending' && stats !== undefined && (
        <Row name={t('withdrawals.dialog.inBalance')}>{formatAmount(stats.balance)}</Row>
      )}
      {rate !== null && isCode && status !== 'rejected' && (
        <Row name={t('withdrawals.receipt.rate')}>
          {t('withdrawals.receipt.rateValue', { coin: currency, dollars: rateText(rate) })}
        </Row>
      )}
      {txId !== null && (
        <Row name={t('withdrawals.receipt.transaction')} isMono>
          <TransactionId method={entry.method} txId={txId} />
        </Row>
      )}
      <Row name={t('withdrawals.receipt.requested')}>{formatTime(createdAt, i18n.language)}</Row>
      {processedAt !== null && status === 'approved' && (
        <Row name={t('withdrawals.receipt.decided')}>{formatTime(processedAt, i18n.language)}</Row>
      )}
      <Row name={t('withdrawals.receipt.number')} isMono>
        {numberOf(entry.id)}
      </Row>
    </dl>
  );
}

type RowProps = { name: string; isMono?: boolean; children: React.ReactNode };

const Row = ({ name, isMono = false, children }: RowProps) => (
  <div>
    <dt>{name}</dt>
    <dd className={isMono ? 'mono' : 'num'}>{children}</dd>
  </div>
);

/** The rim of the stamp has this length of text. */
const RIM = 202;

function Stamp({ entry }: { entry: Entry }) {
  const { t, i18n } = useTranslation();
  const rim = useRimText(entry.id);
  return (
    <svg className={styles.stamp} viewBox="0 0 96 96" aria-hidden="true">
      <defs>
        <path id="stamp-rim" d="M48 48m-33 0a33 33 0 1 1 66 0a33 33 0 1 1 -66 0" />
      </defs>
      <circle cx="48" cy="48" r="45" strokeWidth="3" strokeDasharray="1.8 2.24" />
      <circle cx="48" cy="48" r="41.4" strokeWidth="1.4" />
      <circle cx="48" cy="48" r="27" strokeWidth="1.1" />
      <text className={styles.rim} fontSize="9">
        <textPath href="#stamp-rim" textLength={RIM}>
          {rim}
        </textPath>
      </text>
      <text className={styles.word} fontSize="14" x="48" y="51">
        {t('withdrawals.receipt.stamp')}
      </text>
      <text className={styles.day} fontSize="7.5" x="48" y="62">
        {formatDay(entry.processedAt ?? entry.createdAt, i18n.language)}
      </text>
    </svg>
  );
}
