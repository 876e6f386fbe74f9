import { recordActs } from '#platform/audit-trail.ts';
import type { Database, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import {
  notePrinted,
  noteUnaccountedSeen,
  readNamed,
  readUnaccountedOfWithdrawal,
  readUnnoted,
  type UnaccountedRow,
} from './accounted-queries.ts';
import { destinationText } from './payment-methods.ts';
import { askOfPayment } from './payment-word.ts';
import { amountText } from './payout-amount.ts';
import { unnamedKeyOf, withdrawalOfKey, wordsOfAdvice } from './revocation.ts';
import { findRecordStart } from './sent-payments.ts';

/** What `reconcile` prints of the payments that no payout accounts for, and how operators take note of them. */
export type ReconcileParts = Pick<Platform, 'database' | 'config' | 'secrets' | 'log' | 'health'>;
export type NoteParts = Pick<ReconcileParts, 'database' | 'config' | 'secrets' | 'log'>;

const MEMBER_WAITS =
  'No request of a member named here is paid before the revoke that is printed. Where nothing is owed, because the ' +
  'points were earned after the backup: `npm run admin -- reconcile --not-owed REFERENCE REASON`.';
const ALL_WAIT =
  'While a payment names no member, no request of anybody is paid. Revoke its points if you know whose they are and ' +
  'no request may be paid by it. Then take note: `npm run admin -- reconcile --noted REASON`. A request that may be ' +
  'paid by it still waits for its own decision.';

const REQUEST_WAITS =
  'A request or payout that a payment names waits for it: mark it as paid with it in the back office. Only if the ' +
  'payment was certainly never made: `npm run admin -- reconcile --never-made REFERENCE REASON`.';

/**
 * Takes note of payments, as an earlier run has printed them: what is known of one since was not read. One whose member
 * is known is left out: `revoke` with its key takes note of it, or a note of its own (`noteNotOwed`). A note without
 * either would free the points to be paid again. One whose points its request holds ends with that request.
 */
export async function noteAll(
  database: Database,
  unaccounted: readonly UnaccountedRow[],
  reason: string,
): Promise<string[]> {
  const left = unaccounted.map((payment) => ({ payment, fault: findNoteFault(payment) }));
  const noted = left.flatMap(({ payment, fault }) => (fault === undefined ? [payment] : []));
  const seen = await database.transaction((tx) => notePayments(tx, noted, { reason }));
  return [
    `Took note of ${seen} ${seen === 1 ? 'payment' : 'payments'}.`,
    ...[UNREAD, HELD, OWED].flatMap((what) => {
      const references = left.filter(({ fault }) => fault === what).map(({ payment }) => payment.reference);
      if (references.length === 0) return [];
      const owed = `Where nothing is owed: \`npm run admin -- reconcile --not-owed ${references.join(',')} REASON\`.`;
      return [`Not noted, because ${what}: ${references.join(', ')}.${what === OWED ? ` ${owed}` : ''}`];
    }),
  ];
}

const UNREAD = 'this run is the first to print it so';
const HELD = 'a request waits for it';
const OWED = 'its points were not revoked';

function findNoteFault({ isPrinted, pointsAre, memberId }: UnaccountedRow): string | undefined {
  if (!isPrinted) return UNREAD;
  if (pointsAre === 'held') return HELD;
  return memberId === null ? undefined : OWED;
}

/**
 * Takes note of the payments of these references, of which nothing is to be taken back. All of them or none: not one
 * that no run has printed as it is known now, nor one whose points a request holds.
 */
export async function noteNotOwed(
  { database }: Pick<NoteParts, 'database'>,
  references: readonly string[],
  reason: string,
): Promise<{ isDone: boolean; lines: string[] }> {
  const payments = await readUnnoted(database, references);
  const faults = references.flatMap((reference) => {
    const found = payments.filter((payment) => payment.reference === reference);
    if (found.length === 0) return [`${reference}: no payment of this name waits for a note.`];
    if (found.some(({ pointsAre }) => pointsAre === 'held'))
      return [`${reference}: not noted, because ${HELD}.`];
    const isRead = found.every(({ isPrinted }) => isPrinted);
    return isRead ? [] : [`${reference}: not noted. Read first what \`npm run admin -- reconcile\` prints.`];
  });
  if (faults.length > 0) return { isDone: false, lines: faults };
  const seen = await database.transaction((tx) => notePayments(tx, payments, { reason }));
  return { isDone: true, lines: [`Took note of ${seen} ${seen === 1 ? 'payment' : 'payments'}.`] };
}

/** The payments of a withdrawal, by the key of the command that revokes its points. None for another key. */
async function readPaymentsOfKey(database: Database, requestKey: string): Promise<UnaccountedRow[]> {
  const withdrawalId = withdrawalOfKey(requestKey);
  return withdrawalId === undefined ? [] : readUnaccountedOfWithdrawal(database, withdrawalId);
}

/**
 * What speaks against revoking these points under this key: a payment that paid another member, or other points, or
 * whose points a request holds. It would be noted, and its points could be paid again. Where no list has the payment,
 * or the request was paid by another one, nothing is taken back for one that was not made.
 * @returns the command as it is meant, or why it can't be given now; undefined if nothing speaks against it
 */
export async function findRevokeFault(
  platform: NoteParts,
  requestKey: string,
  { memberId, amountPoints }: { memberId: number; amountPoints: bigint },
): Promise<string | undefined> {
  const payments = await readPaymentsOfKey(platform.database, requestKey);
  const other = payments.find(
    (payment) =>
      payment.pointsAre === 'held' || payment.memberId !== memberId || payment.points !== amountPoints,
  );
  if (other !== undefined) return `${other.reference}: ${wordsOfAdvice(other)}`;
  for (const payment of payments.filter((one) => one.pointsAre === 'spent' || !one.isListed)) {
    const word = await askOfPayment(platform, payment);
    if (word.kind === 'made' || word.kind === 'unseen') continue;
    const doubt =
      word.kind === 'open' ? word.reason : word.kind === 'replaced' ? replacedBy(word.by) : NOT_MADE;
    return `${payment.reference}: nothing was revoked. ${doubt}`;
  }
  return undefined;
}

/** The site itself notes the former payment then, at most a minute later, and gives its member to the other one. */
const replacedBy = (by: string): string =>
  `${by} has its place and pays the same recipient: run reconcile again, which prints what to do about that one.`;

/**
 * What speaks against revoking the points of a withdrawal: they were revoked already, under the key that was printed
 * for a payment of it before its member was known.
 * @param isRevokedUnder whether points were revoked under a key
 */
export async function findRevokedBefore(
  database: Database,
  requestKey: string,
  isRevokedUnder: (key: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const payment of await readPaymentsOfKey(database, requestKey)) {
    const { reference } = payment;
    const key = unnamedKeyOf(payment);
    if (await isRevokedUnder(key))
      return (
        `${reference}: nothing was revoked. Its points were revoked under the key ${key}: ` +
        `reconcile --not-owed ${reference} REASON`
      );
  }
  return undefined;
}

const NOT_MADE = 'The account that pays has not made this payment: say so with reconcile --never-made.';

/**
 * Takes note of the payments of a withdrawal whose points were revoked by the command that this one prints.
 * @param requestKey the key of that command
 */
export async function noteRevoked(database: Database, requestKey: string, reason: string): Promise<void> {
  const payments = await readPaymentsOfKey(database, requestKey);
  await database.transaction((tx) => notePayments(tx, payments, { reason }));
}

type Note = { reason: string; isNeverMade?: boolean; actor?: 'command-line' | 'site' };

/** Takes note of payments, with an act for each. Returns how many. */
export async function notePayments(
  tx: Tx,
  payments: readonly UnaccountedRow[],
  { reason, isNeverMade = false, actor = 'command-line' }: Note,
): Promise<number> {
  const seen = await noteUnaccountedSeen(tx, payments, isNeverMade);
  const act = {
    actor,
    act: 'payout.reconcile',
    reason,
    ...(isNeverMade && { after: { isNeverMade } }),
  } as const;
  await recordActs(
    tx,
    seen.map(({ reference }) => ({ ...act, target: { kind: 'payment', id: reference } })),
  );
  return seen.length;
}

/** The payments as lines, and notes that they were printed so. */
export async function linesOfUnaccounted(
  { database, config: { dataDir } }: Pick<ReconcileParts, 'database' | 'config'>,
  payments: readonly UnaccountedRow[],
): Promise<string[]> {
  const lines = payments.map((payment) => {
    const { method, reference, destination, amountUnits, paidAt } = payment;
    const to = `${amountText(amountUnits)} to ${destinationText(method, destination)}`;
    return `${method}: no payout accounts for ${reference}, ${to}, ${paidAt.toISOString()}; ${wordsOfAdvice(payment)}`;
  });
  if (payments.some(({ withdrawalId }) => withdrawalId === null)) {
    const start = await findRecordStart(dataDir);
    const record = start === undefined ? 'is empty' : `begins on ${start}`;
    lines.push(
      `The record of sent payments of this node ${record}. Run this command on the other nodes too.`,
    );
  }
  await notePrinted(database, payments);
  return lines;
}

/** Those that a parked payout or a request names, whose members wait as well. */
export async function linesOfHeld(
  database: Database,
  unaccounted: readonly UnaccountedRow[],
): Promise<string[]> {
  const held = (await readNamed(database)).filter(({ pointsAre }) => pointsAre === 'held');
  const isTold = (payment: UnaccountedRow) =>
    unaccounted.some(
      ({ method, reference, destination }) =>
        method === payment.method && reference === payment.reference && destination === payment.destination,
    );
  const lines = held
    .filter((payment) => !isTold(payment))
    .map((payment) => `${payment.method}: ${payment.reference} was sent; ${wordsOfAdvice(payment)}`);
  return held.length === 0 ? [] : [...lines, REQUEST_WAITS];
}

/** What waits until a note, and how it is taken. */
export const adviceOnNotes = (unaccounted: readonly UnaccountedRow[]): string[] => [
  ...(unaccounted.some(({ memberId, pointsAre }) => memberId !== null && pointsAre !== 'held')
    ? [MEMBER_WAITS]
    : []),
  ...(unaccounted.some(({ withdrawalId }) => withdrawalId === null) ? [ALL_WAIT] : []),
];

/**
 * Takes note of a payment that the record gives to a request, because it was certainly never made: the site ended
 * between its line in the record and its sending, or another one has its place. Not one that a list has and whose
 * points nobody holds: the note would free them. Not while it may still be made, or the account that pays can't be
 * asked.
 * @returns whether it was noted, and why not, as lines
 */
export async function noteNeverMade(
  platform: NoteParts,
  reference: string,
  reason: string,
): Promise<{ isDone: boolean; lines: string[] }> {
  const { database } = platform;
  const named = (await readNamed(database)).filter((payment) => payment.reference === reference);
  if (named.length === 0) return { isDone: false, lines: [`No member waits for a payment ${reference}.`] };
  for (const payment of named) {
    const doubt = await findNeverMadeFault(platform, payment);
    if (doubt !== undefined) return { isDone: false, lines: [`${payment.method}: not noted. ${doubt}`] };
  }
  await database.transaction((tx) => notePayments(tx, named, { reason, isNeverMade: true }));
  const after = named.some(({ pointsAre }) => pointsAre === 'held') ? NEVER_MADE : GOES_ON;
  return { isDone: true, lines: [`Took note that ${reference} was never made. ${after}`] };
}

const GOES_ON = 'What its member asks for goes on.';
const NEVER_MADE =
  'Its member’s other requests go on. The request itself waits until an operator says in the back office that none ' +
  'of the payments paid it.';

async function findNeverMadeFault(platform: NoteParts, payment: UnaccountedRow): Promise<string | undefined> {
  if (payment.pointsAre === 'free' && payment.isListed)
    return `${payment.reference}: ${wordsOfAdvice(payment)}`;
  const word = await askOfPayment(platform, payment);
  if (word.kind === 'made') return 'The account that pays shows this payment.';
  if (word.kind === 'replaced') return replacedBy(word.by);
  return word.kind === 'open' ? word.reason : undefined;
}
