import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { reason, text, time } from './fields.ts';
import { accountParams } from './members-accounts.ts';

/** What operators do to one member's account, besides suspending and deleting it. */

export const MESSAGE_LENGTH_MAX = 2_000;

export const messageUser = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/message',
  summary: 'Send a member a message, which is a notice and a mail',
  access: 'operator',
  act: 'member.message',
  refreshes: ['members'],
  params: accountParams,
  body: z.strictObject({ text: text(MESSAGE_LENGTH_MAX, 'Text is required') }),
  status: 201,
  reply: z.object({
    /** The number of the notice among the member's. */
    id: z.string(),
    text: z.string(),
    createdAt: time,
  }),
  refusals: ['not-found', 'unknown-member', 'in-progress'],
  idempotent: true,
});

export const endUserSessions = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/end-sessions',
  summary: 'End all sessions of a member, who can log in again',
  access: 'operator',
  act: 'member.end-sessions',
  refreshes: ['members'],
  params: accountParams,
  body: z.strictObject({ reason }),
  reply: z.object({ endedCount: z.number() }),
  refusals: ['not-found', 'unknown-member'],
});
