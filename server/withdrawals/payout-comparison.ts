import { sentence } from '#contract/operator-sentences.ts';
import type { Reader } from '#platform/database.ts';
import {
  type PayoutPayment,
  readPayoutPayments,
  readUnaccountedAmong,
  readUnclearedTo,
} from './accounted-queries.ts';
import { amountText } from './payout-amount.ts';
import { judgeFormer } from './payout-own-payments.ts';
import {
  findBoundAccount,
  findNewestFinalPayment,
  notePayingAccount,
  readRequestTime,
} from './payout-queries.ts';
import type { ComparedPayout, ListedNow, ListedPayment, Listing, Payment, Rail } from './rails/rail.ts';
import { readFoundPayments } from './request-check-queries.ts';

/**
 * Compares a payout that has no stored payment with the outside party's own list. A listed payment that no payout
 * accounts for, to the same destination and since the request, may be this payout's: an older copy of the database does
 * not know it. So may an older one that a reconciliation found, until an operator says that it is another's. Its amount
 * may differ, because the copy may have been approved again at another rate. A payment that may have paid it once stays
 * possible, whatever the list says later: an older copy of the account does not list it, and it can still arrive.
 */
export type Comparison =
  | { kind: 'clear' }
  /**
   * The payments that may be the payout's, and their references. `ofFormerAccount` are those that were prepared for it
   * from an account that pays no more.
   */
  | {
      kind: 'possible';
      payments: ListedPayment[];
      references: string[];
      reason: string;
      ofFormerAccount?: string[];
    }
  /** `isOwn`: because of a payment of this payout alone; the outside party is well. `sendable`: as `FormerVerdict`. */
  | { kind: 'unknown'; reason: string; isOwn?: boolean; sendable?: Payment | undefined };

/** `made`: a payment that the payout had before was made after all, and paid it. */
export type PayoutComparison = Comparison | { kind: 'made'; payment: Payment };

/** `reference` is that of the payment that it has, which is looked at by itself. */
type StoredPayout = ComparedPayout & {
  method: string;
  amountUnits: bigint;
  reference: string | null;
  account: string | null;
  possibleReferences: readonly string[];
};

/**
 * Compares one payout with a new list, and with the older payments that reconciliations found. Those that it had before
 * are looked at by themselves, also while they are not final.
 */
export async function comparePayout(
  database: Reader,
  rail: Rail,
  payout: StoredPayout,
): Promise<PayoutComparison> {
  const listed = await listSinceRequest(database, rail, payout);
  if (listed.kind === 'unknown') return listed;
  const older = (await readUnclearedTo(database, payout)).filter(
    (known) => !listed.payments.some(({ reference }) => reference === known.reference),
  );
  const others = [...listed.unaccounted, ...older].filter(({ reference }) => reference !== payout.reference);
  const comparison = comparisonOf(payout, others);
  const known = [...listed.payments, ...older].map(({ reference }) => reference);
  const compared = withUnlisted(comparison, await findUnlisted(database, payout, known));
  const named = compared.kind === 'possible' ? compared.references : [];
  const former = await judgeFormer(database, rail, payout, [...known, ...named]);
  if (former.kind === 'made' || former.kind === 'unknown') return former;
  const left = without(payout, compared, former.impossible);
  if (former.kind === 'ended') return left;
  const { ofFormerAccount, reason } = former;
  // Each of them was found or named before, so it is among what is left.
  return left.kind === 'possible'
    ? { ...left, ofFormerAccount, reason: `${left.reason} ${reason}` }
    : { kind: 'unknown', reason, isOwn: true };
}

/** A comparison without payments of the payout itself that can never be made. */
function without(payout: StoredPayout, compared: Comparison, impossible: readonly string[]): Comparison {
  if (compared.kind !== 'possible' || impossible.length === 0) return compared;
  const isLeft = (reference: string) => !impossible.includes(reference);
  const payments = compared.payments.filter(({ reference }) => isLeft(reference));
  const listed = payments.map(({ reference }) => reference);
  const unlisted = compared.references.filter((one) => isLeft(one) && !listed.includes(one));
  return withUnlisted(comparisonOf(payout, payments), unlisted);
}

/** The payments that may have paid a payout before, that are not listed now, and that no payout accounts for. */
async function findUnlisted(
  database: Reader,
  payout: StoredPayout,
  known: readonly string[],
): Promise<string[]> {
  const { possibleReferences, clearedReferences } = payout;
  const passed = [...known, ...clearedReferences, payout.reference];
  const unlisted = possibleReferences.filter((reference) => !passed.includes(reference));
  return unlisted.length === 0 ? [] : readUnaccountedAmong(database, payout, unlisted);
}

function withUnlisted(comparison: Comparison, unlisted: readonly string[]): Comparison {
  if (comparison.kind === 'unknown' || unlisted.length === 0) return comparison;
  const missing = [
    sentence('payout-possibly-paid'),
    sentence('possible-payments-unlisted', { referenceList: unlisted.join(', ') }),
  ].join(' ');
  if (comparison.kind === 'clear')
    return { kind: 'possible', payments: [], references: [...unlisted], reason: missing };
  const { references, reason } = comparison;
  return { ...comparison, references: [...references, ...unlisted], reason: `${reason} ${missing}` };
}

/** Compares a pending request with a new list since the request, and with the payments that were found before. */
export async function compareRequest(
  database: Reader,
  rail: Rail,
  request: ComparedPayout & { method: string },
): Promise<Comparison> {
  const listed = await listSinceRequest(database, rail, request);
  if (listed.kind === 'unknown') return listed;
  const found = await readFoundSinceRequest(database, request);
  const unlisted = foundElsewhere(found, listed.payments);
  return comparisonOf(request, [...listed.unaccounted, ...unlisted], 'request');
}

/** Compares a pending request with the payments that were found before alone, of an account that answers no more. */
export const compareRequestWithFound = async (
  database: Reader,
  request: ComparedPayout & { method: string },
): Promise<Comparison> => comparisonOf(request, await readFoundSinceRequest(database, request), 'request');

async function readFoundSinceRequest(
  database: Reader,
  { withdrawalId, method }: { withdrawalId: string; method: string },
): Promise<ListedPayment[]> {
  const { since } = await readRequestTime(database, withdrawalId);
  return (await readFoundPayments(database, method)).filter(({ at }) => at >= since);
}

/** The payments found before that this list does not have, because it is another account's. */
export const foundElsewhere = (
  found: readonly ListedPayment[],
  listed: readonly ListedPayment[],
): ListedPayment[] =>
  found.filter(
    (one) =>
      !listed.some(
        ({ reference, destination }) => reference === one.reference && destination === one.destination,
      ),
  );

/** Lists the payments since a request, and those of them that no payout accounts for. */
async function listSinceRequest(
  database: Reader,
  rail: Rail,
  { withdrawalId, method }: { withdrawalId: string; method: string },
) {
  const { since } = await readRequestTime(database, withdrawalId);
  const listing = await listOfKnownAccount(database, rail, method, since);
  if (listing.kind === 'unknown') return { kind: 'unknown', reason: listing.reason } as const;
  const unaccounted = await readUnaccountedOf(database, method, listing.payments);
  return { kind: 'listed', payments: listing.payments, unaccounted } as const;
}

/**
 * Reads the list of the account that made the former payments. Another account's list does not show them, so that every
 * payout would look unpaid.
 */
export async function listOfKnownAccount(
  database: Reader,
  rail: Rail,
  method: string,
  since: Date,
): Promise<Listing> {
  const listing = await rail.list(since);
  if (listing.kind === 'unknown') return listing;
  await notePayingAccount(database, method, listing.account);
  const reason = await findAccountFault(database, rail, method, listing.account);
  return reason === undefined ? listing : { kind: 'unknown', reason };
}

/** Why it is not shown that an account made the former payments. Undefined if it is. */
async function findAccountFault(
  database: Reader,
  rail: Rail,
  method: string,
  account: string | null,
): Promise<string | undefined> {
  const noted = await findBoundAccount(database, method);
  if (noted === null || noted === account) return undefined;
  if (account !== null) return sentence('other-account');
  // The account has no name, so that one of its payments must show that it is the same.
  const newest = await findNewestFinalPayment(database, method, noted);
  if (newest === undefined) return undefined;
  const status = await rail.inspect(newest);
  if (status.kind === 'unknown') return status.reason;
  return status.kind === 'absent' ? sentence('other-account') : undefined;
}

/** Asks the outside party whether the account is the one that made the former payments, and notes nothing. */
export async function findAccountTrouble(
  database: Reader,
  rail: Rail,
  method: string,
  now: Date,
): Promise<string | undefined> {
  const listing = await rail.list(now);
  return listing.kind === 'unknown'
    ? listing.reason
    : findAccountFault(database, rail, method, listing.account);
}

/** The listed payments that no payout of the method accounts for. */
export async function readUnaccountedOf(
  database: Reader,
  method: string,
  listed: readonly ListedNow[],
): Promise<ListedPayment[]> {
  const references = [...new Set(listed.map(({ reference }) => reference))];
  return unaccountedOf(listed, await readPayoutPayments(database, method, references));
}

/**
 * Subtracts the payments of payouts from the listed ones. Several entries of one payment to one destination count
 * together. A final payment of a payout that failed, or that has another payment, was made after all: the points are
 * back in a balance, or the member is paid twice. So no payout accounts for it.
 */
function unaccountedOf(listed: readonly ListedNow[], payments: readonly PayoutPayment[]): ListedPayment[] {
  const sums = new Map<string, ListedNow>();
  for (const payment of listed) {
    const key = `${payment.reference} ${payment.destination}`;
    const sum = sums.get(key);
    sums.set(key, sum ? { ...sum, amountUnits: sum.amountUnits + payment.amountUnits } : payment);
  }
  return [...sums.values()].flatMap(({ isFinal, ...payment }) => {
    const known = payments.filter(
      ({ reference, destination, isEnded }) =>
        reference === payment.reference && destination === payment.destination && !(isFinal && isEnded),
    );
    if (known.some((one) => one.amountUnits === null)) return [];
    const amountUnits = known.reduce((rest, one) => rest - (one.amountUnits ?? 0n), payment.amountUnits);
    return amountUnits > 0n ? [{ ...payment, amountUnits }] : [];
  });
}

export function comparisonOf(
  payout: ComparedPayout,
  unaccounted: readonly ListedPayment[],
  subject: 'payout' | 'request' = 'payout',
): Comparison {
  const possible = unaccounted.filter(
    ({ reference, destination, withdrawalId }) =>
      !payout.clearedReferences.includes(reference) &&
      (withdrawalId === null ? destination === payout.destination : withdrawalId === payout.withdrawalId),
  );
  if (possible.length === 0) return { kind: 'clear' };
  const payments = possible.map(
    ({ reference, amountUnits, at }) =>
      `${reference} (${amountUnits > 0n ? `${amountText(amountUnits)}, ` : ''}${at.toISOString()})`,
  );
  return {
    kind: 'possible',
    payments: possible,
    references: possible.map(({ reference }) => reference),
    reason: [
      sentence(`${subject}-possibly-paid`),
      sentence('possible-payments', { paymentList: payments.join(', ') }),
    ].join(' '),
  };
}

/**
 * The payments that a retry calls others': the listed ones, and those that the payout names, which the list may lack
 * for a while.
 */
export function clearedBy(
  { possibleReferences }: Pick<StoredPayout, 'possibleReferences'>,
  comparison: PayoutComparison | undefined,
  shown: readonly string[],
): string[] {
  const listed = comparison?.kind === 'possible' ? comparison.references : [];
  const named = possibleReferences.filter((one) => shown.includes(one));
  return [...new Set([...listed, ...named])];
}

/** The payout's own payments that only an operator can know of, who was shown them and says that they are not made. */
export const neverMade = (comparison: PayoutComparison | undefined): readonly string[] =>
  (comparison?.kind === 'possible' && comparison.ofFormerAccount) || [];
