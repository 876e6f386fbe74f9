import { useTranslation } from 'react-i18next';
import type { OperatorWithdrawal, QueuedWithdrawal, readWithdrawalQueue } from '#contract/withdrawals.ts';
import { Age } from '#web/admin/kit/age.tsx';
import type { Column } from '#web/admin/kit/list-screen.ts';
import type { SortOf } from '#web/admin/kit/use-list-words.ts';
import { formatAmount, formatDollars, formatTime, shortenMiddle } from '#web/client/format.ts';
import { RailIcon } from '#web/ui/rail-icon.tsx';
import { useRailWords } from '#web/ui/rails.ts';
import styles from './queue-columns.module.css';
import { WithdrawalFlags } from './withdrawal-flags.tsx';

/** How many characters of an address's ends stand below the method. */
const ENDS = 4;

/** The columns of the queue. Rarely needed ones are hidden by default. */
export function useQueueColumns(
  isBesideSheet: boolean,
): Column<QueuedWithdrawal, SortOf<typeof readWithdrawalQueue>>[] {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const time = (iso: string | null) => (iso === null ? '–' : formatTime(iso, language));
  return [
    {
      key: 'method',
      heading: t('queue.columns.method'),
      cell: (row) => <Method row={row} />,
      defaultVisibility: 'medium',
    },
    {
      key: 'amount',
      heading: t('queue.columns.amount'),
      cell: ({ amount }) => (
        <>
          <span className={styles.amount}>{formatAmount(amount)}</span>
          <span className={styles.second}>{formatDollars(amount)}</span>
        </>
      ),
      sort: 'amount',
      isFigure: true,
    },
    {
      key: 'state',
      heading: t('queue.columns.state'),
      cell: (row) => <WithdrawalFlags row={row} isBesideSheet={isBesideSheet} />,
    },
    {
      key: 'address',
      heading: t('queue.columns.address'),
      cell: ({ address }) => <Reference text={address} />,
      defaultVisibility: 'hidden',
    },
    {
      key: 'payout',
      heading: t('queue.columns.payout'),
      cell: ({ payoutState }) => t(`payoutState.${payoutState}`),
      defaultVisibility: 'hidden',
    },
    {
      key: 'transaction',
      heading: t('queue.columns.transaction'),
      cell: ({ txId }) => <Reference text={txId ?? '–'} />,
      defaultVisibility: 'hidden',
    },
    {
      key: 'decided',
      heading: t('queue.columns.decided'),
      cell: ({ processedAt }) => <span className="dim">{time(processedAt)}</span>,
      isFigure: true,
      defaultVisibility: 'hidden',
    },
    {
      key: 'requested',
      heading: t('queue.columns.requested'),
      cell: ({ createdAt }) => <Age at={createdAt} isQuiet />,
      sort: 'createdAt',
      isFigure: true,
    },
  ];
}

const Reference = ({ text }: { text: string }) => (
  <span className={`mono ${styles.reference}`} title={text}>
    {shortenMiddle(text)}
  </span>
);

/** How it is paid, and the ends of where it goes. */
function Method({ row: { method, address } }: { row: OperatorWithdrawal }) {
  const { nameOf } = useRailWords();
  return (
    <>
      <span className={styles.method}>
        <RailIcon method={method} size={16} stroke={2} />
        {nameOf(method)}
      </span>
      <span className={`mono ${styles.second}`} title={address}>
        {shortenMiddle(address, ENDS)}
      </span>
    </>
  );
}

/** The method and the worth of a request, on a phone. */
export function CardMethod({ row }: { row: OperatorWithdrawal }) {
  const { nameOf } = useRailWords();
  return (
    <span className={styles.cardMethod}>
      <RailIcon method={row.method} size={14} stroke={2} />
      {nameOf(row.method)}, {formatDollars(row.amount)}
    </span>
  );
}
