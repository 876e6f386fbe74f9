import { z } from 'zod';
import { message } from './message.ts';

/**
 * The topics of what waits for operators. Their lists and the counts beside them change by acts of members, providers
 * and other operators.
 */
export const waitingTopics = [
  'queue',
  'approvals',
  'tickets',
  'claims',
  'grants',
  'registrations',
  'quarantine',
  'chat-reports',
  'blocks',
  'appeals',
] as const satisfies readonly Topic[];
export type WaitingTopic = (typeof waitingTopics)[number];

/** The events of `/ws`. The server only pushes; every write is an HTTP call. */

const typist = { userId: z.string(), firstName: z.string(), channelId: z.string() };

export const serverEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('auth_success') }),
  // Each 25 seconds, so that a browser knows that its line is alive. It can't see the ping of the protocol.
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('balance'), balance: z.string() }),
  z.object({ type: z.literal('ticket'), id: z.string() }),
  z.object({ type: z.literal('claim'), id: z.string() }),
  z.object({ type: z.literal('notice'), id: z.string(), kind: z.string() }),
  z.object({
    type: z.literal('withdrawal'),
    id: z.string(),
    status: z.string(),
    payoutState: z.string(),
    txId: z.string().nullable(),
  }),
  // The brand, the processing time or the schedule of the bonus was changed.
  z.object({ type: z.literal('site') }),
  /** To operators alone: something of these topics changed. At most one a second. */
  z.object({ type: z.literal('waiting'), topics: z.array(z.enum(waitingTopics)) }),
  z.object({ type: z.literal('new_message'), channelId: z.string(), message }),
  // An operator took it out of the chat.
  z.object({ type: z.literal('message_deleted'), channelId: z.string(), id: z.string() }),
  z.object({ type: z.literal('user_typing'), ...typist }),
  z.object({ type: z.literal('stop_typing'), ...typist }),
  // How many members are online.
  z.object({ type: z.literal('presence'), count: z.number() }),
  // What the member may do in the chat has changed: a ban, its end, or slow mode.
  z.object({ type: z.literal('chat') }),
  // An announcement became public, or was deleted.
  z.object({ type: z.literal('announcement'), id: z.string() }),
  z.object({ type: z.literal('error'), code: z.string(), detail: z.string() }),
]);
export type ServerEvent = z.infer<typeof serverEvent>;

/** Topics of cached answers. An endpoint that reads names its topic, one that writes names those that it refreshes. */
export type Topic =
  | 'balance'
  | 'history'
  | 'earnings'
  | 'withdrawals'
  | 'bonus'
  | 'flips'
  | 'referrals'
  | 'sessions'
  | 'password'
  | 'tickets'
  | 'claims'
  | 'channels'
  | 'messages'
  | 'online-users'
  | 'chat-words'
  | 'chat-bans'
  | 'chat-reports'
  | 'blocks'
  | 'detections'
  | 'household'
  | 'decisions'
  | 'appeals'
  | 'notices'
  | 'announcements'
  | 'broadcasts'
  | 'waiting'
  | 'queue'
  | 'approvals'
  | 'grants'
  | 'chargebacks'
  | 'postbacks'
  | 'quarantine'
  | 'registrations'
  | 'catalogue'
  | 'suspensions'
  | 'books'
  | 'members'
  | 'system'
  | 'settings'
  | 'views'
  | 'replies';

/** The topics that a pushed event refreshes. */
export const eventTopics: Record<ServerEvent['type'], readonly Topic[]> = {
  auth_success: [],
  ping: [],
  // A balance moves by an earning, a reversal, a withdrawal that was returned, a bonus or a friend's reward.
  balance: ['balance', 'history', 'earnings', 'withdrawals', 'bonus', 'referrals'],
  ticket: ['tickets', 'channels'],
  claim: ['claims'],
  // The fact of a notice may move the balance or a withdrawal without an event, for example an operator's command.
  notice: ['notices', 'balance', 'history', 'earnings', 'withdrawals', 'claims', 'decisions'],
  withdrawal: ['withdrawals'],
  site: ['bonus'],
  // The event names the others.
  waiting: ['waiting'],
  // The chat takes its events itself.
  new_message: [],
  message_deleted: [],
  user_typing: [],
  stop_typing: [],
  presence: [],
  chat: ['channels'],
  announcement: ['announcements'],
  error: [],
};

/**
 * What a client may send. `auth` is answered with `auth_success`; its other fields are ignored. Typing names its
 * channel and goes to the channel's other readers. `chat_message` has no effect: a message is written by a call.
 */
export const clientFrameTypes = ['auth', 'chat_message', 'user_typing', 'stop_typing'] as const;
export type ClientFrame = { type: 'user_typing' | 'stop_typing'; channelId: string };
