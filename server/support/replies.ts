import type { Act } from '#contract/acts.ts';
import { type CannedReply, REPLIES_MAX } from '#contract/support-replies.ts';
import { changedFields, recordActs } from '#platform/audit-trail.ts';
import type { Database, Reader } from '#platform/database.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import { refuse } from '#platform/refusal.ts';
import * as queries from './reply-queries.ts';

/** Two operators who write the last one at the same moment keep one more. */
const LISTED_MAX = REPLIES_MAX + 10;

/**
 * Canned replies to tickets. All operators share them, and a title stands once. The server keeps the texts as they
 * are; the screen fills the placeholders, so that an operator sees what is sent.
 */
const replyOf = ({ id, ...texts }: queries.ReplyRow): CannedReply => ({ id: String(id), ...texts });

export const readReplies = async (reader: Reader): Promise<CannedReply[]> =>
  (await queries.listReplies(reader, LISTED_MAX)).map(replyOf);

/** @throws Refusal `already-exists` for the title of another reply; InvalidRequest if there are too many */
export const createReply = (
  database: Database,
  operatorId: number,
  texts: queries.ReplyTexts,
): Promise<CannedReply> =>
  database.transaction(async (tx) => {
    const kept = await queries.listReplies(tx, REPLIES_MAX);
    if (kept.length >= REPLIES_MAX)
      throw new InvalidRequest([{ path: 'title', message: `At most ${REPLIES_MAX} replies` }]);
    const created = await queries.insertReply(tx, texts);
    if (created === undefined) throw refuse('already-exists');
    await recordActs(tx, [{ ...actOf(operatorId, 'reply.create', created.id), after: texts }]);
    return replyOf(created);
  });

/** @throws Refusal `not-found`, `already-exists` for the title of another reply */
export const changeReply = (
  database: Database,
  operatorId: number,
  id: bigint,
  texts: queries.ReplyTexts,
): Promise<CannedReply> =>
  database.transaction(async (tx) => {
    const former = await queries.lockReply(tx, id);
    if (former === undefined) throw refuse('not-found');
    const { id: _, ...before } = former;
    const changed = changedFields(before, texts);
    if (changed === undefined) return replyOf(former);
    const row = await queries.changeReply(tx, id, texts);
    if (row === undefined) throw refuse('already-exists');
    await recordActs(tx, [{ ...actOf(operatorId, 'reply.change', id), ...changed }]);
    return replyOf(row);
  });

/** @throws Refusal `not-found` */
export const removeReply = (database: Database, operatorId: number, id: bigint): Promise<void> =>
  database.transaction(async (tx) => {
    const removed = await queries.deleteReply(tx, id);
    if (removed === undefined) throw refuse('not-found');
    await recordActs(tx, [{ ...actOf(operatorId, 'reply.remove', id), before: removed }]);
  });

const actOf = (operatorId: number, act: Act, id: bigint) => ({
  actor: operatorId,
  act,
  target: { kind: 'reply', id: String(id) } as const,
});
