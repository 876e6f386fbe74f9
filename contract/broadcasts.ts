import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { optionalText, rowId, text, time } from './fields.ts';
import { operatorList } from './operator-list.ts';

/** Broadcasts: mails to all members who want them, in English and optionally in Korean. */

export const BROADCAST_SUBJECT_MAX = 200;
export const BROADCAST_CONTENT_MAX = 5_000;

/** `terms`: the mail of an announcement that changes the terms, which goes to all members. */
export const broadcastKinds = ['news', 'terms'] as const;
/** `stopped` is final: the mails that waited are never sent. */
export const broadcastStatuses = ['running', 'paused', 'stopped', 'done'] as const;

const sentTexts = z.object({
  subject: z.string(),
  content: z.string(),
  subjectKo: z.string().nullable(),
  contentKo: z.string().nullable(),
});

export const broadcast = sentTexts.extend({
  id: z.string(),
  kind: z.enum(broadcastKinds),
  status: z.enum(broadcastStatuses),
  recipients: z.number(),
  sent: z.number(),
  failed: z.number(),
  /** Perhaps sent: the mail server had the text, and nobody knows whether it took it. Not sent again by itself. */
  perhapsSent: z.number(),
  /** Members who had ended broadcasts, or were suspended or deleted, when their turn came. */
  skipped: z.number(),
  /** The failed mails by reason. All but those without an address may succeed when they are tried again. */
  failures: z.object({
    noAddress: z.number(),
    mailboxFull: z.number(),
    refused: z.number(),
    deferred: z.number(),
  }),
  createdAt: time,
  /** The e-mail address of the operator who began it; null if the site did, or the account is gone. */
  adminEmail: z.string().nullable(),
  /** The last pause, resumption, stop or retry, and who did it. */
  changedAt: time,
  changedBy: z.string().nullable(),
  finishedAt: time.nullable(),
});
export type Broadcast = z.infer<typeof broadcast>;

/** How many members get a broadcast now, and why others do not. The sum of a news broadcast. */
export const recipientCounts = z.object({
  recipients: z.number(),
  switchedOn: z.number(),
  suspended: z.number(),
  leaving: z.number(),
  unconfirmed: z.number(),
  givenUp: z.number(),
  /** The recipients by language. */
  korean: z.number(),
  english: z.number(),
});
export type RecipientCounts = z.infer<typeof recipientCounts>;

export const readNotificationUsers = operatorList({
  path: '/api/admin/notification-users',
  summary: 'The members who get a broadcast now, newest first',
  topic: 'broadcasts',
  row: z.object({ firstName: z.string(), lastName: z.string().nullable(), email: z.string() }),
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
  filters: {},
  searches: ['id', 'email'],
});

export const readRecipientCounts = endpoint({
  method: 'GET',
  path: '/api/admin/broadcast-email/count',
  summary: 'How many members get a broadcast now',
  access: 'operator',
  topic: 'broadcasts',
  reply: recipientCounts,
});

export const readBroadcasts = operatorList({
  path: '/api/admin/broadcast-email',
  summary: 'All broadcasts, newest first',
  topic: 'broadcasts',
  row: broadcast,
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
  filters: { status: { kind: 'choice', choices: broadcastStatuses } },
  searches: ['id'],
});

const texts = z.strictObject({
  subject: text(BROADCAST_SUBJECT_MAX, 'Subject is required'),
  content: text(BROADCAST_CONTENT_MAX, 'Content is required'),
  subjectKo: optionalText(BROADCAST_SUBJECT_MAX).nullable().optional(),
  contentKo: optionalText(BROADCAST_CONTENT_MAX).nullable().optional(),
});
export type BroadcastTexts = z.output<typeof texts>;

export const beginBroadcast = endpoint({
  method: 'POST',
  path: '/api/admin/broadcast-email',
  summary: 'Send a mail to all members who want it; `dryRun` only counts them and answers 200',
  access: 'operator',
  act: 'broadcast.begin',
  refreshes: ['broadcasts'],
  refusals: ['idempotency-mismatch'],
  idempotent: true,
  query: z.object({ dryRun: z.enum(['true', 'false']).default('false') }),
  body: texts,
  status: 202,
  reply: z.object({
    recipients: z.number(),
    /** Absent in a dry run. */
    id: z.string().optional(),
    /** The sum of a dry run. */
    counts: recipientCounts.optional(),
  }),
});

export const testBroadcast = endpoint({
  method: 'POST',
  path: '/api/admin/broadcast-email/test',
  summary: 'Send the mail to oneself alone, in each language that it has',
  access: 'operator',
  act: 'broadcast.test',
  body: texts,
  reply: z.object({ email: z.string() }),
});

const ofBroadcast = { access: 'operator', params: z.object({ id: rowId }) } as const;

export const readBroadcast = endpoint({
  ...ofBroadcast,
  method: 'GET',
  path: '/api/admin/broadcast-email/:id',
  summary: 'The progress of a broadcast',
  topic: 'broadcasts',
  reply: broadcast.extend({
    /** The seconds that the waiting mails take at the usual pace; null if none is sent now. */
    secondsLeft: z.number().nullable(),
    /** Why nothing is sent now: what the mail server or the network answered. */
    trouble: z.string().nullable(),
    /** Until when the mail server is given a rest. */
    waitsUntil: time.nullable(),
  }),
  refusals: ['not-found'],
});

export const readTermsMails = endpoint({
  method: 'GET',
  path: '/api/admin/broadcast-email/of-announcement/:id',
  summary: 'How many mails about the terms of an announcement have been sent, or perhaps sent',
  access: 'operator',
  topic: 'broadcasts',
  params: z.object({ id: rowId }),
  /** Zeros for an announcement that is not mailed. */
  reply: z.object({ recipients: z.number(), sent: z.number() }),
});

const changing = {
  ...ofBroadcast,
  method: 'POST',
  refreshes: ['broadcasts'],
  reply: broadcast,
  refusals: ['not-found', 'already-decided'],
} as const;

export const pauseBroadcast = endpoint({
  ...changing,
  path: '/api/admin/broadcast-email/:id/pause',
  summary: 'Pause a running broadcast',
  act: 'broadcast.pause',
});

export const resumeBroadcast = endpoint({
  ...changing,
  path: '/api/admin/broadcast-email/:id/resume',
  summary: 'Go on with a paused broadcast',
  act: 'broadcast.resume',
});

export const stopBroadcast = endpoint({
  ...changing,
  path: '/api/admin/broadcast-email/:id/stop',
  summary: 'Stop a broadcast for good; who has it keeps it',
  act: 'broadcast.stop',
});

export const retryBroadcast = endpoint({
  ...changing,
  path: '/api/admin/broadcast-email/:id/retry',
  summary: 'Send again what failed and may succeed, or what was perhaps sent',
  act: 'broadcast.retry',
  body: z.strictObject({
    /** `perhaps-sent`: some of these members may get the mail twice. */
    which: z.enum(['failed', 'perhaps-sent']),
  }),
});

/** The token of a mail's link, which names its member. */
const tokenParams = z.object({ token: z.string().max(200) });
/** A mail program sends a form, which says nothing. */
const FORM_BYTES_MAX = 16 * 1024;
/** Whether the token is whole. RFC 8058 wants 200 either way, but the page must not say that a broken link worked. */
const tokenReply = z.object({ isKnown: z.boolean() });
/** The page that the link opens. */
export const UNSUBSCRIBE_PAGE = '/unsubscribe';

export const openUnsubscribe = endpoint({
  method: 'GET',
  path: '/api/unsubscribe/:token',
  summary: 'Go to the page that ends broadcasts; changes nothing, because scanners open links',
  access: 'public',
  params: tokenParams,
  status: 302,
  reply: z.string(),
});

export const unsubscribe = endpoint({
  method: 'POST',
  path: '/api/unsubscribe/:token',
  summary: 'End broadcasts to the member of a mail (RFC 8058): from any program, always answered with 200',
  access: 'public',
  fromAnywhere: true,
  bodyBytesMax: FORM_BYTES_MAX,
  params: tokenParams,
  reply: tokenReply,
});

export const subscribeAgain = endpoint({
  method: 'POST',
  path: '/api/unsubscribe/:token/undo',
  summary: 'Take the end of broadcasts back, always answered with 200',
  access: 'public',
  params: tokenParams,
  reply: tokenReply,
});
