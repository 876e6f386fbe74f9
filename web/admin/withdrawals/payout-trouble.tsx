import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import type { ExaminedWithdrawal } from '#contract/withdrawals-decisions.ts';
import { type Payout, type PossiblePayment, readPayouts } from '#contract/withdrawals-payouts.ts';
import { useRead } from '#web/client/use-call.ts';
import { findRail, useRails } from '#web/ui/rails.ts';
import { Banner, ServerSentence } from './banner.tsx';
import { type ActName, type ActTarget, PayoutActDialog } from './payout-act-dialog.tsx';
import { PossiblePayments } from './possible-payments.tsx';

/**
 * A payout that is not done: why, and what an operator can do about it. The same for a pending request that may be paid
 * already.
 */

const POLL_MS = 5_000;
const payoutActs: readonly ActName[] = ['retry', 'settle', 'fail'];
const requestActs: readonly ActName[] = ['settleRequest', 'clear'];

export type Trouble = { acts: readonly ActName[]; target: ActTarget };

/** What is wrong with an approved request's payout, or with a pending request; undefined if nothing is. */
export function useTrouble(
  row: OperatorWithdrawal,
  examined: ExaminedWithdrawal | undefined,
): Trouble | undefined {
  const isUnderWay = row.status === 'approved' && row.payoutState !== 'confirmed';
  const { data } = useRead(
    readPayouts,
    { query: { id: row.id } },
    { enabled: isUnderWay, refetchInterval: POLL_MS },
  );
  const rail = findRail(useRails().data, row.method);
  const { id, address, possibleTxIds } = row;
  const currency = rail?.currency ?? '';
  const shared = { id, address, isCode: rail?.destination?.kind === 'code', currency };
  if (row.status === 'pending' && possibleTxIds.length > 0) {
    const listed = examined?.possiblePayments ?? [];
    const possible = possibleTxIds.map((txId) => listed.find((one) => one.txId === txId) ?? unread(txId));
    return {
      acts: requestActs,
      target: { ...shared, amount: '', trouble: examined?.trouble ?? '', possible },
    };
  }
  const payout: Payout | undefined = isUnderWay ? data?.payouts[0] : undefined;
  if (payout === undefined || payout.trouble === null) return undefined;
  const amount = rail === undefined ? payout.coinAmount : `${payout.coinAmount} ${rail.currency}`;
  const { trouble, possiblePayments: possible } = payout;
  return { acts: payoutActs, target: { ...shared, amount, trouble, possible } };
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
      <p>
        <ServerSentence text={target.trouble} />
      </p>
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
          {...(act === 'fail' && { variant: 'outline', color: 'brick' })}
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
