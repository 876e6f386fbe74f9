import type { ServerEvent } from '#contract/events.ts';

/** What the processes of the benches of sockets say to each other. */
export type ClientOrder =
  | { kind: 'open'; port: number; cookies: string[] }
  /** Closes all but the first of them. */
  | { kind: 'leave'; count: number }
  /** Counts anew, and answers when so many messages have arrived. */
  | { kind: 'await'; count: number; notesDelays: boolean }
  | { kind: 'delays' };

export type ServerOrder =
  /** Sends so many messages to all sockets, `perSecond` of them or all at once. */
  { kind: 'send'; count: number; perSecond: number | null } | { kind: 'memory' };

/** Before the time in a message at which it was sent, 20 digits of nanoseconds. */
export const SENT_AT = '"message":"';
const MESSAGE_BYTES = 200;
export const TEXT_BYTES_MIN = 300;

/** A message of 200 bytes, as the chat pushes it. */
export function messageEvent(seq: number): ServerEvent {
  const at = process.hrtime.bigint().toString().padStart(20, '0');
  return {
    type: 'new_message',
    channelId: '1',
    message: {
      id: '1000000',
      channelId: '1',
      seq,
      userId: '1000000',
      user: { firstName: 'Bench', chatBubbleColor: '#3B82F6', chatTextColor: '#FFFFFF' },
      message: at.padEnd(MESSAGE_BYTES, ' of a bench'),
      isFromAdmin: false,
      createdAt: '2026-01-01T00:00:00.000Z',
      clientId: null,
    },
  };
}
