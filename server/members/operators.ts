import type { ReplyOf } from '#contract/endpoint.ts';
import type * as contract from '#contract/members-operators.ts';
import { type ActorOrId, operatorIdOf, recordActs } from '#platform/audit-trail.ts';
import type { Database, Reader, Tx } from '#platform/database.ts';
import { refuse } from '#platform/refusal.ts';
import * as queries from './queries.ts';
import { setSuspendedRole } from './suspension-queries.ts';

/** Reads the operators of now, the earliest first. */
export const readOperators = async (reader: Reader): Promise<ReplyOf<typeof contract.readOperators>> =>
  (await queries.readOperators(reader)).map(({ id, ...operator }) => ({ ...operator, id: String(id) }));

/** Whether a member has been an operator from a moment until now, and the account was nobody else's. */
export const isOperatorSince = (reader: Reader, memberId: number, moment: Date): Promise<boolean> =>
  queries.readIsOperatorSince(reader, memberId, moment);

/** Whether one of these accounts is the operator's own, as `members.is_own` says. No account is the command line's. */
export async function isOwn(
  reader: Reader,
  actor: ActorOrId,
  memberIds: readonly (number | null)[],
): Promise<boolean> {
  const operatorId = operatorIdOf(actor);
  const known = memberIds.filter((memberId) => memberId !== null);
  return operatorId !== null && known.length > 0 && (await queries.readIsOwn(reader, operatorId, known));
}

/** @throws Refusal `own-request` if one of these accounts is the operator's own */
export async function requireNotOwn(
  reader: Reader,
  actor: ActorOrId,
  memberIds: readonly (number | null)[],
  detail?: string,
): Promise<void> {
  if (await isOwn(reader, actor, memberIds)) throw refuse('own-request', detail);
}

export type RoleChange = { actor: ActorOrId; memberId: number; reason: string | null };

/** Makes a member an operator. A closed or banned account can't be one; `done-before` changes nothing. */
export function appointOperator(
  database: Database,
  { actor, memberId, reason }: RoleChange,
): Promise<'appointed' | 'done-before' | 'closed' | 'banned'> {
  return database.transaction(async (tx) => {
    const { role, isDeleted } = await queries.lockRole(tx, memberId);
    if (isDeleted) return 'closed';
    if (role === 'banned') return 'banned';
    if (role === 'admin') return 'done-before';
    await queries.setRole(tx, memberId, 'admin');
    const target = { kind: 'member', id: memberId } as const;
    await recordActs(tx, [{ actor, act: 'operator.appoint', target, reason, after: { role: 'admin' } }]);
    return 'appointed';
  });
}

/** Functions of features that depend on members, which the command passes in. */
type RemovalParts = {
  endSessions(tx: Tx, memberId: number): Promise<number>;
  /** Ends what the operator asked for and what waits for another one. The first of two approvals end by their rules. */
  endRequests(tx: Tx, removal: RoleChange): Promise<void>;
};

/**
 * Makes an operator a member like others, and ends the person's sessions and requests to other operators. A site keeps
 * its last operator: otherwise the next start would make the one of its environment again.
 */
export function removeOperator(
  database: Database,
  removal: RoleChange,
  { endSessions, endRequests }: RemovalParts,
): Promise<'removed' | 'no-operator' | 'last'> {
  const { actor, memberId, reason } = removal;
  return database.transaction(async (tx) => {
    const operators = await queries.lockOperators(tx);
    if (!operators.some(({ id }) => id === memberId)) return 'no-operator';
    if (operators.length === 1) return 'last';
    await queries.setRole(tx, memberId, 'user');
    await setSuspendedRole(tx, memberId);
    await endSessions(tx, memberId);
    const target = { kind: 'member', id: memberId } as const;
    const [before, after] = [{ role: 'admin' }, { role: 'user' }];
    await recordActs(tx, [{ actor, act: 'operator.remove', target, reason, before, after }]);
    await endRequests(tx, removal);
    return 'removed';
  });
}
