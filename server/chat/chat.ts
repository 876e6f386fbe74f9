import { type Channel, GENERAL_CHANNEL_ID, type postMessage } from '#contract/chat.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { MESSAGE_CHARACTERS_MAX, type Message } from '#contract/message.ts';
import type { Reader, Tx } from '#platform/database.ts';
import type { Caller } from '#platform/http/caller.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { isOperator } from '#platform/realtime-hints.ts';
import { Refusal, refuse } from '#platform/refusal.ts';
import { removeInPieces } from '#platform/retention.ts';
import { readStats } from '../ledger/ledger.ts';
import type { KeptWords } from './kept-words.ts';
import { findLink } from './links.ts';
import { OPERATORS_NAME_IN_TICKETS, readOperatorsName } from './operators-names.ts';
import * as queries from './queries.ts';

/**
 * The chat: one general channel for all members, and one channel for each ticket, of its member and the operators.
 * Messages are written by calls alone; `/ws` pushes them after the commit.
 *
 * Invariants: the messages of a channel have the places 1, 2, 3 …, and become visible in this order, so a reader that
 * misses a place knows that it lacks a message. A repeat with the same client id is no second message. Text is kept and
 * sent as it was written; whoever shows it shows text. Operators appear under the name of the site, never with theirs.
 * Banned words, links, slow mode and bans concern the general channel and members alone. A suspended member has the
 * channels of their tickets and not the general one.
 *
 * Left to others: bans, words and reports (`moderation.ts`, `reports.ts`), who is online (`platform/presence.ts`).
 */
const TICKET_CHANNELS_MAX = 50;
const MUTES_MAX = 500;
const GENERAL_ID = BigInt(GENERAL_CHANNEL_ID);
const operatorsColors = { chatBubbleColor: '#3B82F6', chatTextColor: '#FFFFFF' };

type Parts = Pick<Platform, 'database' | 'bus' | 'settings' | 'config'>;

/**
 * The channels of a member, the general one first unless they are suspended. Its name is the one for programs; screens
 * translate it.
 */
export async function readChannels(
  platform: Parts,
  { id: memberId, isSuspended }: Pick<Caller, 'id' | 'isSuspended'>,
): Promise<Channel[]> {
  const { database, settings } = platform;
  const [all, ban, muted, { chat }] = await Promise.all([
    queries.readChannelsOf(database, memberId, TICKET_CHANNELS_MAX),
    queries.findBan(database, memberId),
    queries.readMutedBy(database, memberId),
    settings.read(),
  ]);
  const rows = all.filter(({ ownerId }) => ownerId !== null || !isSuspended);
  const generalBan = ban === undefined ? null : banOf(ban.reason, ban.expiresAt);
  return rows.map((row) => {
    const isGeneral = row.ownerId === null;
    return {
      id: String(row.id),
      type: isGeneral ? 'general' : 'support',
      name: row.name,
      seq: Number(row.seq),
      readSeq: Number(row.readSeq),
      // What was removed by its age can't be read any more.
      unread: Math.min(Number(row.seq - row.readSeq), Number(row.seq - row.keptSeq) + 1),
      ban: isGeneral ? generalBan : null,
      slowModeSeconds: isGeneral ? chat.slowModeSeconds : 0,
      mutedUserIds: isGeneral ? muted.map(({ mutedId }) => String(mutedId)) : [],
    };
  });
}

const banOf = (reason: string, expiresAt: Date | null) => ({
  reason,
  expiresAt: expiresAt?.toISOString() ?? null,
});

/** @throws Refusal `account-suspended` if the channel is the general one and its reader or writer is suspended */
function refuseSuspendedInGeneral({ isSuspended }: Pick<Caller, 'isSuspended'>, channelId: bigint): void {
  if (isSuspended && channelId === GENERAL_ID) throw refuse('account-suspended');
}

/**
 * @throws Refusal `not-found` unless the channel is general, the caller's own, or the caller is an operator;
 *   `account-suspended`
 */
async function requireReader(platform: Parts, caller: Caller, channelId: bigint): Promise<void> {
  refuseSuspendedInGeneral(caller, channelId);
  const channel = await queries.findChannel(platform.database, channelId);
  const mayRead =
    channel !== undefined &&
    (channel.ownerId === null || channel.ownerId === caller.id || isOperator(platform.config, caller));
  if (!mayRead) throw refuse('not-found');
}

/**
 * Reads the newest messages of a channel, or those before one of them, oldest first.
 * @throws Refusal `not-found`, `account-suspended`
 */
export async function readMessages(
  platform: Parts,
  caller: Caller,
  channelId: bigint,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<Message[]> {
  await requireReader(platform, caller, channelId);
  const beforeId = before === undefined ? null : BigInt(before);
  const rows = await queries.readMessagesBefore(platform.database, channelId, beforeId, limit);
  const operatorsName = await readOperatorsName(platform);
  return rows.reverse().map((row) => messageOf(row, operatorsName));
}

/** A message in the contract's shape. */
function messageOf(row: queries.MessageRow, operatorsName: string): Message {
  const isGeneral = row.channelId === GENERAL_ID;
  return {
    id: String(row.id),
    channelId: String(row.channelId),
    seq: Number(row.seq),
    userId: String(row.memberId),
    user: row.isFromOperator
      ? { firstName: isGeneral ? operatorsName : OPERATORS_NAME_IN_TICKETS, ...operatorsColors }
      : { firstName: row.firstName, chatBubbleColor: row.bubbleColor, chatTextColor: row.textColor },
    message: row.body,
    isFromAdmin: row.isFromOperator,
    createdAt: row.createdAt.toISOString(),
    clientId: row.clientId,
  };
}

/** What a member's message into the channel of a ticket does to the ticket. The feature of tickets passes it in. */
export type TicketsOfChannels = {
  /** Locks the member's ticket of a channel before the channel is locked; undefined if there is none. */
  lockTicketOf(tx: Tx, channelId: bigint, memberId: number): Promise<string | undefined>;
  /** Lets the ticket wait for an answer. A resolved or closed one is open again. */
  reopenTicket(tx: Tx, ticketId: string): Promise<void>;
};

type Writer = Pick<Caller, 'id' | 'role' | 'isSuspended' | 'hasPassedGate'>;

/**
 * Writes a message and pushes it to the readers of its channel.
 * @param words null where no word is banned
 * @param tickets null where no ticket has a channel
 * @throws Refusal `not-found`, `account-suspended`, `forbidden-content`, `links-not-allowed`, `chat-banned`,
 *   `slow-mode`, `idempotency-mismatch`
 */
export async function writeMessage(
  platform: Parts,
  words: KeptWords | null,
  tickets: TicketsOfChannels | null,
  caller: Writer,
  { channelId, content, clientId }: BodyOf<typeof postMessage>,
): Promise<Message> {
  const { database, bus } = platform;
  refuseSuspendedInGeneral(caller, BigInt(channelId));
  const { chat } = await platform.settings.read();
  const isFromOperator = isOperator(platform.config, caller);
  // Who has not passed the gate speaks neither for the site nor as a member.
  if (caller.role === 'admin' && !isFromOperator) throw refuse('wrong-key');
  const given = {
    channelId: BigInt(channelId),
    memberId: caller.id,
    isOperator: isFromOperator,
    readsAll: isFromOperator,
    body: content,
    clientId: clientId ?? null,
    slowModeSeconds: chat.slowModeSeconds,
  };
  // A repeat gets the first message, although its text is forbidden by now.
  if (given.channelId === GENERAL_ID && !isFromOperator && !(await queries.isWritten(database, given))) {
    if (words !== null) await refuseForbidden(words, content);
    if (chat.linksNeedEarnings) await refuseLinks(database, caller.id, content);
  }
  const { posted, row, ticketId } =
    given.channelId === GENERAL_ID || tickets === null
      ? await writeInto(database, given)
      : await database.transaction((tx) => writeIntoTickets(tx, tickets, given));
  const message = messageOf(row, await readOperatorsName(platform));
  if (posted.outcome !== 'posted') return message;
  announceMessage(platform, posted.ownerId, message);
  if (ticketId !== undefined) bus.announce({ memberId: caller.id, event: { type: 'ticket', id: ticketId } });
  return message;
}

async function writeInto(reader: Reader, given: queries.NewMessage) {
  const posted = await queries.writeMessage(reader, given);
  return { posted, row: await findPosted(reader, posted), ticketId: undefined };
}

/** Writes into the channel of a ticket, which is locked before the channel, as by an operator's response. */
async function writeIntoTickets(tx: Tx, tickets: TicketsOfChannels, given: queries.NewMessage) {
  const ticketId = await tickets.lockTicketOf(tx, given.channelId, given.memberId);
  const written = await writeInto(tx, given);
  if (ticketId !== undefined && written.posted.outcome === 'posted') await tickets.reopenTicket(tx, ticketId);
  return { ...written, ticketId };
}

/** Pushes a message to the readers of its channel, after the commit. */
export function announceMessage(
  { bus }: Pick<Platform, 'bus'>,
  ownerId: number | null,
  message: Message,
): void {
  bus.announceChannel({ ownerId, event: { type: 'new_message', channelId: message.channelId, message } });
}

/** When a member first wrote into a channel after a time; null if they did not. */
export const findFirstWrittenAfter = async (
  tx: Tx,
  { channelId, memberId }: { channelId: bigint; memberId: number },
  after: Date,
): Promise<Date | null> => (await queries.findFirstAfter(tx, channelId, memberId, after))?.createdAt ?? null;

/** Whether a member wrote into a channel behind a place. */
export const hasWrittenBehind = (
  tx: Tx,
  { channelId, memberId }: { channelId: bigint; memberId: number },
  seq: number,
): Promise<boolean> => queries.hasWrittenBehind(tx, channelId, memberId, seq);

/** Writes an operator's response into the channel of a ticket, which the caller has locked. */
export async function writeResponse(
  tx: Tx,
  operatorId: number,
  channelId: bigint,
  body: string,
): Promise<Message> {
  const posted = await queries.writeMessage(tx, {
    channelId,
    memberId: operatorId,
    isOperator: true,
    readsAll: true,
    body,
    clientId: null,
    slowModeSeconds: 0,
  });
  return messageOf(await findPosted(tx, posted), '');
}

/** Some characters stand for eighteen letters, and a text of them would hold this process for a tenth of a second. */
const READ_CHARACTERS_MAX = 2 * MESSAGE_CHARACTERS_MAX;

async function refuseForbidden(words: KeptWords, content: string): Promise<void> {
  if (content.normalize('NFKC').length > READ_CHARACTERS_MAX)
    throw new InvalidRequest([{ path: 'content', message: 'Too many letters in one character' }]);
  const found = await words.stop(content);
  if (found !== null) throw refuse('forbidden-content', undefined, { word: found.word.word });
}

async function refuseLinks(reader: Reader, memberId: number, content: string): Promise<void> {
  const link = findLink(content);
  if (link === null) return;
  const { totalEarned } = await readStats(reader, memberId);
  if (totalEarned === '0') throw refuse('links-not-allowed', undefined, { link });
}

/** The message that was written now or by the first of repeated calls. @throws Refusal for every other outcome */
async function findPosted(reader: Reader, posted: queries.Posted): Promise<queries.MessageRow> {
  const { outcome, messageId, banReason, banExpiresAt, waitSeconds } = posted;
  if (outcome === 'banned') throw refuse('chat-banned', undefined, banOf(banReason ?? '', banExpiresAt));
  if (outcome === 'slow_mode') throw new Refusal('slow-mode', undefined, {}, waitSeconds ?? 1);
  if (outcome === 'exists_different') throw refuse('idempotency-mismatch');
  if (outcome === 'no_channel' || messageId === null) throw refuse('not-found');
  return queries.findMessage(reader, messageId);
}

/**
 * Remembers that a member has read up to a message, never less than before.
 * @throws Refusal `not-found`, `account-suspended`
 */
export async function markRead(
  platform: Parts,
  caller: Caller,
  channelId: bigint,
  messageId: bigint,
): Promise<void> {
  await requireReader(platform, caller, channelId);
  const moved = await queries.moveReadMark(platform.database, channelId, caller.id, messageId);
  if (moved === undefined) throw refuse('not-found');
}

/**
 * Hides the messages of a member from this one. It has no effect for an id of nobody, for one's own, and beyond 500
 * muted members.
 */
export const muteMember = async ({ database }: Parts, memberId: number, mutedId: bigint): Promise<void> => {
  await queries.insertMute(database, memberId, mutedId, MUTES_MAX);
};

export const unmuteMember = async ({ database }: Parts, memberId: number, mutedId: bigint): Promise<void> => {
  await queries.deleteMute(database, memberId, mutedId);
};

/** Who may be shown as typing in a channel, and under which name; undefined if it is not theirs to write in. */
export async function findTypist(
  platform: Pick<Platform, 'database' | 'settings'>,
  memberId: number,
  mayReadAll: boolean,
  channelId: string,
): Promise<{ ownerId: number | null; firstName: string } | undefined> {
  const found = await queries.findTypist(platform.database, memberId, mayReadAll, BigInt(channelId));
  if (found === undefined || (found.isOperator && !mayReadAll)) return undefined;
  const { ownerId, firstName } = found;
  if (!found.isOperator) return { ownerId, firstName };
  return {
    ownerId,
    firstName: ownerId === null ? await readOperatorsName(platform) : OPERATORS_NAME_IN_TICKETS,
  };
}

/** Removes the general messages, reading marks and mutes of an account that this transaction anonymises. */
export const forgetChat = async (tx: Tx, memberId: number): Promise<void> => {
  await queries.forget(tx, memberId);
};

/** Deletes messages of the general channel that are older than the site's owner keeps them. */
export async function deleteOldMessages(
  { database, settings }: Pick<Platform, 'database' | 'settings'>,
  signal: AbortSignal,
): Promise<void> {
  const { chat } = await settings.read();
  await removeInPieces(database, signal, (rowsMax) =>
    queries.removeOldMessages(database, chat.keptDays, rowsMax),
  );
}
