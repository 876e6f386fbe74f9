import { z } from 'zod';
import { reportReasons } from './chat.ts';
import { endpoint } from './endpoint.ts';
import { reason, rowId, text, time } from './fields.ts';
import { MESSAGE_CHARACTERS_MAX } from './message.ts';
import { operatorList } from './operator-list.ts';

/** The moderation of the chat by operators: banned words, bans, reports. */

export const BANNED_WORD_MAX = 500;

export const bannedWord = z.object({
  id: z.string(),
  word: z.string(),
  createdAt: time,
  /** The name of the operator who added it; null if the account is gone. */
  createdBy: z.string().nullable(),
  /** How many messages it stopped in the last 30 days. */
  blockedCount: z.number(),
});
export type BannedWord = z.infer<typeof bannedWord>;

export const readBannedWords = operatorList({
  path: '/api/admin/chat-banned-words',
  summary: 'Words and phrases that no message may have, newest first',
  topic: 'chat-words',
  row: bannedWord,
  sorts: ['createdAt', 'word'],
  defaultSort: '-createdAt',
  filters: {},
  searches: ['id', 'word'],
});

export const addBannedWord = endpoint({
  method: 'POST',
  path: '/api/admin/chat-banned-words',
  summary: 'Ban a word or phrase, also in disguise',
  access: 'operator',
  act: 'chat.ban-word',
  refreshes: ['chat-words'],
  body: z.strictObject({ word: text(BANNED_WORD_MAX, 'Word is required') }),
  status: 201,
  reply: bannedWord,
  refusals: ['already-exists'],
});

export const removeBannedWord = endpoint({
  method: 'DELETE',
  path: '/api/admin/chat-banned-words/:id',
  summary: 'Allow a banned word again',
  access: 'operator',
  act: 'chat.allow-word',
  refreshes: ['chat-words'],
  params: z.object({ id: rowId }),
  status: 204,
  reply: z.null(),
  refusals: ['not-found'],
});

export const testMessage = endpoint({
  method: 'GET',
  path: '/api/admin/chat-banned-words/test',
  summary: 'Whether a message would be stopped, by which word, and how it was read',
  access: 'operator',
  topic: 'chat-words',
  query: z.object({ text: text(MESSAGE_CHARACTERS_MAX, 'Message is required') }),
  reply: z.object({
    /** Null: it would be sent. */
    word: z.string().nullable(),
    /** The message as the filter reads it. */
    readAs: z.string(),
  }),
});

export const banDurations = ['1day', '7days', 'permanent'] as const;
export type BanDuration = (typeof banDurations)[number];

export const listedBan = z.object({
  id: z.string(),
  userId: z.string(),
  /** Null for an account that was deleted. */
  userName: z.string().nullable(),
  userEmail: z.string().nullable(),
  /** The member reads it. */
  reason: z.string(),
  duration: z.enum(banDurations),
  /** Null: it ends when it is lifted. */
  expiresAt: time.nullable(),
  isActive: z.boolean(),
  createdAt: time,
  liftedAt: time.nullable(),
});
export type ListedBan = z.infer<typeof listedBan>;

export const readBans = operatorList({
  path: '/api/admin/chat-bans',
  summary: 'Bans from the chat, newest first',
  topic: 'chat-bans',
  row: listedBan,
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
  filters: {
    state: { kind: 'choice', choices: ['active', 'inactive'] },
    duration: { kind: 'choice', choices: banDurations },
  },
  searches: ['id', 'userId', 'userName', 'userEmail'],
});

export const banMember = endpoint({
  method: 'POST',
  path: '/api/admin/chat-bans',
  summary: 'Ban a member from writing in the chat, who is told the reason',
  access: 'operator',
  act: 'chat.ban-member',
  refreshes: ['chat-bans'],
  body: z.strictObject({
    userId: text(254, 'User ID is required'),
    reason,
    duration: z.enum(banDurations).default('1day'),
  }),
  status: 201,
  reply: listedBan,
  refusals: ['unknown-member', 'forbidden', 'already-exists'],
});

export const liftBan = endpoint({
  method: 'DELETE',
  path: '/api/admin/chat-bans/:id',
  summary: 'Lift a ban from the chat, which the member is told',
  access: 'operator',
  act: 'chat.lift-ban',
  refreshes: ['chat-bans'],
  params: z.object({ id: rowId }),
  status: 204,
  reply: z.null(),
  refusals: ['not-found', 'already-decided'],
});

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/api/chat/messages/:id',
  summary: 'Take a message out of the chat',
  access: 'operator',
  act: 'chat.delete-message',
  refreshes: ['messages', 'chat-reports'],
  params: z.object({ id: rowId }),
  status: 204,
  reply: z.null(),
  refusals: ['not-found', 'own-request'],
});

/** A reported message, once, whoever reported it. */
export const reportedMessage = z.object({
  /** The message's. */
  id: z.string(),
  userId: z.string(),
  /** The first name, as the chat shows it; null for an account that was deleted. */
  userName: z.string().nullable(),
  message: z.string(),
  /** Members don't see it: it shows personal data, or it was deleted. */
  isHidden: z.boolean(),
  reporters: z.number(),
  /** Of the newest report. */
  reason: z.enum(reportReasons),
  reportedAt: time,
  createdAt: time,
  state: z.enum(['open', 'decided']),
});
export type ReportedMessage = z.infer<typeof reportedMessage>;

export const readReports = operatorList({
  path: '/api/admin/chat-reports',
  summary: 'Reported messages, those with the most reporters first',
  topic: 'chat-reports',
  row: reportedMessage,
  sorts: ['reporters', 'createdAt'],
  defaultSort: '-reporters',
  filters: { state: { kind: 'choice', choices: ['open', 'decided'] } },
  searches: ['id', 'userId'],
});

const contextMessage = z.object({
  id: z.string(),
  userId: z.string(),
  firstName: z.string(),
  message: z.string(),
  createdAt: time,
});

export const readReport = endpoint({
  method: 'GET',
  path: '/api/admin/chat-reports/:id',
  summary: 'A reported message with five before and after it, and what is known of its writer',
  access: 'operator',
  topic: 'chat-reports',
  params: z.object({ id: rowId }),
  reply: reportedMessage.extend({
    memberSince: time,
    messageCount: z.number(),
    reportedCount: z.number(),
    bans: z.array(
      z.object({
        duration: z.enum(banDurations),
        createdAt: time,
        expiresAt: time.nullable(),
        isActive: z.boolean(),
      }),
    ),
    context: z.array(contextMessage),
  }),
  refusals: ['not-found'],
});

export const decideReport = endpoint({
  method: 'POST',
  path: '/api/admin/chat-reports/:id/decide',
  summary: 'Decide about a reported message: leave it, delete it, warn or ban its writer; reporters are told',
  access: 'operator',
  act: 'chat.decide-report',
  refreshes: ['chat-reports', 'chat-bans', 'messages'],
  params: z.object({ id: rowId }),
  body: z.discriminatedUnion('decision', [
    z.strictObject({ decision: z.literal('leave') }),
    z.strictObject({ decision: z.literal('delete') }),
    z.strictObject({ decision: z.literal('warn'), reason }),
    z.strictObject({
      decision: z.literal('ban'),
      reason,
      duration: z.enum(banDurations),
    }),
  ]),
  reply: reportedMessage,
  refusals: ['not-found', 'already-decided', 'own-request', 'unknown-member', 'forbidden', 'already-exists'],
});
