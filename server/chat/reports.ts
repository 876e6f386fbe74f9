import { GENERAL_CHANNEL_ID, type ReportReason } from '#contract/chat.ts';
import type { decideReport, ReportedMessage, readReport } from '#contract/chat-moderation.ts';
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { requireNotOwn } from '../members/members.ts';
import { addNotice, announceNotices } from '../notices/notices.ts';
import { addBan, announceBan, type ModerationParts, requireBannable } from './moderation.ts';
import { reportedMessageOf } from './report-list.ts';
import * as queries from './report-queries.ts';

/**
 * Reports of messages of the general channel. However many members report a message, it is one case, which is decided
 * once. Leaving it shows it again; every other decision takes it out of the chat. The writer reads the reason of a
 * warning or a ban, and each reporter what was done, which names nobody.
 *
 * A message that may show personal data is hidden at once, until it is decided. Operators' messages stay.
 */

const CONTEXT_MESSAGES = 5;
const BANS_SHOWN_MAX = 20;
const COUNTED_CASES_MAX = 1_000;

/**
 * Reports a message. A second report of one member changes nothing. Who reports what is decided already is told so.
 * @throws Refusal `not-found` for a message that is not in the general channel, or was taken out
 */
export async function reportMessage(
  platform: ModerationParts,
  memberId: number,
  { id, reason }: { id: bigint; reason: ReportReason },
): Promise<void> {
  const outcome = await platform.database.transaction(async (tx) => {
    const message = await queries.lockReportable(tx, id);
    if (message === undefined) throw refuse('not-found');
    if (message.isHidden && (await queries.findCase(tx, id)) === undefined) throw refuse('not-found');
    const isFirst = (await queries.insertReport(tx, id, memberId, reason)) !== undefined;
    if (!isFirst) return undefined;
    const { decision } = await queries.countReport(tx, id, reason);
    if (decision !== null) {
      await addNotice(tx, memberId, 'decision', { decision: 'report-decided', outcome: decision });
      return { decision, isHidden: false };
    }
    const isHidden = reason === 'personal-data' && !message.isFromOperator && !message.isHidden;
    if (isHidden) await queries.hideMessage(tx, id);
    return { decision, isHidden };
  });
  if (outcome === undefined) return;
  if (outcome.decision !== null) return announceNotices(platform, memberId);
  platform.bus.announceWaiting(['chat-reports']);
  if (outcome.isHidden)
    announceDeleted(platform, { id, channelId: BigInt(GENERAL_CHANNEL_ID), ownerId: null });
}

/**
 * Takes a message out of its channel. If it was reported, that decides the reports.
 * @throws Refusal `not-found`, also for a message that was taken out before; `own-request` for the operator's own
 *   message while reports of it wait
 */
export async function deleteMessage(
  platform: ModerationParts,
  operatorId: number,
  id: bigint,
): Promise<void> {
  const { message, reporterIds } = await platform.database.transaction(async (tx) => {
    const found = await queries.lockMessage(tx, id);
    // A response is the record of what the site said.
    if (found === undefined || (found.ownerId !== null && found.isFromOperator)) throw refuse('not-found');
    const isDecided = (await queries.decideCase(tx, id, 'delete', operatorId)) !== undefined;
    if (isDecided) await requireNotOwn(tx, operatorId, [found.memberId]);
    if (found.isHidden && !isDecided) throw refuse('not-found');
    await queries.hideMessage(tx, id);
    const target = { kind: 'chat-message', id: String(id), memberId: found.memberId } as const;
    await recordActs(tx, [{ actor: operatorId, act: 'chat.delete-message', target }]);
    return { message: found, reporterIds: isDecided ? await tellReporters(tx, id, 'delete') : [] };
  });
  announceDeleted(platform, { id, ...message });
  await announceEach(platform, reporterIds);
}

/** @throws Refusal `not-found` */
export async function readCase(
  { database }: Pick<Platform, 'database'>,
  id: bigint,
): Promise<ReplyOf<typeof readReport>> {
  const found = await queries.findCase(database, id);
  if (found === undefined) throw refuse('not-found');
  const [writer, bans, context] = await Promise.all([
    queries.readWriter(database, found.memberId),
    queries.readBansOf(database, found.memberId, BANS_SHOWN_MAX),
    queries.readContext(database, id, CONTEXT_MESSAGES),
  ]);
  return {
    ...reportedMessageOf(found),
    memberSince: writer.memberSince.toISOString(),
    messageCount: Number(writer.messageCount),
    reportedCount: Number(writer.reportedCount),
    bans: bans.map(({ createdAt, expiresAt, ...ban }) => ({
      ...ban,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt?.toISOString() ?? null,
    })),
    context: context.map((row) => ({
      id: String(row.id),
      userId: String(row.memberId),
      firstName: row.firstName,
      message: row.body,
      createdAt: row.createdAt.toISOString(),
    })),
  };
}

/**
 * Decides about a reported message, once.
 * @throws Refusal `not-found`, `already-decided`, `own-request`; for a ban or a warning also `unknown-member` for a
 *   deleted account and `forbidden` for an operator's, and for a ban `already-exists` while one is active
 */
export async function decide(
  platform: ModerationParts,
  operatorId: number,
  id: bigint,
  asked: BodyOf<typeof decideReport>,
): Promise<ReportedMessage> {
  const { decision } = asked;
  const { decided, message, reporterIds } = await platform.database.transaction(async (tx) => {
    const found = await queries.lockMessage(tx, id);
    if (found === undefined || (await queries.findCase(tx, id)) === undefined) throw refuse('not-found');
    await requireNotOwn(tx, operatorId, [found.memberId]);
    const isFirst = (await queries.decideCase(tx, id, decision, operatorId)) !== undefined;
    if (!isFirst) throw refuse('already-decided');
    await (decision === 'leave' ? queries.showMessage(tx, id) : queries.hideMessage(tx, id));
    const done = await punish(tx, operatorId, found.memberId, asked);
    const target = { kind: 'chat-message', id: String(id), memberId: found.memberId } as const;
    const reason = 'reason' in asked ? asked.reason : null;
    const after = { decision, ...done };
    await recordActs(tx, [{ actor: operatorId, act: 'chat.decide-report', target, reason, after }]);
    const told = await tellReporters(tx, id, decision);
    const row = await queries.findCase(tx, id);
    if (row === undefined) throw refuse('not-found');
    return { decided: reportedMessageOf(row), message: found, reporterIds: told };
  });
  if (decision !== 'leave') announceDeleted(platform, { id, ...message });
  if (decision === 'ban') await announceBan(platform, message.memberId);
  await announceEach(platform, decision === 'warn' ? [message.memberId, ...reporterIds] : reporterIds);
  return decided;
}

/** Warns or bans the writer, who is told. Returns what the audit trail keeps of a ban. */
async function punish(
  tx: Tx,
  operatorId: number,
  memberId: number,
  asked: BodyOf<typeof decideReport>,
): Promise<Record<string, unknown>> {
  if (asked.decision === 'warn') {
    await requireBannable(tx, memberId);
    await addNotice(tx, memberId, 'decision', { decision: 'chat-warned', reason: asked.reason });
  }
  if (asked.decision !== 'ban') return {};
  const { reason, duration } = asked;
  const { id, expiresAt } = await addBan(tx, { memberId, operatorId, reason, duration });
  await addNotice(tx, memberId, 'decision', { decision: 'chat-banned', reason, expiresAt });
  return { ban: String(id), duration, expiresAt };
}

async function tellReporters(tx: Tx, id: bigint, outcome: queries.Decision): Promise<number[]> {
  const told = await queries.noticeReporters(tx, id, { decision: 'report-decided', outcome });
  return told.map(({ memberId }) => memberId);
}

async function announceEach(platform: ModerationParts, memberIds: readonly number[]): Promise<void> {
  for (const memberId of memberIds) await announceNotices(platform, memberId);
}

/** Takes a message off the open pages of its channel. Call it after the commit. */
function announceDeleted(
  { bus }: Pick<Platform, 'bus'>,
  { id, channelId, ownerId }: { id: bigint } & Pick<queries.MessageRow, 'channelId' | 'ownerId'>,
): void {
  const event = { type: 'message_deleted' as const, channelId: String(channelId), id: String(id) };
  bus.announceChannel({ ownerId, event });
}

/** Counts the reported messages that nobody has decided, at most 1,000. */
export const countOpenReports = async ({ database }: Pick<Platform, 'database'>): Promise<number> =>
  Number((await queries.countOpenCases(database, COUNTED_CASES_MAX)).count);
