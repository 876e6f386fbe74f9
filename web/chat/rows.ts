import type { Message } from '#contract/message.ts';

/** What the list of messages shows, in its order: days, the unread mark, messages, and a line for each muted member. */
export type Row =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: string; since: string | null }
  | { kind: 'message'; key: string; message: Message; isFirst: boolean }
  | { kind: 'muted'; key: string; userId: string; firstName: string; count: number };

export type RowsInput = {
  messages: readonly Message[];
  /** The place where reading stopped when the panel was opened. */
  readSeq: number;
  ownId: string;
  mutedUserIds: readonly string[];
  /** The day of a time in the member's zone. */
  dayOf: (iso: string) => string;
};

/** A name stands over the messages of this time. */
const NAMED_FOR_MS = 5 * 60_000;

export function rowsOf({ messages, readSeq, ownId, mutedUserIds, dayOf }: RowsInput): Row[] {
  const rows: Row[] = [];
  const muted = new Map<string, Message[]>();
  let day = '';
  let named: Message | null = null;
  let lastRead: Message | null = null;
  let isMarked = false;
  for (const message of messages) {
    if (mutedUserIds.includes(message.userId) && !message.isFromAdmin) {
      muted.set(message.userId, [...(muted.get(message.userId) ?? []), message]);
      continue;
    }
    const today = dayOf(message.createdAt);
    const isNewDay = today !== day;
    if (isNewDay) rows.push({ kind: 'day', key: `day ${today}`, at: message.createdAt });
    day = today;
    // Without a message before it, where reading stopped is not known yet: older ones may be unread too.
    const isUnread = message.seq > readSeq && message.userId !== ownId && lastRead !== null && !isMarked;
    if (isUnread) rows.push({ kind: 'unread', key: 'unread', since: lastRead?.createdAt ?? null });
    isMarked ||= isUnread;
    const isFirst: boolean = isNewDay || isUnread || named === null || !isContinued(named, message);
    if (isFirst) named = message;
    rows.push({ kind: 'message', key: message.clientId ?? message.id, message, isFirst });
    if (message.seq <= readSeq || message.userId === ownId) lastRead = message;
  }
  for (const [userId, hidden] of muted) placeMuted(rows, userId, hidden);
  return rows;
}

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
export const countUnseen = ({ messages, ownId, mutedUserIds }: RowsInput, seenSeq: number): number =>
  messages.filter(({ seq, userId }) => seq > seenSeq && userId !== ownId && !mutedUserIds.includes(userId))
    .length;
