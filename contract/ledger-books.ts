import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { points, time } from './fields.ts';

/** The books of the site: the trial balance, and the audit of all books. */

export const auditCauses = ['night', 'start', 'operator'] as const;

const audit = z.object({
  id: z.string(),
  cause: z.enum(auditCauses),
  dueAt: time,
  /** Null until it begins. */
  startedAt: time.nullable(),
  /** Null until it ends. */
  finishedAt: time.nullable(),
  pieces: z.number(),
  findings: z.number(),
});
export type Audit = z.infer<typeof audit>;

const finishedAudit = audit.extend({
  checks: z.array(
    z.object({
      name: z.string(),
      pieces: z.number(),
      findings: z.number(),
      /** The reason if the check could not be made. */
      notChecked: z.string().nullable(),
    }),
  ),
  /** At most 1,000. `findings` counts all. */
  differences: z.array(
    z.object({ check: z.string(), subject: z.string(), expected: z.string(), actual: z.string() }),
  ),
});
export type FinishedAudit = z.infer<typeof finishedAudit>;

export const readBooks = endpoint({
  method: 'GET',
  path: '/api/admin/books',
  summary: 'The trial balance, the last audit with what it found, and the audits before',
  access: 'operator',
  topic: 'books',
  reply: z.object({
    /** The balance of each account; all members together are `members`. They add up to zero. */
    accounts: z.array(z.object({ account: z.string(), balance: points })),
    sum: points,
    lastAudit: finishedAudit.nullable(),
    /** Waiting, running and finished ones, newest first. */
    audits: z.array(audit),
  }),
});
export type Books = z.infer<typeof readBooks.reply>;

export const startAudit = endpoint({
  method: 'POST',
  path: '/api/admin/books/audit',
  summary:
    'Audit all books now; an audit that an operator asked for and that has not ended is returned instead',
  access: 'operator',
  act: 'books.audit',
  refreshes: ['books'],
  status: 202,
  reply: audit,
});
