import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { rowId, text } from './fields.ts';
import { bracedWordsOf } from './support-braced-words.ts';

/**
 * Canned replies to tickets, which operators keep. A reply has a text in each language of members, with placeholders
 * such as `{name}`, which the screen fills from the member's records.
 */

/** The most replies that a site keeps. */
export const REPLIES_MAX = 50;
export const REPLY_TITLE_MAX = 60;
/** A filled reply may be longer, and a response has at most 5,000 characters. */
export const REPLY_TEXT_MAX = 4_000;

/** What a text may name: the member's first name, and facts of the newest withdrawal that waits. */
export const replyPlaceholders = ['name', 'amount', 'method', 'requestedAt', 'deadline', 'address'] as const;
export type ReplyPlaceholder = (typeof replyPlaceholders)[number];

const isPlaceholder = (word: string): boolean => replyPlaceholders.some((one) => one === word);

const replyText = text(REPLY_TEXT_MAX, 'Text is required').refine(
  (given) => bracedWordsOf(given).every(isPlaceholder),
  'Unknown placeholder',
);

const replyBody = z.strictObject({
  title: text(REPLY_TITLE_MAX, 'Title is required'),
  textEn: replyText,
  textKo: replyText,
});

const reply = z.object({ id: z.string(), title: z.string(), textEn: z.string(), textKo: z.string() });
export type CannedReply = z.infer<typeof reply>;

const params = z.object({ id: rowId });

export const readReplies = endpoint({
  method: 'GET',
  path: '/api/admin/support/replies',
  summary: 'The canned replies to tickets, in the order of their titles',
  access: 'operator',
  topic: 'replies',
  reply: z.array(reply),
});

export const createReply = endpoint({
  method: 'POST',
  path: '/api/admin/support/replies',
  summary: 'Keep a canned reply for all operators',
  access: 'operator',
  act: 'reply.create',
  refreshes: ['replies'],
  body: replyBody,
  status: 201,
  reply,
  refusals: ['already-exists'],
});

export const changeReply = endpoint({
  method: 'PUT',
  path: '/api/admin/support/replies/:id',
  summary: 'Change a canned reply; what was sent stays',
  access: 'operator',
  act: 'reply.change',
  refreshes: ['replies'],
  params,
  body: replyBody,
  reply,
  refusals: ['not-found', 'already-exists'],
});

export const removeReply = endpoint({
  method: 'DELETE',
  path: '/api/admin/support/replies/:id',
  summary: 'Remove a canned reply',
  access: 'operator',
  act: 'reply.remove',
  refreshes: ['replies'],
  params,
  status: 204,
  reply: z.null(),
  refusals: ['not-found'],
});
