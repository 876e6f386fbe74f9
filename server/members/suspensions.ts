import { storedEmail } from '#contract/email-text.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { ListedSuspension, suspendUser } from '#contract/members-suspensions.ts';
import { type ActorOrId, operatorIdOf, recordActs } from '#platform/audit-trail.ts';
import type { Database, Tx } from '#platform/database.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { lockWallets } from '../ledger/ledger.ts';
import { requireNotOwn } from './operators.ts';
import { findByIdOrEmail } from './queries.ts';
import { listedOf } from './suspension-list.ts';
import * as queries from './suspension-queries.ts';

/**
 * Suspensions by operators. `members.restrictions` decides what each blocks, and other features ask it. A full one ends
 * the member's sessions, and a permanent full one also makes the member banned, until it is lifted. At most one of a
 * type is active for a member, apart from the block that a member's own denial began.
 */

/** Functions of features that depend on members, which `app.ts` passes in. */
export type SuspensionParts = {
  endSessions(tx: Tx, memberId: number): Promise<number>;
  /** Adds the member's notice in the transaction of the decision. */
  addDecisionNotice(tx: Tx, memberId: number, facts: DecisionFacts): Promise<void>;
  announceNotices(platform: Pick<Platform, 'database' | 'bus' | 'log'>, memberId: number): Promise<void>;
};

export type DecisionFacts = {
  decision: 'suspended' | 'lifted';
  suspensionType: ListedSuspension['suspensionType'];
  reason: string;
  expiresAt: string | null;
};

type Parts = Pick<Platform, 'database' | 'bus' | 'log'>;

const readListed = async (tx: Tx, id: bigint): Promise<ListedSuspension> => {
  const row = await queries.findListed(tx, id);
  if (row === undefined) throw refuse('not-found');
  return listedOf(row);
};

/** Refuses an end that no suspension of this severity can have. @throws InvalidRequest */
function refuseBadEnd(
  severity: ListedSuspension['severity'],
  expiresAt: string | null,
  isLater: boolean,
): void {
  const message =
    severity === 'permanent' && expiresAt !== null
      ? 'A permanent suspension has no end'
      : isLater
        ? null
        : 'Must be in the future';
  if (message !== null) throw new InvalidRequest([{ path: 'expiresAt', message }]);
}

/**
 * Suspends a member. A request and a payment look for a block with the wallet locked, so none that missed it is
 * committed later.
 * @throws Refusal `unknown-member` (also for a deleted account), `forbidden` for an operator's account,
 *   `already-decided` if one of this type is active; `invalid-request` for an end that is past
 */
export async function suspend(
  platform: Parts,
  operatorId: number,
  asked: BodyOf<typeof suspendUser>,
  parts: SuspensionParts,
): Promise<ListedSuspension> {
  const suspension = await recordSuspension(platform.database, operatorId, asked, parts);
  await announce(platform, Number(suspension.userId), parts);
  return suspension;
}

/** Tells the member's browsers, after the commit. */
async function announce(
  platform: Parts,
  memberId: number,
  { announceNotices }: Pick<SuspensionParts, 'announceNotices'>,
): Promise<void> {
  platform.bus.announceSessionChange({ memberId });
  await announceNotices(platform, memberId);
}

type Recording = Omit<SuspensionParts, 'announceNotices'>;

/** Suspends as `suspend` does, also for the command line, and announces nothing. */
export async function recordSuspension(
  database: Database,
  actor: ActorOrId,
  { userId, reason, severity, suspensionType, expiresAt = null }: BodyOf<typeof suspendUser>,
  { addDecisionNotice, endSessions }: Recording,
): Promise<ListedSuspension> {
  const account = await findByIdOrEmail(database, storedEmail(userId));
  if (account === undefined) throw refuse('unknown-member');
  const memberId = account.id;
  return database.transaction(async (tx) => {
    await lockWallets(tx, [memberId]);
    const { role, isDeleted, isLater } = await queries.findRoleAndTime(tx, memberId, expiresAt);
    if (isDeleted) throw refuse('unknown-member', 'The account of this member is closed.');
    if (role === 'admin') throw refuse('forbidden', 'An operator’s account can’t be suspended.');
    refuseBadEnd(severity, expiresAt, isLater);
    const added = await queries.insertSuspension(tx, {
      memberId,
      reason,
      severity,
      suspensionType,
      expiresAt,
      operatorId: operatorIdOf(actor),
    });
    if (added === undefined)
      throw refuse('already-decided', 'A suspension of this type is active. Lift it to make another one.');
    await queries.setSuspendedRole(tx, memberId);
    if (suspensionType === 'full_suspension') await endSessions(tx, memberId);
    const after = { suspension: String(added.id), suspensionType, severity, expiresAt };
    const target = { kind: 'member', id: memberId } as const;
    await recordActs(tx, [{ actor, act: 'member.suspend', target, reason, after }]);
    const facts = { decision: 'suspended' as const, suspensionType, reason, expiresAt };
    await addDecisionNotice(tx, memberId, facts);
    return readListed(tx, added.id);
  });
}

/**
 * Lifts a suspension, once. Nobody lifts one of their own account, which an operator's denial blocks: somebody else may
 * use it.
 * @throws Refusal `not-found`, `own-request`, `already-decided` if it was lifted or its time has passed
 */
export async function lift(
  platform: Parts,
  operatorId: number,
  asked: { id: bigint; reason: string },
  parts: SuspensionParts,
): Promise<ListedSuspension> {
  const suspension = await recordLift(platform.database, operatorId, asked, parts);
  await announce(platform, Number(suspension.userId), parts);
  return suspension;
}

/** Lifts as `lift` does, also for the command line, and announces nothing. */
export async function recordLift(
  database: Database,
  actor: ActorOrId,
  { id, reason }: { id: bigint; reason: string },
  { addDecisionNotice }: Pick<Recording, 'addDecisionNotice'>,
): Promise<ListedSuspension> {
  const before = await queries.findListed(database, id);
  if (before === undefined) throw refuse('not-found');
  const { memberId, suspensionType } = before;
  const ownBlock = 'This block is on your own account. Another operator must lift it.';
  await requireNotOwn(database, actor, [memberId], ownBlock);
  return database.transaction(async (tx) => {
    await lockWallets(tx, [memberId]);
    if (!(await endSuspensionOf(tx, actor, { id, memberId, reason })))
      throw refuse('already-decided', 'This suspension has ended already.');
    const after = { suspension: String(id), isActive: false };
    const act = { act: 'member.lift-suspension' as const, before: { isActive: true }, after };
    const target = { kind: 'member', id: memberId } as const;
    await recordActs(tx, [{ actor, target, reason, ...act }]);
    await addDecisionNotice(tx, memberId, { decision: 'lifted', suspensionType, reason, expiresAt: null });
    return readListed(tx, id);
  });
}

/**
 * Ends a suspension and the role that it caused, without an act and a notice, which are the caller's. The caller holds
 * the lock on the member's wallet.
 * @returns false if it has ended before
 */
export async function endSuspensionOf(
  tx: Tx,
  actor: ActorOrId,
  { id, memberId, reason }: { id: bigint; memberId: number; reason: string },
): Promise<boolean> {
  if ((await queries.endSuspension(tx, id, operatorIdOf(actor), reason)) === undefined) return false;
  await queries.setSuspendedRole(tx, memberId);
  return true;
}
