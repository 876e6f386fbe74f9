import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { text, time } from './fields.ts';

/** Members who say that they share a connection or a device. One makes a code, and the others enter it. */

export const HOUSEHOLD_MEMBERS_MAX = 6;

export const household = z.object({
  /** Everybody in it, with the caller; empty for who is in none. Others are known by their first name alone. */
  members: z.array(z.object({ firstName: z.string(), isSelf: z.boolean() })),
  /** Who enters it joins. Null while there is none that holds. */
  code: z.string().nullable(),
  codeExpiresAt: time.nullable(),
});
export type Household = z.infer<typeof household>;

export const readHousehold = endpoint({
  method: 'GET',
  path: '/api/user/household',
  summary: 'Who shares a connection with the caller, as they said',
  access: 'member',
  topic: 'household',
  reply: household,
});

export const makeHouseholdCode = endpoint({
  method: 'POST',
  path: '/api/user/household/code',
  summary: 'A new code of the household, for a day. It begins a household for who is in none',
  access: 'member',
  refreshes: ['household'],
  status: 201,
  reply: household,
  refusals: ['in-household', 'household-full'],
});

export const joinHousehold = endpoint({
  method: 'POST',
  path: '/api/user/household/join',
  summary: 'Join the household whose code this is',
  access: 'member',
  refreshes: ['household'],
  body: z.strictObject({ code: text(40, 'Code is required') }),
  reply: household,
  refusals: ['household-code', 'in-household', 'household-full'],
});

export const leaveHousehold = endpoint({
  method: 'DELETE',
  path: '/api/user/household',
  summary: 'Leave the household. It has no effect for who is in none',
  access: 'member',
  refreshes: ['household'],
  status: 204,
  reply: z.null(),
});
