import type { ReplyOf } from '#contract/endpoint.ts';
import { fullNameOf } from '#contract/full-name.ts';
import type * as contract from '#contract/grants.ts';
import { type ActorOrId, operatorIdOf, recordActs } from '#platform/audit-trail.ts';
import type { Config } from '#platform/config.ts';
import type { Database, Reader, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { readSettings } from '#platform/settings.ts';
import { announceBalance, lockWallets } from '../ledger/ledger.ts';
import { findAccount, requireNotOwn } from '../members/members.ts';
import { announceNotices } from '../notices/notices.ts';
import * as queries from './queries.ts';

/**
 * Grants: points that operators give to members from the site's money, in the back office and on the command line.
 * Invariants:
 * - A grant is booked once, under the key of its request, together with its row, the act and the member's notice.
 * - Nobody gives to themselves.
 * - From a set sum on, counted over what the operator gave alone that day, a grant moves no points before another
 *   operator confirms it, who is neither its giver nor its receiver.
 * The setting is that of payouts, `caps.secondPersonFrom`. The ledger keeps the balance; notices tell the member.
 */
type GrantParts = Pick<Platform, 'database' | 'config' | 'bus' | 'log'>;

/** A grant in the contract's shape. */
export const grantOf = (row: queries.GrantRow): contract.Grant => ({
  id: String(row.id),
  userId: String(row.memberId),
  userEmail: row.email,
  amount: row.amountPoints.toString(),
  reason: row.reason,
  adminEmail: row.grantedByEmail,
  status: row.state,
  createdAt: row.createdAt.toISOString(),
  userName: fullNameOf(row),
  userFirstName: row.firstName,
  userLastName: row.lastName,
  adminId: row.grantedBy === null ? null : String(row.grantedBy),
  decidedByEmail: row.decidedByEmail,
  decidedAt: row.decidedAt?.toISOString() ?? null,
  declineReason: row.declineReason,
});

async function readGrant(reader: Reader, id: bigint): Promise<contract.Grant> {
  const row = await queries.findGrant(reader, id);
  if (row === undefined) throw refuse('not-found');
  return grantOf(row);
}

export type GrantRequest = {
  /** The id or e-mail address of the member. */
  who: string;
  amountPoints: bigint;
  reason: string;
  actor: ActorOrId;
  /** Of this caller; a new one if there is none. */
  key: string | null;
};

export type GrantOutcome = {
  grant: contract.Grant;
  memberId: number;
  /** False if the request was made before. */
  isNew: boolean;
  /** Null unless this call booked the points. */
  balance: bigint | null;
};

/**
 * Gives points, or lets them wait for a second operator, and records the act. Announces nothing.
 * @throws Refusal `unknown-member` (also for a closed account), `own-request`, `idempotency-mismatch`
 */
export async function recordGrant(
  { database, config }: { database: Database; config: Pick<Config, 'mode'> },
  { who, amountPoints, reason, actor, key }: GrantRequest,
): Promise<GrantOutcome> {
  const account = await findAccount(database, who);
  if (account === undefined) throw refuse('unknown-member');
  const requestKey = `${actor}:${key ?? crypto.randomUUID()}`;
  return database.transaction(async (tx) => {
    await requireNotOwn(tx, actor, [account.id]);
    const { secondPersonFrom } = (await readSettings(tx, config.mode)).caps;
    const given = await queries.give(tx, {
      requestKey,
      memberId: account.id,
      amountPoints,
      reason,
      operatorId: operatorIdOf(actor),
      secondPersonPoints: secondPersonFrom === null ? null : BigInt(secondPersonFrom),
    });
    const { status, id, balance } = given;
    if (status === 'closed') throw refuse('unknown-member', 'The account of this member is closed.');
    if (status === 'exists_different' || id === null) throw refuse('idempotency-mismatch');
    const isNew = status !== 'exists';
    if (isNew) {
      const after = {
        grant: String(id),
        amountPoints,
        status,
        ...(balance === null ? {} : { balancePoints: balance }),
      };
      const target = { kind: 'member', id: account.id } as const;
      await recordActs(tx, [{ actor, act: 'points.grant', target, reason, after }]);
    }
    return { grant: await readGrant(tx, id), memberId: account.id, isNew, balance };
  });
}

/** Tells the member's browsers about booked points, after the commit. */
export async function announceGrant(
  parts: GrantParts,
  memberId: number,
  balance: bigint | null,
): Promise<void> {
  if (balance === null) return;
  announceBalance(parts, memberId, balance);
  await announceNotices(parts, memberId);
}

/** Gives points as `recordGrant` does, and announces them if they were booked. */
export async function givePoints(
  parts: GrantParts,
  request: GrantRequest,
): Promise<ReplyOf<typeof contract.givePoints>> {
  const { grant, memberId, balance } = await recordGrant(parts, request);
  await announceGrant(parts, memberId, balance);
  return { ...grant, amount: Number(request.amountPoints) };
}

const actOf = { confirm: 'points.confirm', decline: 'points.decline' } as const;

/**
 * Confirms or declines a grant that waits. Only the first decision has an effect. The giver may decline, and not
 * confirm; the receiver may do neither.
 * @throws Refusal `not-found`, `already-decided`, `own-request`; `asker-not-operator` for a confirmation after the
 *   giver lost the role; `unknown-member` for a confirmation after the account
 *   was deleted
 */
export async function decideGrant(
  parts: GrantParts,
  { operatorId, ...decision }: GrantDecision & { operatorId: number },
): Promise<contract.Grant> {
  const decided = await parts.database.transaction(async (tx) => {
    const answer = await queries.decide(tx, { ...decision, operatorId });
    refuseUndecided(answer);
    return recordDecision(tx, decision, answer, operatorId);
  });
  await announceGrant(parts, decided.memberId, decided.balance);
  return decided.grant;
}

type GrantDecision = Omit<queries.Decision, 'operatorId'>;

/** @throws Refusal if this call decided nothing */
function refuseUndecided({ status, state }: queries.Decided): void {
  if (status === 'not_found') throw refuse('not-found');
  if (status === 'decided')
    throw refuse(
      'already-decided',
      `This grant was ${state === 'completed' ? 'booked' : 'declined'} already.`,
    );
  if (status === 'own_request') throw refuse('own-request');
  if (status === 'not_operator') throw refuse('asker-not-operator');
  if (status === 'closed') throw refuse('unknown-member', 'The account of this member is closed.');
}

async function recordDecision(
  tx: Tx,
  { id, decision, reason }: GrantDecision,
  { status, memberId, balance }: queries.Decided,
  actor: ActorOrId,
) {
  if (memberId === null) throw refuse('not-found');
  const { amount, ...grant } = await readGrant(tx, id);
  const after = {
    grant: grant.id,
    status,
    amountPoints: amount,
    ...(balance === null ? {} : { balancePoints: balance }),
  };
  await recordActs(tx, [
    {
      actor,
      act: actOf[decision],
      target: { kind: 'member', id: memberId },
      reason,
      before: { status: 'pending' },
      after,
    },
  ]);
  return { grant: { ...grant, amount }, memberId, balance };
}

/**
 * Declines the grants of an operator that wait for another one, because the operator loses the role in this
 * transaction. Returns how many. One that is decided meanwhile stays as it is.
 */
export async function declineGrantsOf(
  tx: Tx,
  { memberId, actor, reason }: { memberId: number; actor: ActorOrId; reason: string | null },
): Promise<number> {
  const waiting = await queries.readPendingOf(tx, memberId);
  // Wallets come before grants and totals in the order of the locks.
  await lockWallets(
    tx,
    waiting.map((grant) => grant.memberId),
  );
  let count = 0;
  for (const { id } of waiting) {
    const decision = { id, decision: 'decline', reason } as const;
    const decided = await queries.decide(tx, { ...decision, operatorId: operatorIdOf(actor) });
    if (decided.status === 'decided') continue;
    await recordDecision(tx, decision, decided, actor);
    count += 1;
  }
  return count;
}

/** Counts the grants that wait for a second operator. */
export const countPendingGrants = async ({ database }: Pick<Platform, 'database'>): Promise<number> =>
  Number((await queries.readTotals(database)).pendingCount);

/** The grants that wait for a second operator, as something that waits. */
export async function readGrantsWait({ database }: Pick<Platform, 'database'>) {
  const [totals, oldest] = await Promise.all([
    queries.readTotals(database),
    queries.findOldestPending(database),
  ]);
  return {
    count: Number(totals.pendingCount),
    points: String(totals.pendingPoints),
    oldestAt: oldest?.createdAt ?? null,
  };
}

/** Reads the numbers of grants, and what this operator gave alone today. */
export async function readGrantStats(
  { database, config }: Pick<Platform, 'database' | 'config'>,
  operatorId: number,
): Promise<ReplyOf<typeof contract.readGrantStats>> {
  const totals = await queries.readTotals(database);
  return {
    pendingCount: Number(totals.pendingCount),
    pendingAmount: totals.pendingPoints.toString(),
    completedCount: Number(totals.completedCount),
    completedAmount: totals.completedPoints.toString(),
    givenToday: String(await queries.readGivenToday(database, operatorId)),
    secondPersonFrom: (await readSettings(database, config.mode)).caps.secondPersonFrom,
  };
}

/** Finds whom a grant would reach, by id or e-mail address. @throws Refusal `unknown-member` */
export async function findGrantReceiver(
  { database }: Pick<Platform, 'database'>,
  who: string,
): Promise<ReplyOf<typeof contract.findGrantReceiver>> {
  const account = await findAccount(database, who);
  const receiver = account && (await queries.findReceiver(database, account.id));
  if (receiver === undefined) throw refuse('unknown-member');
  const { id, email, balance } = receiver;
  return { id: String(id), name: fullNameOf(receiver), email, balance: balance.toString() };
}
