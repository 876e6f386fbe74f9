import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { memberPageQuery, pageOf, points, rowId, siteDay, time } from './fields.ts';
import { movementKinds } from './movement-kinds.ts';

/** A member's books: balance and totals, movements, and the last seven days. */

export const historyEntry = z.object({
  id: z.string(),
  amount: points,
  description: z.string(),
  createdAt: time,
  kind: z.enum(movementKinds),
  provider: z.string().nullable(),
  txId: z.string().nullable(),
  /** The display name of the provider or payment method; null if it has neither. */
  sourceName: z.string().nullable(),
  /**
   * By kind: the offer's name, the reason of a reversal or a grant, the number of the day, the end of the friend's id,
   * the side of the coin, the payment method. Empty if the provider sent none.
   */
  subject: z.string(),
  /** An earning without a completed task. */
  isScreenOut: z.boolean(),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

/** An entry in a file that the member downloads: its sentence, without the parts of the sentence. */
export const downloadedEntry = historyEntry.omit({ sourceName: true, subject: true, isScreenOut: true });
export type DownloadedEntry = z.infer<typeof downloadedEntry>;

export const stats = z.object({
  balance: points,
  debt: points,
  totalEarned: points,
  todayEarned: points,
  completedTasks: z.number(),
});
export type Stats = z.infer<typeof stats>;

export const readStats = endpoint({
  method: 'GET',
  path: '/api/user/stats',
  summary: 'The member’s balance, totals and counts',
  access: 'member',
  topic: 'balance',
  reply: stats,
});

export const readHistory = endpoint({
  method: 'GET',
  path: '/api/user/history',
  summary: 'The member’s movements, newest first',
  access: 'member',
  topic: 'history',
  query: memberPageQuery.extend({ format: z.enum(['json', 'csv']).default('json') }),
  reply: pageOf(historyEntry),
  list: { rows: 'data', columns: Object.keys(downloadedEntry.shape) },
});

export const readHistoryEntry = endpoint({
  method: 'GET',
  path: '/api/user/history/:id',
  summary: 'One movement, with the balance and the debt after it',
  access: 'member',
  params: z.object({ id: rowId }),
  reply: historyEntry.extend({ balanceAfter: points, debtAfter: points }),
  refusals: ['not-found'],
});

export const readEarningsChart = endpoint({
  method: 'GET',
  path: '/api/user/earnings-chart',
  summary: 'Points earned on each of the last seven site days, oldest first',
  access: 'member',
  topic: 'earnings',
  reply: z.array(z.object({ date: siteDay, amount: points })),
});
