import type { AccountRecord, LinkedAccount, linkReasons } from '#contract/members-accounts.ts';
import type { Network } from '#contract/network.ts';
import type { Database, Reader } from '#platform/database.ts';
import { refuse } from '#platform/refusal.ts';
import { readStats } from '../ledger/ledger.ts';
import { accountOf } from './account-list.ts';
import * as queries from './account-queries.ts';

/** One member as operators see it. What belongs to other features is passed in by `app.ts`. */

type LinkReason = (typeof linkReasons)[number];

export type RecordParts = {
  readWithdrawalTotals(
    reader: Reader,
    memberId: number,
  ): Promise<{ waitingPoints: bigint; paidCount: bigint; paidPoints: bigint }>;
  readReversalTotals(
    reader: Reader,
    memberId: number,
  ): Promise<{ reversalCount: bigint; takenPoints: bigint }>;
  readSignInRecord(
    reader: Reader,
    memberId: number,
  ): Promise<{
    lastSeen: { at: Date; userAgent: string } | null;
    linkedLogins: string[];
    sessions: {
      id: string;
      createdAt: Date;
      lastSeenAt: Date;
      userAgent: string;
      address: string;
      network: Network | null;
    }[];
  }>;
  /** Find other members with something in common, at most `limit`. */
  sharerFinders: Readonly<
    Record<
      Exclude<LinkReason, 'mailbox'>,
      (reader: Reader, memberId: number, limit: number) => Promise<readonly number[]>
    >
  >;
};

const LINKED_MAX = 20;

/** @throws Refusal `not-found` */
export async function readAccountRecord(
  database: Database,
  memberId: number,
  parts: RecordParts,
): Promise<AccountRecord> {
  const row = await queries.findRecord(database, memberId);
  if (row === undefined) throw refuse('not-found');
  const [stats, withdrawals, reversals, signIns, suspensions, linkedAccounts, referrer] = await Promise.all([
    readStats(database, memberId),
    parts.readWithdrawalTotals(database, memberId),
    parts.readReversalTotals(database, memberId),
    parts.readSignInRecord(database, memberId),
    queries.listSuspensions(database, memberId),
    readLinkedAccounts(database, row, parts),
    row.referrerId === null ? [] : queries.listPeople(database, [row.referrerId]),
  ]);
  return {
    ...accountOf(row),
    ...ownFactsOf(row),
    linkedLogins: signIns.linkedLogins,
    referrer:
      referrer.map(({ id, firstName, lastName }) => ({ id: String(id), firstName, lastName }))[0] ?? null,
    lastSeen: signIns.lastSeen && {
      at: signIns.lastSeen.at.toISOString(),
      userAgent: signIns.lastSeen.userAgent,
    },
    sessions: signIns.sessions.map(({ createdAt, lastSeenAt, ...session }) => ({
      ...session,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
    })),
    debt: stats.debt,
    todayEarned: stats.todayEarned,
    completedTasks: stats.completedTasks,
    waiting: String(withdrawals.waitingPoints),
    paidOut: String(withdrawals.paidPoints),
    paidCount: Number(withdrawals.paidCount),
    takenBack: String(reversals.takenPoints),
    takenBackCount: Number(reversals.reversalCount),
    suspensions: suspensions.filter(({ isActive }) => isActive).map(suspensionOf),
    linkedAccounts,
  };
}

const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;

const ownFactsOf = (row: queries.RecordRow) => ({
  emailVerifiedAt: isoOrNull(row.emailVerifiedAt),
  phone:
    row.phoneNumber === null || row.phoneVerifiedAt === null
      ? null
      : { number: row.phoneNumber, verifiedAt: row.phoneVerifiedAt.toISOString() },
  hasPassword: row.hasPassword,
  language: row.language,
  timezone: row.timezone,
  termsVersion: row.termsVersion,
  securityChangedAt: isoOrNull(row.securityChangedAt),
  anonymisedAt: isoOrNull(row.anonymisedAt),
});

const suspensionOf = (row: queries.SuspensionRow) => ({
  id: String(row.id),
  suspensionType: row.suspensionType,
  severity: row.severity,
  reason: row.reason,
  createdAt: row.createdAt.toISOString(),
  expiresAt: isoOrNull(row.expiresAt),
});

/** Reads the accounts that have a mailbox, a payout address or a device in common with this one. */
async function readLinkedAccounts(
  reader: Reader,
  row: queries.RecordRow,
  { sharerFinders, readWithdrawalTotals }: RecordParts,
): Promise<LinkedAccount[]> {
  const findMailboxSharers = async () =>
    (await queries.findMailboxSharers(reader, row, LINKED_MAX)).map(({ id }) => id);
  const finders = Object.entries(sharerFinders) as [LinkReason, (typeof sharerFinders)['device']][];
  const found = await Promise.all([
    findMailboxSharers().then((ids) => ({ reason: 'mailbox' as LinkReason, ids: ids as readonly number[] })),
    ...finders.map(async ([reason, find]) => ({ reason, ids: await find(reader, row.id, LINKED_MAX) })),
  ]);
  const ids = [...new Set(found.flatMap((one) => one.ids))].slice(0, LINKED_MAX);
  if (ids.length === 0) return [];
  const people = await queries.listPeople(reader, ids);
  return Promise.all(
    people.map(async (person) => ({
      ...person,
      id: String(person.id),
      reasons: found.filter((one) => one.ids.includes(person.id)).map(({ reason }) => reason),
      paidOut: String((await readWithdrawalTotals(reader, person.id)).paidPoints),
    })),
  );
}
