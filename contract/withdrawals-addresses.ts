import { z } from 'zod';
import { endpoint, nothing } from './endpoint.ts';
import { time, uuid } from './fields.ts';
import { method } from './withdrawals.ts';

/** The payout addresses that a member used. */

export const readAddresses = endpoint({
  method: 'GET',
  path: '/api/withdrawal/addresses',
  summary: 'The addresses to which the member withdrew, newest first; payouts to one on hold wait until then',
  access: 'member',
  topic: 'withdrawals',
  reply: z.array(
    z.object({ id: z.string(), method, address: z.string(), firstUsedAt: time, holdUntil: time.nullable() }),
  ),
});

export const removeAddress = endpoint({
  method: 'DELETE',
  path: '/api/withdrawal/addresses/:id',
  summary: 'Remove an address; its next use is a first use again',
  access: 'member',
  refreshes: ['withdrawals'],
  params: z.object({ id: uuid }),
  status: 204,
  reply: nothing,
  refusals: ['not-found'],
});
