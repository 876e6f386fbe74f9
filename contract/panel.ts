import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { text } from './fields.ts';

/** The frame around the operators' screens: how much waits for them, and the search over everything. */

export const readWaiting = endpoint({
  method: 'GET',
  path: '/api/admin/waiting',
  summary: 'How many things wait for an operator, by kind',
  access: 'operator',
  topic: 'waiting',
  reply: z.object({
    /** Withdrawals that nobody has decided. */
    withdrawals: z.number(),
    /** Held earnings. */
    approvals: z.number(),
    /** Open tickets, counted up to 1,000. */
    tickets: z.number(),
    /** Claims that nobody has decided, counted up to 1,000. */
    claims: z.number(),
    /** Grants that wait for a second operator. */
    grants: z.number(),
    /** Registrations that nobody has decided, counted up to 1,000. */
    registrations: z.number(),
    /** Providers' calls in quarantine, counted up to 1,000. */
    quarantine: z.number(),
    /** Parked payouts. */
    payouts: z.number(),
    /** Reported messages of the chat that nobody has decided, counted up to 1,000. */
    chatReports: z.number(),
    /** Appeals that nobody has answered, counted up to 1,000. */
    appeals: z.number(),
  }),
});

/** A transaction is that of a payout, and opens its withdrawal. */
export const foundKinds = [
  'member',
  'withdrawal',
  'transaction',
  'earning',
  'postback',
  'quarantine',
  'ticket',
  'registration',
] as const;

const found = z.object({
  kind: z.enum(foundKinds),
  /** The id by which it is known: a transaction's is its own. */
  id: z.string(),
  /** Names and figures, in no language. */
  title: z.string(),
  /** The path and query of the screen that shows it. */
  link: z.string(),
  /** There are more of the kind: the link shows a list of all, and id and title are the searched text. */
  isAll: z.literal(true).optional(),
});
export type Found = z.infer<typeof found>;

export const search = endpoint({
  method: 'GET',
  path: '/api/admin/search',
  summary:
    'What has this id, e-mail address, phone number, name, payout address or transaction; 5 of each kind at most',
  access: 'operator',
  query: z.object({ q: text(254) }),
  reply: z.array(found),
});
