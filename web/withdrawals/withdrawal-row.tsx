import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { readWithdrawals } from '#contract/withdrawals.ts';
import { formatAmount, formatDay, formatTime, shortenMiddle } from '#web/client/format.ts';
import { Amount } from '#web/ui/amount.tsx';
import { RailIcon } from '#web/ui/rail-icon.tsx';
import { useRailWords } from '#web/ui/rails.ts';
import rows from '#web/ui/rows.module.css';
import { WithdrawalBadge } from '#web/ui/withdrawal-badge.tsx';
import { type WithdrawalState, withdrawalStateOf } from '#web/ui/withdrawal-state.ts';
import { CancelButton } from './cancel-button.tsx';
import { useProcessingTime } from './processing-time.ts';
import { TransactionId } from './transaction-id.tsx';
import { useArePayoutsPaused } from './waiting.ts';
import styles from './withdrawal-list.module.css';
import { WithdrawalTrack } from './withdrawal-track.tsx';

export type Entry = ReplyOf<typeof readWithdrawals>['data'][number];

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
        <p className={styles.method}>
          <Link
            to="/withdrawal"
            search={(search) => ({ ...search, request: entry.id })}
            className="link"
            aria-label={t('withdrawals.receipt.open', {
              method: nameOf(entry.method),
              amount: formatAmount(entry.amount),
            })}
          >
            {nameOf(entry.method)}
          </Link>
        </p>
        <p className="caption dimmer num">{formatTime(entry.createdAt, i18n.language)}</p>
        <p className="caption dimmer" title={entry.address}>
          {t('withdrawals.to', { address: shortenMiddle(entry.address) })}
        </p>
      </div>
      <div className={styles.middle}>
        <Progress entry={entry} />
        {entry.isCancellable && <CancelButton id={entry.id} amount={entry.amount} />}
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

/** The steps of a withdrawal and what happens next, or why it was turned down. */
export function Progress({ entry, isTimed = false }: { entry: Entry; isTimed?: boolean }) {
  const { i18n } = useTranslation();
  if (entry.status === 'rejected') return <Rejection entry={entry} />;
  const state = withdrawalStateOf(entry);
  return (
    <>
      <WithdrawalTrack
        state={state}
        requestedAt={isTimed ? formatTime(entry.createdAt, i18n.language) : ''}
      />
      <NextStep entry={entry} state={state} />
    </>
  );
}

function Rejection({ entry }: { entry: Entry }) {
  const { t, i18n } = useTranslation();
  const day = formatDay(entry.processedAt ?? entry.createdAt, i18n.language);
  if (entry.rejectionCode === 'cancelled')
    return (
      <p>
        {t('withdrawals.cancelledOn', { day })} {t('withdrawals.returned')}
      </p>
    );
  return (
    <>
      {entry.rejectionReason !== null && (
        <p>{t('withdrawals.turnedDown', { reason: entry.rejectionReason })}</p>
      )}
      <p>
        {t(entry.rejectionCode === 'failed' ? 'withdrawals.failedOn' : 'withdrawals.rejectedOn', { day })}{' '}
        {t('withdrawals.returned')}
      </p>
    </>
  );
}

function NextStep({ entry, state }: { entry: Entry; state: WithdrawalState }) {
  const { before, after } = useSentences(entry, state);
  return (
    <>
      <p className={styles.words}>
        {before.join(' ')}
        {entry.txId !== null && (
          <Transaction method={entry.method} txId={entry.txId} isSent={isSent(state)} />
        )}
      </p>
      {after !== '' && <p className={styles.after}>{after}</p>}
    </>
  );
}

/** The sentences of a withdrawal that was not turned down, before and after the one with its transaction. */
function useSentences(entry: Entry, state: WithdrawalState): { before: string[]; after: string } {
  const { t, i18n } = useTranslation();
  const time = useProcessingTime();
  const paidWithin = useArePayoutsPaused() ? [] : [t('withdrawals.next.paidWithin', { time })];
  const day = formatDay(entry.processedAt ?? entry.createdAt, i18n.language);
  const isApproved = entry.status === 'approved';
  const { waitsFor, holdUntil } = entry;
  if (waitsFor !== null) {
    const until = holdUntil === null ? '' : formatTime(holdUntil, i18n.language);
    const key = waitsFor === 'disowned' && isApproved ? 'disownedApproved' : waitsFor;
    const why = t(`withdrawals.next.${key}`, { until });
    return { before: isApproved ? [t('withdrawals.approvedOn', { day }), why] : [why], after: '' };
  }
  if (!isApproved) return { before: [t('withdrawals.next.review'), ...paidWithin], after: '' };
  if (state.isStopped)
    return { before: [t('withdrawals.parked', { day })], after: t('withdrawals.next.checked') };
  if (state.doneCount === 2)
    return { before: [t('withdrawals.approvedAt', { day }), ...paidWithin], after: '' };
  const after = state.doneCount === 3 ? t('withdrawals.next.confirming') : '';
  return { before: [t('withdrawals.approvedOn', { day })], after };
}

const isSent = ({ isStopped, doneCount }: WithdrawalState) => !isStopped && (doneCount ?? 0) > 2;

type TransactionProps = { method: string; txId: string; isSent: boolean };

function Transaction({ method, txId, isSent }: TransactionProps) {
  const { t } = useTranslation();
  return (
    <>
      {' '}
      {t(isSent ? 'withdrawals.sentTx' : 'withdrawals.transaction')}{' '}
      <span className={styles.transaction}>
        <TransactionId method={method} txId={txId} />
      </span>
    </>
  );
}
