import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { rowId, text, time, wholeNumber } from './fields.ts';
import { MESSAGE_CHARACTERS_MAX, message } from './message.ts';

/**
 * The chat of members: the general channel and those of one's own tickets, who is online, reports and mutes.
 *
 * A suspended member reads and writes the channels of their own tickets. The general one is refused to them inside the
 * calls that serve both kinds.
 */

export const GENERAL_CHANNEL_ID = '1';
/** Asked anew so often without a live connection, and so often with one. */
export const MESSAGES_POLLED_EVERY_MS = { offline: 3_000, live: 10_000 } as const;
export const ONLINE_POLLED_EVERY_MS = 5_000;
/** A typing mark ends after this time, and a writer is said to have stopped this long after the last key. */
export const TYPING_MS = { shown: 3_000, stoppedAfter: 1_000 } as const;
/** Being online by a call ends after this time. */
export const ONLINE_BY_CALL_MS = 60_000;
/** The page is scrolled this far before the panel closes. */
export const CLOSES_AFTER_SCROLL_PX = 50;

/** A ban from the general channel that holds now. Reading stays allowed. */
const chatBan = z.object({
  reason: z.string(),
  /** Null: until it is lifted. */
  expiresAt: time.nullable(),
});
export type ChatBan = z.infer<typeof chatBan>;

export const channel = z.object({
  id: z.string(),
  type: z.enum(['general', 'support']),
  /** A ticket's subject; the general one is `General`. */
  name: z.string(),
  /** The place of its newest message; 0 without one. */
  seq: z.number(),
  /** The place of the last message that the member has read. */
  readSeq: z.number(),
  /** How many messages came after it. */
  unread: z.number(),
  ban: chatBan.nullable(),
  /** The time between two messages of one member; 0 without slow mode. */
  slowModeSeconds: z.number(),
  /** Members whose messages the caller does not want to see. Only of the general channel. */
  mutedUserIds: z.array(z.string()),
});
export type Channel = z.infer<typeof channel>;

export const readChannels = endpoint({
  method: 'GET',
  path: '/api/chat/channels',
  summary: 'The general channel, unless the member is suspended, and those of the member’s newest tickets',
  access: 'member',
  topic: 'channels',
  reply: z.array(channel),
  whileSuspended: true,
});

export const MESSAGES_READ = 50;

export const readMessages = endpoint({
  method: 'GET',
  path: '/api/chat/messages/:channelId',
  summary: 'The newest messages of a channel, or those before one of them, oldest first',
  access: 'member',
  topic: 'messages',
  params: z.object({ channelId: rowId }),
  query: z.object({
    /** The id of a message: answers those before it. */
    before: rowId.optional(),
    limit: wholeNumber(100).default(MESSAGES_READ),
  }),
  reply: z.array(message),
  refusals: ['not-found', 'account-suspended'],
  whileSuspended: true,
});

/** A character that is seen: no space, no format character, and none of the letters of Hangul that are empty. */
const visible = /[^\s\p{Cf}\p{Cc}\p{Z}\p{Mn}\u115f\u1160\u3164\uffa0\u2800]/u;

export const postMessage = endpoint({
  method: 'POST',
  path: '/api/chat/messages',
  summary: 'Write a message; a repeat with the same clientId answers the first one',
  access: 'member',
  refreshes: ['messages', 'channels'],
  body: z.strictObject({
    channelId: rowId,
    content: text(MESSAGE_CHARACTERS_MAX, 'Message is required')
      .refine((value) => visible.test(value), 'Message is required')
      // A column of empty lines would push away what others wrote.
      .transform((value) => value.replaceAll(/\n{3,}/g, '\n\n')),
    clientId: text(64).optional(),
  }),
  status: 201,
  reply: message,
  refusals: [
    'not-found',
    'account-suspended',
    'wrong-key',
    'chat-banned',
    'forbidden-content',
    'links-not-allowed',
    'slow-mode',
    'rate-limited',
    'idempotency-mismatch',
  ],
  whileSuspended: true,
});

export const markRead = endpoint({
  method: 'POST',
  path: '/api/chat/channels/:channelId/read',
  summary: 'Remember up to which message the member has read',
  access: 'member',
  params: z.object({ channelId: rowId }),
  body: z.strictObject({
    /** The id of a message of the channel. */
    upTo: rowId,
  }),
  status: 204,
  reply: z.null(),
  refusals: ['not-found', 'account-suspended'],
  whileSuspended: true,
});

export const goOnline = endpoint({
  method: 'POST',
  path: '/api/chat/online',
  summary: 'Be shown as online for a minute, or longer with a live connection',
  access: 'member',
  status: 204,
  reply: z.null(),
});

export const goOffline = endpoint({
  method: 'POST',
  path: '/api/chat/offline',
  summary: 'Be shown as online no more',
  access: 'member',
  status: 204,
  reply: z.null(),
});

export const readOnlineUsers = endpoint({
  method: 'GET',
  path: '/api/chat/online-users',
  summary: 'Who is online',
  access: 'member',
  topic: 'online-users',
  reply: z.array(z.object({ id: z.string(), firstName: z.string() })),
});

export const reportReasons = ['begging', 'scam', 'insult', 'personal-data', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];

export const reportMessage = endpoint({
  method: 'POST',
  path: '/api/chat/messages/:id/report',
  summary: 'Report a message to the operators; a second report of one member changes nothing',
  access: 'member',
  params: z.object({ id: rowId }),
  body: z.strictObject({ reason: z.enum(reportReasons) }),
  status: 204,
  reply: z.null(),
  refusals: ['not-found', 'rate-limited'],
});

export const muteMember = endpoint({
  method: 'POST',
  path: '/api/chat/mutes',
  summary: 'See no messages of a member any more; nobody is told',
  access: 'member',
  refreshes: ['channels'],
  body: z.strictObject({ userId: rowId }),
  status: 204,
  reply: z.null(),
});

export const unmuteMember = endpoint({
  method: 'DELETE',
  path: '/api/chat/mutes/:userId',
  summary: 'See the messages of a member again',
  access: 'member',
  refreshes: ['channels'],
  params: z.object({ userId: rowId }),
  status: 204,
  reply: z.null(),
});
