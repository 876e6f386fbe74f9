import type { Reader } from '#platform/database.ts';
import { readStats } from '../ledger/ledger.ts';
import * as queries from './account-queries.ts';

/** What the account of a member says before a decision about the member's points. */
export type MemberBackground = Awaited<ReturnType<typeof readMemberBackground>>;

export async function readMemberBackground(reader: Reader, memberId: number) {
  const [row, suspensions, { completedTasks }] = await Promise.all([
    queries.findRecord(reader, memberId),
    queries.listSuspensions(reader, memberId),
    readStats(reader, memberId),
  ]);
  if (row === undefined) throw new Error(`The member ${memberId} of a withdrawal does not exist`);
  const inviters = row.referrerId === null ? [] : await queries.listPeople(reader, [row.referrerId]);
  return {
    memberSince: row.createdAt,
    invitedBy:
      inviters.map(({ id, firstName, lastName }) => ({ id: String(id), firstName, lastName }))[0] ?? null,
    emailVerifiedAt: row.emailVerifiedAt,
    phoneNumber: row.phoneNumber,
    phoneVerifiedAt: row.phoneVerifiedAt,
    timezone: row.timezone,
    balance: row.balance,
    earned: row.totalEarned,
    completedTasks,
    suspensions: suspensions.filter(({ isActive }) => isActive),
    formerSuspensionCount: suspensions.filter(({ isActive }) => !isActive).length,
  };
}
