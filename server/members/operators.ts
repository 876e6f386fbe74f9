import type { ReplyOf } from '#contract/endpoint.ts';
import type * as contract from '#contract/members-operators.ts';
import { type ActorOrId, recordActs } from '#platform/audit-trail.ts';
import type { Database, Reader, Tx } from '#platform/database.ts';
import * as queries from './queries.ts';
import { setSuspendedRole } from './suspension-queries.ts';

/** Reads the operators of now, the earliest first. */
export const readOperators = async (reader: Reader): Promise<ReplyOf<typeof contract.readOperators>> =>
  (await queries.readOperators(reader)).map(({ id, ...operator }) => ({ ...operator, id: String(id) }));

type RoleChange = { actor: ActorOrId; memberId: number; reason: string | null };

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

/**
 * Makes an operator a member like others, and ends the person's sessions. A site keeps its last operator: otherwise the
 * next start would make the one of its environment again.
 */
export function removeOperator(
  database: Database,
  { actor, memberId, reason }: RoleChange,
  { endSessions }: { endSessions(tx: Tx, memberId: number): Promise<void> },
): Promise<'removed' | 'no-operator' | 'last'> {
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
    return 'removed';
  });
}
