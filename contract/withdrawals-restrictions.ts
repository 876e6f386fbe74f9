import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { time } from './fields.ts';

/** What keeps a member's withdrawals from being requested or paid. */

/**
 * What keeps one withdrawal from being paid: a suspension, the member's word that somebody else used the
 * account, a debt, a hold because of a new address or of a change of the account's security, a check whether it or its
 * points were paid already, or, after its approval, a pause of all payouts. What stops the member comes before a pause.
 */
export const waitsFor = z.enum([
  'suspended',
  'disowned',
  'in-debt',
  'new-destination',
  'security-change',
  'in-check',
  'points-in-check',
  'paused',
]);
export type WaitsFor = z.infer<typeof waitsFor>;

export const readRestrictions = endpoint({
  method: 'GET',
  path: '/api/withdrawal/restrictions',
  summary:
    'What stops the member’s withdrawals now, until when new ones are held or over the day’s limit, and a pause',
  access: 'member',
  topic: 'withdrawals',
  reply: z.object({
    stop: z
      .object({
        /** The member said that an act was not theirs, or an operator suspended withdrawals. */
        kind: z.enum(['denial', 'suspension']),
        reason: z.string(),
        /** Null if it ends with an act: a reset of the password by mail, or an operator’s. */
        until: time.nullable(),
      })
      .nullable(),
    securityHoldUntil: time.nullable(),
    /** The day's requests are used up until then; null if they are not. */
    dayLimitUntil: time.nullable(),
    /** All payouts are paused just now. A request is taken all the same, and paid when they go on. */
    payoutsPaused: z.boolean(),
  }),
});
