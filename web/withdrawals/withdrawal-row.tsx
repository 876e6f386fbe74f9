import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#contract/endpoint.ts';
import { cancelWithdrawal, type readWithdrawals } from '#contract/withdrawals.ts';
import { formatAmount, formatDay, formatTime, shortenMiddle } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { Amount } from '#web/ui/amount.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { RailIcon } from '#web/ui/rail-icon.tsx';
import { useRailWords } from '#web/ui/rails.ts';
import rows from '#web/ui/rows.module.css';
import { toast } from '#web/ui/toast.tsx';
import { WithdrawalBadge } from '#web/ui/withdrawal-badge.tsx';
import styles from './withdrawal-list.module.css';
import { WithdrawalTrack } from './withdrawal-track.tsx';

type Entry = ReplyOf<typeof readWithdrawals>['data'][number];

/** A withdrawal: method, time, state, amount. */
export function WithdrawalRow({ entry }: { entry: Entry }) {
  const { t, i18n } = useTranslation();
  const { nameOf } = useRailWords();
  return (
    <li>
      <span className={rows.plate}>
        <RailIcon method={entry.method} />
      </span>
      <div>
        <p className={styles.method}>{nameOf(entry.method)}</p>
        <p className="caption dimmer num">{formatTime(entry.createdAt, i18n.language)}</p>
        <p className="caption dimmer" title={entry.address}>
          {t('withdrawals.to', { address: shortenMiddle(entry.address) })}
        </p>
      </div>
      <div className={styles.middle}>
        <WithdrawalProgress entry={entry} />
      </div>
      <span className={styles.amount}>
        <Amount points={entry.amount} />
      </span>
      <span className={styles.badge}>
        <WithdrawalBadge status={entry.status} payoutState={entry.payoutState} />
      </span>
    </li>
  );
}

/** The steps of a withdrawal, with the transaction once it is sent, or the reason of a rejection. */
function WithdrawalProgress({ entry }: { entry: Entry }) {
  const { t, i18n } = useTranslation();
  const day = formatDay(entry.processedAt ?? entry.createdAt, i18n.language);
  if (entry.status === 'rejected') {
    return entry.rejectionCode === 'cancelled' ? (
      <p>
        {t('withdrawals.cancelledOn', { day })} {t('withdrawals.returned')}
      </p>
    ) : (
      <>
        <p>
          {entry.rejectionReason === null
            ? t('withdrawals.noReason')
            : t('withdrawals.turnedDown', { reason: entry.rejectionReason })}
        </p>
        <p>
          {t('withdrawals.rejectedOn', { day })} {t('withdrawals.returned')}
        </p>
      </>
    );
  }
  if (entry.status === 'pending') {
    return (
      <>
        <WithdrawalTrack now="review" />
        <CancelButton id={entry.id} amount={entry.amount} />
      </>
    );
  }
  if (entry.txId === null) {
    return (
      <>
        <WithdrawalTrack now="sent" />
        <p className={styles.words}>
          {t(entry.payoutState === 'parked' ? 'withdrawals.parked' : 'withdrawals.approvedAt', { day })}
        </p>
      </>
    );
  }
  return (
    <>
      <WithdrawalTrack now={entry.isConfirmed ? 'done' : 'confirmed'} />
      <p className={styles.words}>
        {t('withdrawals.approvedOn', { day })} {t('withdrawals.sentTx')}{' '}
        <span className={styles.transaction}>
          <span className="mono" title={entry.txId}>
            {shortenMiddle(entry.txId)}
          </span>
          <CopyButton text={entry.txId} label={t('withdrawals.copyTx')} />
        </span>
      </p>
    </>
  );
}

/** Takes a pending request back. Its points return at once. */
function CancelButton({ id, amount }: { id: string; amount: string }) {
  const { t } = useTranslation();
  const { mutate, isPending } = useAct(cancelWithdrawal);
  const cancel = () =>
    mutate(
      { params: { id } },
      {
        onSuccess: () => toast.ok(t('withdrawals.cancelled', { amount: formatAmount(amount) })),
        onError: (error) => toast.bad(t(`refusals.${error.code}`)),
      },
    );
  return (
    <Button variant="default" size="sm" mt="xs" loading={isPending} onClick={cancel}>
      {t('withdrawals.cancel')}
    </Button>
  );
}
