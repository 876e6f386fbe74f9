import type { Comparison } from '#contract/ledger-books.ts';
import { sentence } from '#contract/operator-sentences.ts';
import type { Reader } from '#platform/database.ts';
import type { BooksCheck, BooksDifference } from '../ledger/ledger.ts';
import {
  type ConfirmedPayout,
  type PaymentOwner,
  readConfirmedSince,
  readListedSince,
  readNotedPayments,
  readPaymentOwners,
} from './audit-queries.ts';
import { type MethodParts, setUpRail } from './payment-methods.ts';
import { amountText } from './payout-amount.ts';
import { readUnaccountedOf } from './payout-comparison.ts';
import { findBoundAccount } from './payout-queries.ts';
import type { ListedNow, Rail } from './rails/rail.ts';
import { findDefinition, rails } from './rails/registry.ts';

/**
 * The audit of the rails: each payout that was confirmed lately is in the rail's own list with its recipient and
 * amount, or the rail finds it final with both; and no payment went to a member's destination that no payout accounts
 * for. An operator's other payments from the same account are no difference, nor those of which an operator took note
 * after a restore. Where the rail does not answer, or an operator has connected another account since, the result says
 * that it was not checked. A payout that an operator settled by the record of sent payments, whose payment no list
 * shows, is held against the operator's act, and is in neither sum. A payment without a payout is told with the
 * withdrawal that it is or was of.
 */
const DAYS = 35;
const INSPECTED_MAX = 200;

const FORMER_ACCOUNT = sentence('former-account-unlisted');

/** What the rail is asked about: a payout whose payment it may know. */
type Confirmed = ConfirmedPayout & { artifact: string; isOfFormerAccount: boolean };

export const railChecksOf = (platform: MethodParts): BooksCheck[] =>
  rails
    .filter(({ connect }) => connect !== null)
    .map(({ id }) => ({
      name: `rail-${id}`,
      async *pieces(reader) {
        const confirmed = await readConfirmedSince(reader, id, DAYS);
        const setup = await setUpRail(platform, id);
        if (setup.kind === 'usable')
          yield* compare(reader, {
            rail: setup.rail,
            method: id,
            confirmed,
            since: await readListedSince(reader, DAYS),
          });
        else if (confirmed.length > 0) yield { notChecked: setup.reason };
      },
    }));

type Comparing = {
  rail: Rail;
  method: string;
  confirmed: readonly ConfirmedPayout[];
  since: Date;
};

async function* compare(
  reader: Reader,
  { rail, method, confirmed, since }: Comparing,
): AsyncGenerator<BooksDifference[] | { notChecked: string } | { compared: Comparison }> {
  const listing = await rail.list(since);
  if (listing.kind === 'unknown') {
    yield { notChecked: listing.reason };
    return;
  }
  const unaccounted = await findUnaccounted(reader, method, listing.payments);
  yield unaccounted.map(({ difference }) => difference);
  let listedSum = unaccounted.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);
  const present = (await findBoundAccount(reader, method)) ?? listing.account;
  const unlisted = confirmed.filter((payout) => listedUnits(payout, listing.payments) < payout.amountUnits);
  const settledByRecord = unlisted.filter((payout) => !isAskable(payout));
  yield settledByRecord.filter(({ isSettledByAct }) => !isSettledByAct).map(unsettled);
  const missing = unlisted
    .filter(isAskable)
    .map((payout) => ({
      ...payout,
      isOfFormerAccount: payout.account !== null && present !== null && payout.account !== present,
    }))
    .sort((one, other) => Number(one.isOfFormerAccount) - Number(other.isOfFormerAccount));
  const unlistedIds = new Set(unlisted.map(({ withdrawalId }) => withdrawalId));
  for (const payout of confirmed)
    if (!unlistedIds.has(payout.withdrawalId)) listedSum += listedUnits(payout, listing.payments);
  let isWhole = missing.length <= INSPECTED_MAX;
  for (const payout of missing.slice(0, INSPECTED_MAX)) {
    const found = await findFault(rail, payout);
    if ('notChecked' in found) {
      isWhole = false;
      yield found;
      continue;
    }
    const { actual, paidUnits } = found;
    listedSum += paidUnits;
    if (actual !== null)
      yield [
        {
          check: 'rail-payouts',
          subject: payout.withdrawalId,
          expected: expectedOf(payout),
          actual,
        },
      ];
  }
  const unitsOf = (payouts: readonly ConfirmedPayout[]) =>
    payouts.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);
  const booksUnits = unitsOf(confirmed) - unitsOf(settledByRecord);
  const currency = findDefinition(method)?.currency.symbol ?? '';
  const compared = {
    method,
    currency,
    books: amountText(booksUnits),
    listed: amountText(listedSum),
    difference: amountText(listedSum - booksUnits),
    days: DAYS,
  };
  if (isWhole) yield { compared };
}

/** Whether the rail may know the payment of a payout. One without an artifact counts as one of the record. */
const isAskable = (payout: ConfirmedPayout): payout is ConfirmedPayout & { artifact: string } =>
  payout.artifact !== null && !payout.isByRecord;

const unsettled = (payout: ConfirmedPayout): BooksDifference => ({
  check: 'rail-payouts',
  subject: payout.withdrawalId,
  expected: expectedOf(payout),
  actual: 'no operator settled it by the record',
});

const expectedOf = ({ amountUnits, destination, reference }: ConfirmedPayout): string =>
  `${amountText(amountUnits)} to ${destination} by ${reference}`;

/**
 * What the rail says against a payout that its list does not show with the whole amount: the payment is not final, has
 * another name, or pays less. `actual` is null if nothing.
 */
async function findFault(
  rail: Rail,
  payout: Confirmed,
): Promise<{ actual: string | null; paidUnits: bigint } | { notChecked: string }> {
  const status = await rail.inspect(payout);
  if (status.kind === 'unknown') return { notChecked: status.reason };
  if (status.kind === 'absent' && payout.isOfFormerAccount) return { notChecked: FORMER_ACCOUNT };
  if (status.kind !== 'settled') return { actual: `the rail calls it ${status.kind}`, paidUnits: 0n };
  const found = await rail.find(payout.reference, payout.destination);
  if (found.kind === 'unknown') return { notChecked: found.reason };
  if (found.kind === 'absent') return { actual: found.reason, paidUnits: 0n };
  const { payment, paidUnits } = found;
  const isWhole = payment.reference === payout.reference && paidUnits >= payout.amountUnits;
  return { actual: isWhole ? null : `${amountText(paidUnits)} by ${payment.reference}`, paidUnits };
}

/** What the rail's list shows of a payout. */
const listedUnits = (payout: ConfirmedPayout, payments: readonly ListedNow[]): bigint =>
  payments
    .filter(
      ({ reference, destination }) => reference === payout.reference && destination === payout.destination,
    )
    .reduce((sum, { amountUnits }) => sum + amountUnits, 0n);

/** Payments to members' destinations that no payout accounts for. */
async function findUnaccounted(
  reader: Reader,
  method: string,
  payments: readonly ListedNow[],
): Promise<{ difference: BooksDifference; amountUnits: bigint }[]> {
  const found = await readUnaccountedOf(reader, method, payments);
  if (found.length === 0) return [];
  const references = found.map(({ reference }) => reference);
  const noted = await readNotedPayments(reader, method, references);
  const unaccounted = found.filter(
    ({ reference, destination }) =>
      !noted.some((other) => other.reference === reference && other.destination === destination),
  );
  const owners = await readPaymentOwners(reader, method, unaccounted);
  return unaccounted.flatMap(({ reference, destination, amountUnits, at, withdrawalId }) => {
    const owner = owners.find((one) => one.reference === reference && one.destination === destination);
    if (owner === undefined && withdrawalId === null) return [];
    const paid = `${amountText(amountUnits)} to ${destination} at ${at.toISOString()}`;
    const actual = owner === undefined ? paid : `${paid}, ${ownerText(owner)}`;
    const difference = { check: 'rail-payments', subject: reference, expected: 'a payout', actual };
    return [{ difference, amountUnits }];
  });
}

const ownerKinds = {
  payment: 'a payment of withdrawal',
  'former payment': 'a former payment of withdrawal',
  destination: 'to the destination of withdrawal',
};

const ownerText = ({ kind, withdrawalId, isFailed }: PaymentOwner): string =>
  `${ownerKinds[kind]} ${withdrawalId}${isFailed ? ', which failed' : ''}`;
