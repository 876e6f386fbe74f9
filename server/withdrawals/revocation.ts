import type { PaymentAdvice } from '#contract/withdrawals-payouts.ts';
import { digestOf } from '#platform/digest.ts';
import type { UnaccountedRow } from './accounted-queries.ts';

type Owned = Pick<
  UnaccountedRow,
  | 'method'
  | 'reference'
  | 'destination'
  | 'withdrawalId'
  | 'memberId'
  | 'points'
  | 'pointsAre'
  | 'paidBy'
  | 'isListed'
  | 'printedUnnamedAt'
  | 'suspectedId'
>;

/** What an operator can do about a payment that no payout accounts for. The commands are without their reason. */
export type Advised = {
  advice: PaymentAdvice;
  paidBy: string | null;
  /** Takes its points back. The key is the request's, so a repeated command takes nothing more. */
  revocation: string | null;
  /** Takes note of it, where nothing is to be taken back. */
  notOwed: string | null;
  /** Says that it was never made. */
  neverMade: string | null;
};

const keyOf = (withdrawalId: string): string => `paid-${withdrawalId}`;

/** The withdrawal whose points a key of `revoke` takes back. Undefined for another key. */
export const withdrawalOfKey = (key: string): string | undefined => /^paid-([0-9a-f-]{36})$/.exec(key)?.[1];

/** The key of `revoke` for a payment of which nobody knows yet whose it is. */
export const unnamedKeyOf = ({
  method,
  reference,
  destination,
}: Pick<Owned, 'method' | 'reference' | 'destination'>): string =>
  `paid-${digestOf(`${method} ${reference} ${destination}`).slice(0, 24)}`;

/** What to do about such a payment. The command line and the back office say it each in words of their own. */
export function adviceOn(payment: Owned): Advised {
  const { reference, withdrawalId, memberId, points, paidBy } = payment;
  const advice = adviceNameOf(payment);
  const mayBeUnmade = advice === 'held' || advice === 'maybe-made' || advice === 'maybe-twice';
  const isFree = advice === 'free' || advice === 'maybe-made';
  const mayRevoke = isFree || advice === 'paid-twice' || advice === 'maybe-twice';
  return {
    advice,
    paidBy,
    revocation:
      mayRevoke && withdrawalId !== null ? `revoke --key ${keyOf(withdrawalId)} ${memberId} ${points}` : null,
    notOwed: isFree || advice === 'paid-twice' ? `reconcile --not-owed ${reference}` : null,
    neverMade: mayBeUnmade ? `reconcile --never-made ${reference}` : null,
  };
}

function adviceNameOf({ withdrawalId, memberId, pointsAre, isListed, suspectedId }: Owned): PaymentAdvice {
  if (withdrawalId === null) return suspectedId === null ? 'unknown' : 'checked';
  if (memberId === null) return 'other-person';
  if (pointsAre === 'spent') return isListed ? 'paid-twice' : 'maybe-twice';
  return pointsAre === 'free' && !isListed ? 'maybe-made' : pointsAre;
}

/** The advice in words. */
export function wordsOfAdvice(payment: Owned): string {
  const { withdrawalId, points, paidBy, printedUnnamedAt, suspectedId } = payment;
  const { advice, revocation, notOwed, neverMade } = adviceOn(payment);
  switch (advice) {
    case 'unknown':
      return `no request holds its points: revoke them: revoke --key ${unnamedKeyOf(payment)} MEMBER POINTS`;
    case 'checked':
      return `request ${suspectedId} may be paid by it: settle or clear that one. Until then nothing to revoke`;
    case 'other-person':
      return `it paid ${points} points of a member who is not in this database: nothing to revoke`;
    case 'held':
      return `its points are held by request ${withdrawalId}: nothing to revoke`;
    case 'maybe-made':
      return (
        `no request holds its points, and no list has it: look it up. If it was made: ${revocation} REASON. ` +
        `If it was certainly never made: ${neverMade} REASON`
      );
    case 'maybe-twice':
      return (
        `request ${withdrawalId} is paid by ${paidBy}, and no list has this one: look it up. If it was made as well, ` +
        `it was paid twice: ${revocation} REASON. If it was certainly never made: ${neverMade} REASON`
      );
  }
  if (printedUnnamedAt !== null)
    return (
      `printed on ${printedUnnamedAt.toISOString()} before its member was known. If its points were revoked already: ` +
      `${notOwed} REASON; else ${revocation}`
    );
  return advice === 'free'
    ? `no request holds its points: ${revocation}`
    : `request ${withdrawalId} is paid by ${paidBy}, so it was paid twice: ${revocation}`;
}
