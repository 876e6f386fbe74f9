import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { reason, time } from './fields.ts';

/** The exchange rates of payouts, for operators. */

const currency = z.string().regex(/^[a-z0-9-]{1,40}$/);
/** US dollars for one unit, as decimal text. */
const rateText = z.string().regex(/^(0|[1-9]\d{0,11})(\.\d{1,18})?$/, 'Invalid rate');

/** What a source said. `at` is its own time; null if it states none. */
export const sourcePrice = z.object({ name: z.string(), usd: z.string(), at: time.nullable() });

const rate = z.object({
  currency,
  /** The rate of payouts, its time by the sources, and its age in whole seconds; null before the first one. */
  usd: z.string().nullable(),
  at: time.nullable(),
  ageSeconds: z.number().nullable(),
  /** Whether an approval could use it now: it is young enough, and none waits. */
  isUsable: z.boolean(),
  sources: z.array(sourcePrice),
  /** A rate that moved further than the bound. Until an operator confirms it, nothing is approved at any rate. */
  waiting: z.object({ usd: z.string(), at: time, sources: z.array(sourcePrice) }).nullable(),
});
export type Rate = z.infer<typeof rate>;

export const readPayoutRates = endpoint({
  method: 'GET',
  path: '/api/admin/rates',
  summary: 'The exchange rates of the coins that are switched on, and those that wait for a confirmation',
  access: 'operator',
  topic: 'queue',
  reply: z.array(rate),
});

export const confirmRate = endpoint({
  method: 'POST',
  path: '/api/admin/rates/:currency/confirm',
  summary: 'Confirm a rate that moved further in an hour than the bound',
  access: 'operator',
  act: 'rate.confirm',
  refreshes: ['queue'],
  params: z.object({ currency }),
  /** With `usd`, only the rate that the operator saw is confirmed. */
  body: z.strictObject({ usd: rateText.optional(), reason }),
  reply: rate,
  refusals: ['not-found', 'already-decided', 'quote-moved'],
});
