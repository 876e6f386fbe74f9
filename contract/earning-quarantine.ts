import { z } from 'zod';
import { bookingRefusals } from './earning.ts';
import { endpoint } from './endpoint.ts';
import { memberId, points, REASON_MAX, rowId, text, time } from './fields.ts';
import { operatorList } from './operator-list.ts';

/** Providers' calls that were not booked and wait for an operator. */

export const quarantined = z.object({
  id: z.string(),
  at: time,
  provider: z.string(),
  kind: z.enum(['credit', 'reversal']),
  /** As the provider wrote it. It may be no member. */
  memberId: z.string(),
  txId: z.string(),
  /** Null for a reversal of the whole rest of its credit. */
  amount: points.nullable(),
  reason: z.string(),
});
export type Quarantined = z.infer<typeof quarantined>;

export const readQuarantine = operatorList({
  path: '/api/admin/quarantine',
  summary: 'Calls of providers that were not booked and wait for an operator, newest first',
  topic: 'quarantine',
  row: quarantined,
  sorts: ['at'],
  defaultSort: '-at',
  filters: {
    kind: { kind: 'choice', choices: ['credit', 'reversal'] },
    provider: { kind: 'id' },
  },
  searches: ['id', 'userId', 'txId'],
});

/** Why a member may be meant: the id is one digit off, two of its digits are swapped, or the credit is the member's. */
const candidateReasons = ['same', 'creditOf', 'swapped', 'digit'] as const;

export const readQuarantineDetails = endpoint({
  method: 'GET',
  path: '/api/admin/quarantine/:id',
  summary: 'What a call in quarantine says, its raw call, and the members that it may mean; at most 5',
  access: 'operator',
  topic: 'quarantine',
  params: z.object({ id: rowId }),
  reply: z.object({
    providerName: z.string(),
    /** The offer of a credit, or the reason of a reversal. May be empty. */
    subject: z.string(),
    creditTxId: z.string(),
    /** Null if the raw call is no longer stored. */
    postbackId: z.string().nullable(),
    candidates: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        why: z.enum(candidateReasons),
        /** Nothing can be booked to a deleted account. */
        isDeleted: z.boolean(),
        /** When the member last opened the provider's wall. */
        openedAt: time.nullable(),
      }),
    ),
  }),
  refusals: ['not-found'],
});
export type QuarantineDetails = z.infer<typeof readQuarantineDetails.reply>;

export const resolveQuarantined = endpoint({
  method: 'POST',
  path: '/api/admin/quarantine/:id/resolve',
  summary: 'Book a call in quarantine, for another member if one is named, or dismiss it',
  access: 'operator',
  act: 'quarantine.resolve',
  refreshes: ['quarantine', 'postbacks', 'chargebacks', 'approvals', 'members'],
  params: z.object({ id: rowId }),
  body: z.strictObject({
    action: z.enum(['book', 'dismiss']),
    memberId: memberId.optional(),
    note: text(REASON_MAX, 'Please provide a reason'),
  }),
  reply: quarantined,
  refusals: bookingRefusals,
});
