import { Button } from '@mantine/core';
import type { TFunction } from 'i18next';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import type { ExaminedWithdrawal } from '#contract/withdrawals-decisions.ts';
import {
  type ListedPayout,
  type Payout,
  type PossiblePayment,
  readPayouts,
} from '#contract/withdrawals-payouts.ts';
import { ServerSentence } from '#web/admin/kit/server-sentence.tsx';
import { Fact } from '#web/admin/kit/sheet-parts.tsx';
import { formatAmount, formatClock } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { findRail, type RailFacts, useRails } from '#web/ui/rails.ts';
import { Banner } from './banner.tsx';
import { RestoreOpener, saysPointsHeld } from './held-points.tsx';
import { type ActName, type ActTarget, PayoutActDialog, TroubleText } from './payout-act-dialog.tsx';
import styles from './payouts.module.css';
import { PossiblePayments } from './possible-payments.tsx';

/**
 * A payout that is not done. One in the ordinary course is a line with its reason. One in trouble says why, and what an
 * operator can do about it, as does a pending request that may be paid already.
 */

const POLL_MS = 5_000;
const requestActs: readonly ActName[] = ['settleRequest', 'clear'];

export type Trouble = {
  /** What a pending request needs first; none for a payout, which names its own acts. */
  acts: readonly ActName[];
  target: ActTarget;
};

/** The payout of an approved request that is not done; undefined for another request, and until it is read. */
export function useOpenPayout(row: OperatorWithdrawal): ListedPayout | undefined {
  const isUnderWay = row.status === 'approved' && row.payoutState !== 'confirmed';
  const { data } = useRead(
    readPayouts,
    { query: { id: row.id } },
    { enabled: isUnderWay, refetchInterval: POLL_MS },
  );
  return isUnderWay ? data?.payouts[0] : undefined;
}

/** What is wrong with an approved request's payout, or with a pending request; undefined if nothing is. */
export function useTrouble(
  row: OperatorWithdrawal,
  examined: ExaminedWithdrawal | undefined,
  payout: Payout | undefined,
): Trouble | undefined {
  const rail = findRail(useRails().data, row.method);
  const { possibleTxIds } = row;
  if (row.status === 'pending' && possibleTxIds.length > 0) {
    const listed = examined?.possiblePayments ?? [];
    const possible = possibleTxIds.map((txId) => listed.find((one) => one.txId === txId) ?? unread(txId));
    return {
      acts: requestActs,
      target: {
        ...recipientOf(row, rail),
        amount: '',
        trouble: examined?.trouble ?? '',
        troubleAt: null,
        possible,
      },
    };
  }
  if (payout === undefined || payout.trouble === null || !payout.isTroubled) return undefined;
  return { acts: [], target: targetOf(payout, row, rail) };
}

type Recipient = Pick<OperatorWithdrawal, 'id' | 'address' | 'amount'>;

const recipientOf = ({ id, address, amount }: Recipient, rail: RailFacts | undefined) => ({
  id,
  address,
  points: formatAmount(amount),
  isCode: rail?.destination?.kind === 'code',
  currency: rail?.currency ?? '',
});

/** What the acts on a payout are about. */
export function targetOf(
  { coinAmount, trouble, troubleAt, possiblePayments: possible }: Payout,
  recipient: Recipient,
  rail: RailFacts | undefined,
): ActTarget {
  const amount = rail === undefined ? coinAmount : `${coinAmount} ${rail.currency}`;
  return { ...recipientOf(recipient, rail), amount, trouble: trouble ?? '', troubleAt, possible };
}

type PayoutFactProps = { row: OperatorWithdrawal; payout: Payout | undefined };

/** The state of a payout, and of one that is not done and goes on by itself the reason. */
export function PayoutFact({ row, payout }: PayoutFactProps) {
  const { t } = useTranslation();
  const course = usePayoutCourse(payout);
  return (
    <Fact label={t('queue.sheet.payout')} {...(course !== '' && { note: course })}>
      {t(`payoutState.${payout?.state ?? row.payoutState}`)}
    </Fact>
  );
}

/** What comes next for a payout that goes on by itself; empty for one in trouble, and until it is read. */
export function usePayoutCourse(payout: Payout | undefined): string {
  const { t, i18n } = useTranslation();
  return payout === undefined ? '' : courseOf(payout, t, i18n.language);
}

function courseOf(
  { state, troubleAt, isPaused, isTroubled }: Payout,
  t: TFunction,
  language: string,
): string {
  if (isTroubled) return '';
  const isUnsent = state === 'queued' || state === 'signed';
  if (isPaused) return t('queue.payoutSheet.course.paused');
  if (state === 'queued' && troubleAt !== null)
    return t('queue.payoutSheet.course.delayed', { time: formatClock(troubleAt, language) });
  return isUnsent || state === 'broadcast' ? t(`queue.payoutSheet.course.${state}`) : '';
}

/** Why a payout is not done, short, as a row of the list has room for it. Null of one that is done. */
export function usePayoutReason(): (payout: ListedPayout) => ReactNode {
  const { t, i18n } = useTranslation();
  return (payout) => {
    const { trouble, failReason, isTroubled, isPaused } = payout;
    const text = trouble ?? failReason;
    if (text === null) return null;
    if (trouble !== null && isTroubled && saysPointsHeld(trouble)) return t('payouts.reasons.restored');
    if (trouble !== null && isPaused && !isTroubled) return t('payouts.reasons.paused');
    const course = trouble === null ? '' : courseOf(payout, t, i18n.language);
    return course === '' ? <ServerSentence text={text} isPlain /> : course;
  };
}

/** A payment of which only the id is read yet. */
const unread = (txId: string): PossiblePayment => ({
  txId,
  coinAmount: null,
  at: null,
  address: null,
  isSameAddress: null,
});

/** The trouble in the server's words, with the payments that an operator compares. */
export function TroubleBanner({ title, target }: { title: string; target: ActTarget }) {
  return (
    <Banner title={title}>
      <TroubleText target={target} />
      <RestoreOpener text={target.trouble} />
      <PossiblePayments payments={target.possible} currency={target.currency} />
    </Banner>
  );
}

/** The buttons of the acts, for the foot of the sheet. */
export function TroubleActs({ acts, target }: Trouble) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<ActName | null>(null);
  return (
    <>
      {acts.map((act) => (
        <Button
          key={act}
          variant="default"
          className={styles.act}
          {...(act === 'fail' && { className: styles.giveUp, variant: 'outline', color: 'brick' })}
          onClick={() => setOpen(act)}
        >
          {t(`queue.payoutSheet.${act}.open`)}
        </Button>
      ))}
      {open !== null && (
        <PayoutActDialog key={open} act={open} target={target} onClose={() => setOpen(null)} />
      )}
    </>
  );
}
