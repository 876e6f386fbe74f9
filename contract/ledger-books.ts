import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { points, rowId, siteDay, time } from './fields.ts';
import { movementKinds } from './movement-kinds.ts';

/** The books of the site: the trial balance, and the audit of all books. */

/**
 * What an account stands for, in the order of the trial balance: `receivables` are of providers, `paid` is what left by
 * payouts, and `other` is an account that no feature names.
 */
export const accountGroups = ['receivables', 'costs', 'owed', 'paid', 'income', 'other'] as const;
export type AccountGroup = (typeof accountGroups)[number];

/** All members together, as an account. */
export const MEMBERS_ACCOUNT = 'members';
/** What members asked for. In the trial balance it is two rows: what is not paid yet, and what was paid. */
export const WITHDRAWALS_ACCOUNT = 'withdrawals';

const account = z.object({
  account: z.string(),
  /** The name of the provider whose account it is; null for the others. */
  name: z.string().nullable(),
  group: z.enum(accountGroups),
});

/** What members got through a provider less what it took back, by the month of the site day. */
const receivable = z.object({
  account: z.string(),
  name: z.string().nullable(),
  thisMonth: points,
  lastMonth: points,
  earlier: points,
  /** The last site day with a movement. */
  lastDay: siteDay,
});
export type Receivable = z.infer<typeof receivable>;

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

/** What the books say was paid, and what the outside party lists of it. Decimal text in the currency. */
const comparison = z.object({
  /** The way to pay. */
  method: z.string(),
  currency: z.string(),
  books: z.string(),
  listed: z.string(),
  /** What is listed beyond the books; with a minus if less is. */
  difference: z.string(),
  days: z.number(),
});
export type Comparison = z.infer<typeof comparison>;

const finishedAudit = audit.extend({
  checks: z.array(
    z.object({
      name: z.string(),
      pieces: z.number(),
      findings: z.number(),
      /** The reason if the check could not be made. */
      notChecked: z.string().nullable(),
      /** Whether it could not be made because it failed, not because an outside party did not answer. */
      isFailed: z.boolean(),
      /** Of a check of paying accounts; null for the others, and where not all payments could be asked for. */
      compared: comparison.nullable(),
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
  summary: 'The trial balance of the last minute, the last audit with what it found, and the audits before',
  access: 'operator',
  topic: 'books',
  reply: z.object({
    /** When the accounts were added up. Null before the first time; then there are no accounts. */
    takenAt: time.nullable(),
    /** The balance of each account by its group; all members together are `members`. They add up to zero. */
    accounts: z.array(account.extend({ balance: points })),
    sum: points,
    /** Of the balances below zero, and of those above it. */
    sums: z.object({ debit: points, credit: points }),
    /** What members are owed: balances above zero, and requests that are not paid yet. No debt is taken off. */
    owed: z.object({ balances: points, requested: points, sum: points }),
    /** The members whose balance is below zero, and what is missing to zero. */
    debtors: z.object({ count: z.number(), points }),
    receivables: z.array(receivable),
    /** The sum of the receivables. */
    due: points,
    lastAudit: finishedAudit.nullable(),
    /** Waiting, running and finished ones, newest first. */
    audits: z.array(audit),
  }),
});
export type Books = z.infer<typeof readBooks.reply>;

export const readAudit = endpoint({
  method: 'GET',
  path: '/api/admin/books/audits/:id',
  summary: 'A finished audit: what it checked and what it found',
  access: 'operator',
  params: z.object({ id: rowId }),
  reply: finishedAudit,
  refusals: ['not-found'],
});

const accountDay = z.object({
  day: siteDay,
  account: z.string(),
  kind: z.enum(movementKinds),
  movements: z.number(),
  /** The change of the account's balance. */
  points,
});
export type AccountDay = z.infer<typeof accountDay>;

/** A month of the site's calendar. */
const month = z.string().regex(/^(19|20)\d{2}-(0[1-9]|1[0-2])$/, 'Must be a month such as 2026-07');

export const readAccountDays = endpoint({
  method: 'GET',
  path: '/api/admin/books/days',
  summary: 'The movements of a month by account, site day and kind, the newest day first',
  access: 'operator',
  topic: 'books',
  query: z.object({
    /** Without it, the month of the site day. */
    month: month.optional(),
    /** Without it, every house account. */
    account: z.string().min(1).max(100).optional(),
    format: z.enum(['json', 'csv']).default('json'),
  }),
  reply: z.object({
    month: z.string(),
    /** The month of the first movement of all; that of the site day if there is none. */
    firstMonth: z.string(),
    lastMonth: z.string(),
    /** The moment up to which movements are counted. */
    countedUntil: time,
    /** Null without an account. Its balance before the month and after it. */
    account: account.extend({ before: points, after: points }).nullable(),
    days: z.array(accountDay),
  }),
  list: { rows: 'days', columns: Object.keys(accountDay.shape) },
  refusals: ['not-found'],
});
export type AccountDays = z.infer<typeof readAccountDays.reply>;

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
