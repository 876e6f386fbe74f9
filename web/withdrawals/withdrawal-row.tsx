import { Button } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
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
import { type WithdrawalState, withdrawalStateOf } from '#web/ui/withdrawal-state.ts';
import styles from './withdrawal-list.module.css';
import { WithdrawalTrack } from './withdrawal-track.tsx';

type Entry = ReplyOf<typeof readWithdrawals>['data'][number];

/** A withdrawal: method, time, state, amount. The one that a link names by its hash is marked and scrolled to. */
export function WithdrawalRow({ entry }: { entry: Entry }) {
  const { t, i18n } = useTranslation();
  const { nameOf } = useRailWords();
  const isNamed = useLocation({ select: ({ hash }) => hash === entry.id });
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isNamed) row.current?.scrollIntoView({ block: 'center' });
  }, [isNamed]);
  return (
    <li ref={row} aria-current={isNamed || undefined}>
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
        <WithdrawalBadge {...entry} />
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
  const state = withdrawalStateOf(entry);
  return (
    <>
      <WithdrawalTrack state={state} />
      {entry.status === 'pending' ? (
        <CancelButton id={entry.id} amount={entry.amount} />
      ) : (
        <p className={styles.words}>
          {t(sentenceOf(state), { day })}
          {entry.txId !== null && <Transaction txId={entry.txId} isSent={isSent(state)} />}
        </p>
      )}
    </>
  );
}

function sentenceOf({ isStopped, doneCount }: WithdrawalState) {
  if (isStopped) return 'withdrawals.parked';
  return doneCount === 2 ? 'withdrawals.approvedAt' : 'withdrawals.approvedOn';
}

const isSent = ({ isStopped, doneCount }: WithdrawalState) => !isStopped && (doneCount ?? 0) > 2;

function Transaction({ txId, isSent }: { txId: string; isSent: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      {' '}
      {t(isSent ? 'withdrawals.sentTx' : 'withdrawals.transaction')}{' '}
      <span className={styles.transaction}>
        <span className="mono" title={txId}>
          {shortenMiddle(txId)}
        </span>
        <CopyButton text={txId} label={t('withdrawals.copyTx')} />
      </span>
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
