import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { time } from './fields.ts';

/** `trouble` is one plain English sentence for operators. */
const part = z.object({ name: z.string(), trouble: z.string(), since: time });
export type HealthPart = z.infer<typeof part>;

/** What is not well on the node that answers: sweeps, leases, the database, Redis, rails. */
export const readHealth = endpoint({
  method: 'GET',
  path: '/api/admin/health',
  summary: 'What is not well on the node that answers, and what an operator stopped, the oldest first',
  access: 'operator',
  reply: z.object({
    troubles: z.array(part),
    /** What an operator stopped by choice: a pause of payouts. */
    stops: z.array(part),
  }),
});
