import { sentence } from '#contract/operator-sentences.ts';
import type { Reader } from '#platform/database.ts';
import { refuse } from '#platform/refusal.ts';
import { findOwnerOf, readFormerPayments, readUnaccountedAmong } from './accounted-queries.ts';
import { amountText } from './payout-amount.ts';
import { findPayingAccount, notePossible, replacePayment } from './payout-queries.ts';
import { findPayment, postpone, postponeAlone, refuseUnseen, type Step, type Turn } from './payout-turn.ts';
import type { Payout } from './queries.ts';
import type { Payment, PaymentOrder, PaymentStatus, Rail } from './rails/rail.ts';
import { recordSentPayment } from './sent-payments.ts';
import { type TimelineParts, verifyTimeline } from './timelines.ts';

/**
 * Payments that a payout had before. Each was impossible once. One that is listed again, or that a comparison found, is
 * looked at by itself: one that is final was made for this payout and paid it, so it is taken as its own again. One
 * that can never be made is no payment. Until either is certain, no other payment is made and no points return.
 */
export type FormerVerdict =
  /** This one is final, and pays the payout exactly. */
  | { kind: 'made'; payment: Payment }
  /**
   * One of them may still be made. `isOwn`: the outside party said so of this one, and is well. `sendable`: another
   * account prepared it, and an operator can have it sent.
   */
  | { kind: 'unknown'; reason: string; isOwn: boolean; sendable?: Payment | undefined }
  /** Only an operator can know of those that another account made. The others can never be made. */
  | { kind: 'unlisted'; ofFormerAccount: string[]; impossible: string[]; reason: string }
  /** None of them may still be made. The references are those of the ones that can never be. */
  | { kind: 'ended'; impossible: string[] };

type FormerPayout = PaymentOrder & { method: string; reference: string | null; account: string | null };

/** Looks at the payments of these references that a payout had before. */
export async function judgeFormer(
  database: Reader,
  rail: Rail,
  payout: FormerPayout,
  references: readonly string[],
): Promise<FormerVerdict> {
  const former = await readFormerPayments(database, payout, references);
  const impossible: string[] = [];
  const ofFormerAccount: string[] = [];
  let doubt: Doubt | undefined;
  for (const payment of former) {
    const verdict = await judgeOne(rail, payout, payment);
    if (verdict === 'made') return { kind: 'made', payment };
    if (verdict === 'impossible') impossible.push(payment.reference);
    else {
      const { isAbsent } = verdict;
      const judged =
        isAbsent && (await isOfFormerAccount(database, payout)) ? await findSeen(rail, payment) : verdict;
      if (judged === undefined) ofFormerAccount.push(payment.reference);
      // That the outside party did not answer is a trouble of others as well, so it is told first.
      else if (doubt === undefined || !judged.isOwn) doubt = judged;
    }
  }
  if (doubt !== undefined)
    return { kind: 'unknown', reason: doubt.reason, isOwn: doubt.isOwn, sendable: doubt.sendable };
  if (ofFormerAccount.length === 0) return { kind: 'ended', impossible };
  const sentences = ofFormerAccount.map((reference) => sentence('payment-of-former-account', { reference }));
  const reason = [...sentences, sentence('look-payment-up')].join(' ');
  return { kind: 'unlisted', ofFormerAccount, impossible, reason };
}

/** Why a payment may be made. `isOwn` as in `FormerVerdict`. */
type Doubt = { reason: string; isOwn: boolean; sendable?: Payment };

async function judgeOne(
  rail: Rail,
  { destination, amountUnits }: FormerPayout,
  payment: Payment,
): Promise<'made' | 'impossible' | (Doubt & { isAbsent: boolean })> {
  const { reference } = payment;
  const doubt = (kind: string, reason: string | null) => ({
    reason: [sentence('former-payment-open', { reference }), reason]
      .filter((text) => text !== null)
      .join(' '),
    isOwn: kind !== 'unknown',
    isAbsent: kind === 'absent',
  });
  const status = await rail.inspect({ ...payment, destination, amountUnits });
  if (isImpossible(status)) return 'impossible';
  if (status.kind !== 'settled') return doubt(status.kind, status.reason);
  const found = await rail.find(reference, destination);
  if (found.kind === 'unknown') return doubt('unknown', found.reason);
  if (found.kind === 'absent') return doubt('settled', found.reason);
  return found.paidUnits === amountUnits
    ? 'made'
    : doubt('settled', paysInstead(found.paidUnits, amountUnits));
}

/**
 * Whether another account than the present one made the payments of a payout. That happens to one that is not done only
 * if an operator said that the account is lost, or after a restore. The present account lists none of them.
 */
export async function isOfFormerAccount(
  database: Reader,
  { method, account }: Pick<FormerPayout, 'method' | 'account'>,
): Promise<boolean> {
  const present = await findPayingAccount(database, method);
  return account !== null && present !== null && present !== account;
}

/** Why a payment of a former account can't be called never made. Undefined if only an operator can know. */
export async function findSeen(rail: Rail, payment: Payment): Promise<Doubt | undefined> {
  const seen = (await rail.findAnywhere?.(payment)) ?? { kind: 'unseen' };
  if (seen.kind === 'unseen') return undefined;
  if (seen.kind === 'unknown') return { reason: seen.reason, isOwn: false };
  const what = sentence('payment-of-former-account', { reference: payment.reference });
  if (seen.kind === 'seen') return { reason: `${what} ${sentence('payment-was-sent')}`, isOwn: true };
  return { reason: `${what} ${sentence('payment-can-be-made')}`, isOwn: true, sendable: payment };
}

/**
 * Finds a payment of the payout itself by its reference, which another account made and whose end only an operator can
 * know. Undefined if the rail knows it.
 */
export async function findUnlistedOwn(
  database: Reader,
  rail: Rail,
  payout: Payout,
  reference: string,
): Promise<Payment | undefined> {
  if (!(await isOfFormerAccount(database, payout))) return undefined;
  const own = findPayment(payout);
  const payment =
    own?.reference === reference ? own : (await readFormerPayments(database, payout, [reference]))[0];
  if (payment === undefined) return undefined;
  const { destination, amountUnits } = payout;
  const status = await rail.inspect({ ...payment, destination, amountUnits });
  return status.kind === 'absent' ? payment : undefined;
}

/** Says that a payment pays another amount than its payout. */
export const paysInstead = (paidUnits: bigint, payoutUnits: bigint): string =>
  sentence('pays-another-amount', {
    paidAmount: amountText(paidUnits),
    payoutAmount: amountText(payoutUnits),
  });

/** Whether a payment can certainly never be made. */
export const isImpossible = (status: PaymentStatus): boolean =>
  status.kind === 'failed' || status.kind === 'lapsed' || (status.kind === 'replaced' && status.isFinal);

/**
 * Refuses to give up a payout whose own payment may still be made. One that a rival replaced can't, but the rival may
 * have paid the member: it must be another payout's, or pay another amount and be known to the operator. A rival of the
 * whole amount settles the payout. One of an account that pays no more must be known to the operator as well.
 * @returns the own payment, if only the operator's word says that it can never be made
 * @throws Refusal `payout-unclear`
 */
export async function requireImpossible(
  { database, lease }: Pick<Turn, 'database' | 'lease'>,
  rail: Rail,
  payout: Payout,
  shown: readonly string[],
): Promise<readonly string[]> {
  const payment = findPayment(payout);
  if (payment === undefined) return [];
  const { reference } = payment;
  const status = await rail.inspect(payment);
  if (status.kind === 'absent' && (await isOfFormerAccount(database, payout))) {
    const seen = await findSeen(rail, payment);
    if (seen !== undefined) throw refuse('payout-unclear', seen.reason);
    if (shown.includes(reference)) return [reference];
    const references = [reference];
    const reason = `${sentence('payment-of-former-account', { reference })} ${sentence('look-payment-up')}`;
    await notePossible(database, lease, payout.withdrawalId, { payments: [], references, reason });
    throw refuseUnseen({ references, reason });
  }
  if (!isImpossible(status)) throw refuse('payout-unclear');
  if (status.kind !== 'replaced') return [];
  const { by, isSame, reason } = status;
  if ((await readUnaccountedAmong(database, payout, [by.reference])).length === 0) return [];
  const known = [...shown, ...payout.clearedReferences];
  if (isSame || !known.includes(by.reference)) throw refuseUnseen({ references: [by.reference], reason });
  return [];
}

/**
 * Gives a payout the payment back that it had before and that was made after all. Undefined if the payout changed
 * since.
 */
export async function adoptMade(turn: Turn, payout: Payout, former: Payment): Promise<Payout | undefined> {
  const { reference } = former;
  const reason = sentence('former-payment-made', { reference });
  const next = await replacePayment(turn.database, turn.lease, payout, former, reason);
  if (next === undefined) return undefined;
  await verifyTimeline(turn);
  turn.log.warn({ withdrawal: payout.withdrawalId, reference }, 'a payout was paid by a former payment');
  return next;
}

/**
 * Refuses an act while the record of sent payments or the marker can't be written. @throws Refusal `payout-unavailable`
 */
export async function requireRecordable(platform: TimelineParts): Promise<void> {
  const reason = await verifyTimeline(platform, true);
  if (reason !== undefined) throw refuse('payout-unavailable', reason);
}

type Taker = Pick<Payout, 'withdrawalId' | 'method' | 'destination'>;

/**
 * Records whose a payment is that was made elsewhere and that a payout or a request has taken over, and raises the
 * marker. This is after the commit: the line of an act that was refused would name the wrong member. After a restore
 * that one would be held, and the one who was paid would not. Without the line, as after a crash right here, nobody
 * knows whose the payment is, so all who ask after the restore wait.
 */
export async function recordTakenOver(
  platform: TimelineParts,
  taker: Taker,
  reference: string,
): Promise<void> {
  await recordSentPayment(platform, taker, reference);
  await verifyTimeline(platform);
}

/**
 * Records a payment that was prepared for the payout itself, before an act gives it back: a sweep may send it at once.
 * An act that is refused then leaves the line. It is true all the same, because this payment can be no other payout's.
 * @throws Refusal `payout-unavailable`
 */
export async function requireRecorded(
  platform: TimelineParts,
  payout: Taker,
  reference: string,
): Promise<void> {
  await requireRecordable(platform);
  await recordSentPayment(platform, payout, reference);
}

/** A step of a payout that such a payment paid. */
export async function takeMade(turn: Turn, payout: Payout, former: Payment): Promise<Step> {
  const next = await adoptMade(turn, payout, former);
  return next ? { next } : postpone(turn, payout, null);
}

/** Adopts a rival payment that paid the member exactly the amount. An operator must settle any other. */
export async function adoptRival(
  turn: Turn,
  payout: Payout,
  { by, isSame, reason }: Extract<PaymentStatus, { kind: 'replaced' }>,
): Promise<Step> {
  const { reference } = by;
  if (!isSame) return postponeAlone(turn, payout, reason);
  if ((await findOwnerOf(turn.database, payout, reference)) !== undefined)
    return postponeAlone(turn, payout, sentence('payment-of-another-payout', { reference }));
  const unrecordable = await verifyTimeline(turn, true);
  if (unrecordable !== undefined) return postpone(turn, payout, unrecordable);
  const replaced = sentence('payment-replaced', { reference });
  const next = await replacePayment(turn.database, turn.lease, payout, by, replaced);
  if (next === undefined) return postpone(turn, payout, null);
  await recordTakenOver(turn, payout, reference);
  turn.log.warn({ withdrawal: payout.withdrawalId, reference }, 'a payout was paid by another payment');
  return { next };
}
