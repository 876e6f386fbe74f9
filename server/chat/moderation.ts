import type { BanDuration, BannedWord, ListedBan, testMessage } from '#contract/chat-moderation.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Tx } from '#platform/database.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { findAccount, lockWithdrawalsOf } from '../members/members.ts';
import { addNotice, announceNotices } from '../notices/notices.ts';
import { listedBanOf } from './ban-list.ts';
import type { KeptWords } from './kept-words.ts';
import * as queries from './moderation-queries.ts';
import { bannedWordOf } from './word-list.ts';
import { readAs } from './words.ts';

/**
 * The moderation of the general channel: banned words, and bans of members. `reports.ts` has what members report.
 *
 * A member has at most one ban that is active. A banned member reads on, and everything else on the site stays open.
 * No word stands twice, where two that read alike are one.
 */

export type ModerationParts = Pick<Platform, 'database' | 'bus' | 'log'>;

/**
 * @throws Refusal `already-exists` for a word that reads as one of the list; `invalid-request` for one of which the
 *   filter reads nothing, which would stop nothing
 */
export async function addWord(
  { database }: Pick<Platform, 'database'>,
  operatorId: number,
  word: string,
): Promise<BannedWord> {
  const read = readAs(word);
  if (read === '') throw new InvalidRequest([{ path: 'word', message: 'Must have something visible' }]);
  return database.transaction(async (tx) => {
    const added = await queries.insertWord(tx, { word, readAs: read }, operatorId);
    if (added === undefined) throw await alreadyListed(tx, read);
    const target = { kind: 'chat-word', id: String(added.id) } as const;
    await recordActs(tx, [{ actor: operatorId, act: 'chat.ban-word', target, after: { word } }]);
    const row = await queries.findWord(tx, added.id);
    if (row === undefined) throw refuse('not-found');
    return bannedWordOf(row);
  });
}

/** The refusal of a second word. It says which one is listed, because the two may be written differently. */
async function alreadyListed(tx: Tx, read: string) {
  const listed = await queries.findWordReadAs(tx, read);
  const detail = listed === undefined ? undefined : `“${listed.word}” is already on the list.`;
  return refuse('already-exists', detail, { word: listed?.word, since: listed?.createdAt.toISOString() });
}

/** @throws Refusal `not-found` */
export const removeWord = (
  { database }: Pick<Platform, 'database'>,
  operatorId: number,
  id: bigint,
): Promise<void> =>
  database.transaction(async (tx) => {
    const removed = await queries.removeWord(tx, id);
    if (removed === undefined) throw refuse('not-found');
    const target = { kind: 'chat-word', id: String(id) } as const;
    await recordActs(tx, [{ actor: operatorId, act: 'chat.allow-word', target, before: removed }]);
  });

/** Tries a message as the filter does. Nothing is counted. */
export async function tryMessage(
  words: Pick<KeptWords, 'find'>,
  message: string,
): Promise<ReplyOf<typeof testMessage>> {
  const found = await words.find(message);
  return { word: found?.word.word ?? null, readAs: found?.readAs ?? readAs(message) };
}

type Ban = { userId: string; reason: string; duration: BanDuration };

/**
 * Bans a member from writing in the general channel, and tells them the reason.
 * @throws Refusal `unknown-member` (also for a deleted account), `forbidden` for an operator's account,
 *   `already-exists` while a ban is active
 */
export async function ban(
  platform: ModerationParts,
  operatorId: number,
  { userId, ...rest }: Ban,
): Promise<ListedBan> {
  const { database } = platform;
  const account = await findAccount(database, userId);
  if (account === undefined) throw refuse('unknown-member');
  const memberId = account.id;
  const banned = await database.transaction(async (tx) => {
    const { id, expiresAt } = await addBan(tx, { memberId, operatorId, ...rest });
    const target = { kind: 'chat-ban', id: String(id), memberId } as const;
    const after = { duration: rest.duration, expiresAt };
    await recordActs(tx, [{ actor: operatorId, act: 'chat.ban-member', target, reason: rest.reason, after }]);
    await addNotice(tx, memberId, 'decision', { decision: 'chat-banned', reason: rest.reason, expiresAt });
    return findListed(tx, id);
  });
  await announceBan(platform, memberId);
  return banned;
}

/**
 * Adds a ban in the caller's transaction, without its act and notice. The wallet's lock makes two operators at once
 * bans one after the other.
 * @throws Refusal `unknown-member`, `forbidden`, `already-exists`
 */
export async function addBan(
  tx: Tx,
  asked: queries.NewBan,
): Promise<{ id: bigint; expiresAt: string | null }> {
  await lockWithdrawalsOf(tx, asked.memberId);
  await requireBannable(tx, asked.memberId);
  const added = await queries.insertBan(tx, asked);
  if (added === undefined)
    throw refuse('already-exists', 'This member is banned from the chat already. Lift that ban first.');
  return { id: added.id, expiresAt: added.expiresAt?.toISOString() ?? null };
}

/** @throws Refusal `unknown-member` for a deleted account, `forbidden` for an operator's */
export async function requireBannable(tx: Tx, memberId: number): Promise<void> {
  const { role, isDeleted } = await queries.findMember(tx, memberId);
  if (isDeleted) throw refuse('unknown-member', 'The account of this member is closed.');
  if (role === 'admin') throw refuse('forbidden', 'Operators can’t be banned.');
}

/**
 * Lifts a ban, once, and tells the member. Its row stays.
 * @throws Refusal `not-found`, `already-decided` if it was lifted or its time has passed
 */
export async function liftBan(platform: ModerationParts, operatorId: number, id: bigint): Promise<void> {
  const memberId = await platform.database.transaction(async (tx) => {
    const lifted = await endBanOf(tx, operatorId, id);
    if (lifted === undefined) {
      const isKnown = (await queries.findBan(tx, id)) !== undefined;
      throw isKnown ? refuse('already-decided', 'This ban has ended already.') : refuse('not-found');
    }
    const target = { kind: 'chat-ban', id: String(id), memberId: lifted.memberId } as const;
    const change = { before: { isActive: true }, after: { isActive: false } };
    await recordActs(tx, [{ actor: operatorId, act: 'chat.lift-ban', target, ...change }]);
    await addNotice(tx, lifted.memberId, 'decision', { decision: 'chat-unbanned' });
    return lifted.memberId;
  });
  await announceBan(platform, memberId);
}

/** Ends a ban without an act and a notice, which are the caller's; undefined if it has ended before. */
export const endBanOf = (tx: Tx, operatorId: number, id: bigint): Promise<{ memberId: number } | undefined> =>
  queries.endBan(tx, id, operatorId);

/** Tells the member's open pages that a ban began or ended. Call it after the commit. */
export async function announceBan(platform: ModerationParts, memberId: number): Promise<void> {
  platform.bus.announce({ memberId, event: { type: 'chat' } });
  await announceNotices(platform, memberId);
}

async function findListed(tx: Tx, id: bigint): Promise<ListedBan> {
  const row = await queries.findBan(tx, id);
  if (row === undefined) throw refuse('not-found');
  return listedBanOf(row);
}
