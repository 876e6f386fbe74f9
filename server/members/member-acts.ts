import type { ReplyOf } from '#contract/endpoint.ts';
import { type endUserSessions, messageUser } from '#contract/members-acts.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Tx } from '#platform/database.ts';
import { keepWithEffect } from '#platform/http/idempotency.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { findDeletion } from './account-queries.ts';

/** What operators do to one member's account, besides suspending and deleting it. */

/** Functions of features that depend on members, which `app.ts` passes in. */
export type MemberActParts = {
  /** Adds the message as a notice in the caller's transaction. */
  addMessage(tx: Tx, memberId: number, text: string): Promise<ReplyOf<typeof messageUser>>;
  announceNotices(platform: Pick<Platform, 'database' | 'bus' | 'log'>, memberId: number): Promise<void>;
  /** Ends all sessions, and returns how many. */
  endSessions(tx: Tx, memberId: number): Promise<number>;
};

type Parts = Pick<Platform, 'database' | 'bus' | 'log'>;

/** @throws Refusal `not-found`; `unknown-member` if the account is deleted */
async function requireOpenAccount(tx: Tx, memberId: number): Promise<void> {
  const account = await findDeletion(tx, memberId);
  if (account === undefined) throw refuse('not-found');
  if (account.deletedAt !== null) throw refuse('unknown-member', 'The account of this member is closed.');
}

/**
 * Sends a member an operator's message: a notice, which is mailed if the member wants such mails. The member does not
 * learn which operator wrote it. A repeated key sends nothing.
 * @throws Refusal `not-found`, `unknown-member`, `in-progress`
 */
export async function messageMember(
  platform: Parts,
  operatorId: number,
  { memberId, text, key }: { memberId: number; text: string; key: string | null },
  { addMessage, announceNotices }: Pick<MemberActParts, 'addMessage' | 'announceNotices'>,
): Promise<ReplyOf<typeof messageUser>> {
  const message = await platform.database.transaction(async (tx) => {
    await requireOpenAccount(tx, memberId);
    const target = { kind: 'member', id: memberId } as const;
    await recordActs(tx, [{ actor: operatorId, act: 'member.message', target, reason: text }]);
    const added = await addMessage(tx, memberId, text);
    await keepWithEffect(tx, messageUser, { memberId: operatorId, key }, added);
    return added;
  });
  await announceNotices(platform, memberId);
  return message;
}

/**
 * Ends all sessions of a member, who can log in again.
 * @throws Refusal `not-found`, `unknown-member`
 */
export async function endSessionsOf(
  platform: Parts,
  operatorId: number,
  { memberId, reason }: { memberId: number; reason: string },
  { endSessions }: Pick<MemberActParts, 'endSessions'>,
): Promise<ReplyOf<typeof endUserSessions>> {
  const endedCount = await platform.database.transaction(async (tx) => {
    await requireOpenAccount(tx, memberId);
    const ended = await endSessions(tx, memberId);
    const target = { kind: 'member', id: memberId } as const;
    const act = { actor: operatorId, act: 'member.end-sessions', target, reason } as const;
    await recordActs(tx, [{ ...act, before: { sessions: ended }, after: { sessions: 0 } }]);
    return ended;
  });
  platform.bus.announceSessionChange({ memberId });
  platform.log.info({ memberId, operatorId }, 'sessions ended by an operator');
  return { endedCount };
}
