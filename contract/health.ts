import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { time } from './fields.ts';

/** What is not well on the node that answers: sweeps, leases, the database, Redis, rails. */
export const readHealth = endpoint({
  method: 'GET',
  path: '/api/admin/health',
  summary: 'What is not well on the node that answers, the oldest first',
  access: 'operator',
  reply: z.object({
    /** `trouble` is one plain English sentence for operators. */
    troubles: z.array(z.object({ name: z.string(), trouble: z.string(), since: time })),
  }),
});
