import { z } from 'zod';
import { endpoint, nothing } from './endpoint.ts';

/**
 * "This was not me": ends every session, refuses sign-ins until the password is reset by mail, and blocks withdrawals
 * until 24 hours after that.
 */

export const denyByMail = endpoint({
  method: 'POST',
  path: '/api/auth/not-me',
  summary: 'Say with the token of a mail that an act on the account was not the member’s',
  access: 'public',
  body: z.strictObject({ token: z.string().regex(/^[\w-]{20,100}$/, 'This link is not whole') }),
  status: 204,
  reply: nothing,
  refusals: ['wrong-code', 'code-expired'],
});

export const denyAct = endpoint({
  method: 'POST',
  path: '/api/user/not-me',
  summary: 'Say as the signed-in member that an act on the account was not theirs',
  access: 'member',
  refreshes: ['sessions'],
  status: 204,
  reply: nothing,
});
