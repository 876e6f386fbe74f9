import { sentence } from '#contract/operator-sentences.ts';
import type { Reader } from '#platform/database.ts';
import type { BooksCheck, BooksDifference } from '../ledger/ledger.ts';
import {
  type PaymentOwner,
  readConfirmedSince,
  readListedSince,
  readNotedPayments,
  readPaymentOwners,
} from './audit-queries.ts';
import { type MethodParts, setUpRail } from './payment-methods.ts';
import { amountText } from './payout-amount.ts';
import { readUnaccountedOf } from './payout-comparison.ts';
import { findPayingAccount } from './payout-queries.ts';
import type { ListedNow, Rail } from './rails/rail.ts';
import { rails } from './rails/registry.ts';

/**
 * The audit of the rails: each payout that was confirmed lately is in the rail's own list with its recipient and
 * amount, or the rail finds it final with both; and no payment went to a member's destination that no payout accounts
 * for. An operator's other payments from the same account are no difference, nor those of which an operator took note
 * after a restore. Where the rail does not answer, or an operator has connected another account since, the result says
 * that it was not checked. A payment without a payout is told with the withdrawal that it is or was of.
 */
const DAYS = 35;
const INSPECTED_MAX = 200;

const FORMER_ACCOUNT = sentence('former-account-unlisted');

type Confirmed = Awaited<ReturnType<typeof readConfirmedSince>>[number] & { isOfFormerAccount: boolean };

export const railChecksOf = (platform: MethodParts): BooksCheck[] =>
  rails
    .filter(({ connect }) => connect !== null)
    .map(({ id }) => ({
      name: `rail-${id}`,
      async *pieces(reader) {
        const confirmed = await readConfirmedSince(reader, id, DAYS);
        const setup = await setUpRail(platform, id);
        if (setup.kind === 'usable')
          yield* compare(reader, setup.rail, id, confirmed, await readListedSince(reader, DAYS));
        else if (confirmed.length > 0) yield { notChecked: setup.reason };
      },
    }));

async function* compare(
  reader: Reader,
  rail: Rail,
  method: string,
  confirmed: Awaited<ReturnType<typeof readConfirmedSince>>,
  since: Date,
): AsyncGenerator<BooksDifference[] | { notChecked: string }> {
  const listing = await rail.list(since);
  if (listing.kind === 'unknown') {
    yield { notChecked: listing.reason };
    return;
  }
  yield await findUnaccounted(reader, method, listing.payments);
  const present = (await findPayingAccount(reader, method)) ?? listing.account;
  const missing = confirmed
    .filter((payout) => !isListed(payout, listing.payments))
    .map((payout) => ({
      ...payout,
      isOfFormerAccount: payout.account !== null && present !== null && payout.account !== present,
    }))
    .sort((one, other) => Number(one.isOfFormerAccount) - Number(other.isOfFormerAccount));
  for (const payout of missing.slice(0, INSPECTED_MAX)) {
    const actual = await findFault(rail, payout);
    if (typeof actual === 'object') yield actual;
    else if (actual !== undefined)
      yield [
        {
          check: 'rail-payouts',
          subject: payout.withdrawalId,
          expected: `${amountText(payout.amountUnits)} to ${payout.destination} by ${payout.reference}`,
          actual,
        },
      ];
  }
}

/**
 * What the rail says against a payout that its list does not show with the whole amount: the payment is not final, has
 * another name, or pays less. Undefined if nothing.
 */
async function findFault(
  rail: Rail,
  payout: Confirmed,
): Promise<string | { notChecked: string } | undefined> {
  const status = await rail.inspect(payout);
  if (status.kind === 'unknown') return { notChecked: status.reason };
  if (status.kind === 'absent' && payout.isOfFormerAccount) return { notChecked: FORMER_ACCOUNT };
  if (status.kind !== 'settled') return `the rail calls it ${status.kind}`;
  const found = await rail.find(payout.reference, payout.destination);
  if (found.kind === 'unknown') return { notChecked: found.reason };
  if (found.kind === 'absent') return found.reason;
  const { payment, paidUnits } = found;
  const isWhole = payment.reference === payout.reference && paidUnits >= payout.amountUnits;
  return isWhole ? undefined : `${amountText(paidUnits)} by ${payment.reference}`;
}

const isListed = (payout: Omit<Confirmed, 'isOfFormerAccount'>, payments: readonly ListedNow[]): boolean =>
  payments
    .filter(
      ({ reference, destination }) => reference === payout.reference && destination === payout.destination,
    )
    .reduce((sum, { amountUnits }) => sum + amountUnits, 0n) >= payout.amountUnits;

/** Payments to members' destinations that no payout accounts for. */
async function findUnaccounted(
  reader: Reader,
  method: string,
  payments: readonly ListedNow[],
): Promise<BooksDifference[]> {
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
    return [{ check: 'rail-payments', subject: reference, expected: 'a payout', actual }];
  });
}

const ownerKinds = {
  payment: 'a payment of withdrawal',
  'former payment': 'a former payment of withdrawal',
  destination: 'to the destination of withdrawal',
};

const ownerText = ({ kind, withdrawalId, isFailed }: PaymentOwner): string =>
  `${ownerKinds[kind]} ${withdrawalId}${isFailed ? ', which failed' : ''}`;
