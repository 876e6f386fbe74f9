import { sentence } from '#contract/operator-sentences.ts';
import type { UnaccountedRow } from './accounted-queries.ts';
import { type MethodParts, setUpRail } from './payment-methods.ts';
import { findAccountTrouble } from './payout-comparison.ts';
import { isImpossible, isOfFormerAccount } from './payout-own-payments.ts';
import { isAccountLeftSince } from './payout-queries.ts';
import { findPayout } from './queries.ts';
import type { Rail } from './rails/rail.ts';
import { findPendingReconciliation, isGivenUp } from './reconciliation-queries.ts';

type Asked = Pick<UnaccountedRow, 'method' | 'reference' | 'destination' | 'withdrawalId' | 'paidAt'>;

/** What the outside party says of a payment of the record, by its reference alone. */
export type PaymentWord =
  /** It is final. */
  | { kind: 'made' }
  /** It can certainly never be made, and no other payment to its destination has its place. */
  | { kind: 'impossible' }
  /** It can never be made, because another payment to its destination has its place: a raised fee, for example. */
  | { kind: 'replaced'; by: string; paidUnits: bigint }
  /** The account that pays does not have it. */
  | { kind: 'absent' }
  /** Nobody can tell: its account answers no more, and an operator has given its comparison up or left the account. */
  | { kind: 'unseen' }
  /** It is not certain yet, or cannot be asked now. */
  | { kind: 'open'; reason: string };

/** Asks what became of a payment, before an operator says that it was made, or that it was not. */
export async function askOfPayment(platform: MethodParts, payment: Asked): Promise<PaymentWord> {
  const { database } = platform;
  const { method } = payment;
  const setup = await setUpRail(platform, method);
  const word = await wordOf(setup.kind === 'usable' ? setup.rail : setup.reason, payment);
  if (word.kind === 'unknown')
    return (await isGivenUp(database, method)) ? { kind: 'unseen' } : { ...word, kind: 'open' };
  if (word.kind !== 'absent' || setup.kind === 'unusable') return word;
  if ((await findPendingReconciliation(database, method)) !== undefined)
    return { kind: 'open', reason: sentence('must-compare') };
  const trouble = await findAccountTrouble(database, setup.rail, method, new Date());
  if (trouble !== undefined) return { kind: 'open', reason: trouble };
  if (await isAccountLeftSince(database, payment)) return { kind: 'unseen' };
  const payout = payment.withdrawalId === null ? undefined : await findPayout(database, payment.withdrawalId);
  return payout !== undefined && (await isOfFormerAccount(database, payout)) ? { kind: 'unseen' } : word;
}

type Word = Exclude<PaymentWord, { kind: 'unseen' }> | { kind: 'unknown'; reason: string };

/** What the outside party says of a payment by its rail, or by the reason why it can't be asked. */
export async function wordOf(
  rail: Rail | string,
  { reference, destination }: Pick<Asked, 'reference' | 'destination'>,
): Promise<Word> {
  if (typeof rail === 'string') return { kind: 'unknown', reason: rail };
  const found = await rail.find(reference, destination);
  if (found.kind === 'unknown') return found;
  if (found.kind === 'absent') {
    if (found.replaced === undefined) return { kind: 'absent' };
    const { isFinal, by } = found.replaced;
    return isFinal
      ? wordOfReplaced(rail, { reference, destination }, by)
      : { kind: 'open', reason: found.reason };
  }
  const status = await rail.inspect({ ...found.payment, destination, amountUnits: found.paidUnits });
  if (status.kind === 'unknown') return status;
  if (status.kind === 'settled') return { kind: 'made' };
  if (status.kind === 'replaced' && status.isFinal)
    return wordOfReplaced(rail, { reference, destination }, status.by.reference);
  if (isImpossible(status)) return { kind: 'impossible' };
  return { kind: 'open', reason: sentence('payment-undecided', { reference }) };
}

/** One that a final payment replaced. Nothing is certain while nobody knows what that one paid to the destination. */
async function wordOfReplaced(
  rail: Rail,
  { reference, destination }: Pick<Asked, 'reference' | 'destination'>,
  by: string | null,
): Promise<Word> {
  const found = by === null ? undefined : await rail.find(by, destination);
  if (by === null || found?.kind !== 'found')
    return { kind: 'open', reason: sentence('payment-undecided', { reference }) };
  return found.paidUnits > 0n ? { kind: 'replaced', by, paidUnits: found.paidUnits } : { kind: 'impossible' };
}
