import type { ReplyOf } from '#contract/endpoint.ts';
import type { NoticeKind } from '#contract/notice-kinds.ts';
import type * as contract from '#contract/notices.ts';
import type { NoticeFacts } from '#contract/notices.ts';
import { paginationOf } from '#contract/pages.ts';
import type { Reader, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { removeInPieces } from '#platform/retention.ts';
import * as queries from './queries.ts';

export { endDenials, redeemDenial } from './denials.ts';

/**
 * Notices: what a member must know. The feature of a fact adds its notice in the transaction of the fact, in SQL
 * (`notices.add`) or with `addNotice`, so there is a notice if and only if there is the fact. Ordinary credits, flips
 * and bonuses have none.
 *
 * The row is the truth of both channels. The app: `announceNotices` tells the member's browsers after the commit, and
 * a sweep does so for a process that ended before (`jobs.ts`). Mail: a sweep finds rows whose mail is due
 * (`mail-sending.ts`); the texts are in `mails.ts`. A member chooses the kinds to be mailed (members keeps the choice);
 * those about sign-ins and security are always mailed, each with a link that says that this was not the member.
 */
export type NoticeParts = Pick<Platform, 'database' | 'bus' | 'log'>;

/** Adds a notice in the caller's transaction. Its locks are the last ones of the transaction. */
export async function addNotice<Kind extends NoticeKind>(
  tx: Tx,
  memberId: number,
  kind: Kind,
  facts: NoticeFacts<Kind>,
): Promise<void> {
  await queries.insertNotice(tx, memberId, kind, facts);
}

/** The facts of a security notice about no withdrawal. */
const noWithdrawal = { withdrawalId: null, method: null, amount: null, address: null, holdUntil: null };

/** Adds a notice about a change of the account's security. */
export const addSecurityNotice = (tx: Tx, memberId: number, change: contract.SecurityChange): Promise<void> =>
  addNotice(tx, memberId, 'security', { ...noWithdrawal, change });

/**
 * Tells the member's browsers about new notices, after the commit. It never fails, because the fact is booked: the
 * sweep announces what is left.
 */
export async function announceNotices(parts: NoticeParts, memberId: number): Promise<void> {
  try {
    announce(parts, await queries.takeUnannounced(parts.database, [memberId], 1));
  } catch (error) {
    parts.log.warn({ error, memberId }, 'notices not announced; the sweep will');
  }
}

const MEMBERS_AT_ONCE_MAX = 500;

/** Announces the notices that processes left unannounced because they ended. */
export async function announceLeftNotices(parts: NoticeParts): Promise<void> {
  if (!(await queries.hasUnannounced(parts.database))) return;
  announce(parts, await queries.takeUnannounced(parts.database, null, MEMBERS_AT_ONCE_MAX));
}

function announce({ bus }: Pick<NoticeParts, 'bus'>, taken: readonly queries.Unannounced[]): void {
  for (const { memberId, memberNumber, kind } of taken)
    bus.announce({ memberId, event: { type: 'notice', id: String(memberNumber), kind } });
}

const noticeOf = (row: queries.NoticeRow) =>
  ({
    id: String(row.memberNumber),
    kind: row.kind,
    facts: row.facts,
    createdAt: row.createdAt.toISOString(),
    readAt: row.readAt?.toISOString() ?? null,
  }) as contract.Notice;

/** Reads a page of the member's notices, newest first. A page is a range of numbers, so all pages cost the same. */
export async function readNotices(
  { database }: Pick<NoticeParts, 'database'>,
  memberId: number,
  { page, limit }: { page: number; limit: number },
): Promise<ReplyOf<typeof contract.readNotices>> {
  const counts = await queries.findCounts(database, memberId);
  const { noticeCount = 0n, removedCount = 0n, unreadCount = 0n } = counts ?? {};
  const upTo = noticeCount - BigInt(page - 1) * BigInt(limit);
  const after = upTo - BigInt(limit);
  const rows =
    upTo > removedCount
      ? await queries.readNumbered(database, memberId, after > removedCount ? after : removedCount, upTo)
      : [];
  return {
    data: rows.map(noticeOf),
    pagination: paginationOf({ page, limit }, Number(noticeCount - removedCount)),
    unreadCount: Number(unreadCount),
  };
}

/**
 * Adds an operator's message to a member, and returns its notice. The notice's number is the member's last one, because
 * adding it locked the count.
 */
export async function addMessage(tx: Tx, memberId: number, text: string) {
  await addNotice(tx, memberId, 'message', { text });
  const { memberNumber, createdAt } = await queries.readNewest(tx, memberId);
  return { id: String(memberNumber), text, createdAt: createdAt.toISOString() };
}

/** Marks the member's notices up to this number as read. */
export async function markNoticesRead(reader: Reader, memberId: number, upTo: bigint): Promise<void> {
  await queries.markRead(reader, memberId, upTo);
}

/** Whether a mail of a notice is due now. Other mails of the site wait for it. */
export const hasDueMail = (reader: Reader): Promise<boolean> => queries.isAnyMailDue(reader);

/** Deletes the notices of an account that this transaction is about to anonymise. */
export const forgetNotices = async (tx: Tx, memberId: number): Promise<void> => {
  await queries.forget(tx, memberId);
};

/** Deletes notices that are older than three years. */
export const deleteOldNotices = (
  { database }: Pick<NoticeParts, 'database'>,
  signal: AbortSignal,
): Promise<void> => removeInPieces(database, signal, (rowsMax) => queries.removeOld(database, rowsMax));
