import type { Message } from '#contract/message.ts';

/** What the list of messages shows, in its order: messages, and a line for each muted member. */
export type Row =
  | {
      kind: 'message';
      key: string;
      message: Message;
      /** Whether the name and the time stand over it. */
      isFirst: boolean;
      /** Whether its day stands over it. */
      isNewDay: boolean;
      /** The time of the last message that was read, if the first unread one is this. */
      unreadSince: string | null;
      /** The server does not have it yet. */
      isPending: boolean;
    }
  | { kind: 'muted'; key: string; userId: string; firstName: string; count: number };

export type RowsInput = {
  messages: readonly Message[];
  /** Older ones are not fetched yet, so that the day of the first one may have begun before it. */
  hasOlder: boolean;
  /** The place where reading stopped when the panel was opened; null if all was read. */
  readSeq: number | null;
  ownId: string;
  mutedUserIds: readonly string[];
  /** The day of a time in the member's zone. */
  dayOf: (iso: string) => string;
};

/** A name stands over the messages of this time. */
const NAMED_FOR_MS = 5 * 60_000;

export function rowsOf({ messages, hasOlder, readSeq, ownId, mutedUserIds, dayOf }: RowsInput): Row[] {
  const rows: Row[] = [];
  const muted = new Map<string, Message[]>();
  let day = hasOlder && messages[0] !== undefined ? dayOf(messages[0].createdAt) : '';
  let named: Message | null = null;
  let lastRead: string | null = null;
  let isMarked = false;
  for (const message of messages) {
    if (isMuted(message, mutedUserIds)) {
      muted.set(message.userId, [...(muted.get(message.userId) ?? []), message]);
      continue;
    }
    const today = dayOf(message.createdAt);
    const isNewDay = today !== day;
    day = today;
    const isRead = readSeq === null || message.seq <= readSeq || message.userId === ownId;
    // Without a message before it, where reading stopped is not known yet: older ones may be unread too.
    const unreadSince: string | null = isRead || isMarked ? null : lastRead;
    isMarked ||= unreadSince !== null;
    const isFirst: boolean =
      isNewDay || unreadSince !== null || named === null || !isContinued(named, message);
    if (isFirst) named = message;
    const key = message.userId === ownId ? (message.clientId ?? message.id) : message.id;
    rows.push({
      kind: 'message',
      key,
      message,
      isFirst,
      isNewDay,
      unreadSince,
      isPending: isPending(message),
    });
    if (isRead) lastRead = message.createdAt;
  }
  for (const [userId, hidden] of muted) placeMuted(rows, userId, hidden);
  return rows;
}

/** Behind all messages that the server has. */
export const PENDING_SEQ = Number.MAX_SAFE_INTEGER;
const isPending = ({ seq }: Message): boolean => seq === PENDING_SEQ;

/** An operator can't be muted. */
const isMuted = ({ userId, isFromAdmin }: Message, mutedUserIds: readonly string[]): boolean =>
  !isFromAdmin && mutedUserIds.includes(userId);

/** Whether a message goes on under a name. */
const isContinued = (named: Message, message: Message): boolean =>
  named.userId === message.userId &&
  named.isFromAdmin === message.isFromAdmin &&
  Date.parse(message.createdAt) - Date.parse(named.createdAt) < NAMED_FOR_MS;

/** Puts a muted member's line where the newest hidden message would be. */
function placeMuted(rows: Row[], userId: string, hidden: Message[]): void {
  const newest = hidden.at(-1);
  if (newest === undefined) return;
  const after = rows.findLastIndex((row) => row.kind === 'message' && row.message.seq < newest.seq);
  rows.splice(after === -1 ? rows.length : after + 1, 0, {
    kind: 'muted',
    key: `muted ${userId}`,
    userId,
    firstName: newest.user.firstName,
    count: hidden.length,
  });
}

/** How many messages of others are beyond a place. */
export const countUnseen = (
  messages: readonly Message[],
  { ownId, mutedUserIds }: Pick<RowsInput, 'ownId' | 'mutedUserIds'>,
  seenSeq: number,
): number =>
  messages.filter(
    (message) => message.seq > seenSeq && message.userId !== ownId && !isMuted(message, mutedUserIds),
  ).length;
