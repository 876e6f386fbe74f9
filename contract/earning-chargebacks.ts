import { z } from 'zod';
import { chargeback } from './earning.ts';
import { endpoint } from './endpoint.ts';
import { points, reason, text, whenMissing } from './fields.ts';
import { operatorList } from './operator-list.ts';

/** Chargebacks as operators see them: those of providers, and those that operators book. */

/** The provider of an operator's chargeback, in rows, facts and filters. No provider may have this id. */
export const MANUAL_PROVIDER = 'manual';
export const CHARGEBACK_POINTS_MAX = 9_999_999_999;

const reasonClasses = ['vpn', 'fraud', 'invalid', 'duplicate', 'admin', 'policy'] as const;

export const listedChargeback = chargeback.extend({
  userId: z.string(),
  userFirstName: z.string(),
  userEmail: z.string(),
  userName: z.string(),
  userLastName: z.string().nullable(),
  /** Whether an operator or the command line booked it. Then it has the label of a provider if it is a test. */
  isByOperator: z.boolean(),
  /** Null for a provider's, and for the command line. */
  adminEmail: z.string().nullable(),
});
export type ListedChargeback = z.infer<typeof listedChargeback>;

export const readAllChargebacks = operatorList({
  path: '/api/admin/chargebacks',
  summary: 'Chargebacks of all members, newest first',
  topic: 'chargebacks',
  row: listedChargeback,
  // Only the screen needs the parts of the name, and who booked it.
  csvRow: listedChargeback.omit({
    userName: true,
    userLastName: true,
    isByOperator: true,
    adminEmail: true,
  }),
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
  filters: {
    provider: { kind: 'id' },
    reason: { kind: 'choice', choices: reasonClasses },
  },
  searches: ['id', 'userId', 'userName', 'userEmail', 'txId'],
});

export const readChargebackStats = endpoint({
  method: 'GET',
  path: '/api/admin/chargebacks/stats',
  summary: 'Number and points of all chargebacks, and of those of this site day',
  access: 'operator',
  topic: 'chargebacks',
  reply: z.object({
    totalChargebacks: z.number(),
    totalAmount: points,
    todayChargebacks: z.number(),
    todayAmount: points,
  }),
});

export const readChargebackProviders = endpoint({
  method: 'GET',
  path: '/api/admin/chargebacks/providers',
  summary: 'The providers with a URL for reversals alone, and that URL',
  access: 'operator',
  reply: z.array(z.object({ id: z.string(), name: z.string(), webhookUrl: z.string() })),
});

const manualFields = {
  /** The id or the e-mail address of the member. */
  userId: text(254, 'User ID is required'),
  /** A fraction is rounded to the nearest whole point, at least 1. */
  amount: z
    .number(whenMissing('Amount must be a positive number'))
    .positive('Amount must be a positive number')
    .max(CHARGEBACK_POINTS_MAX, `At most ${CHARGEBACK_POINTS_MAX} points`),
  reason,
};

export const bookChargeback = endpoint({
  method: 'POST',
  path: '/api/admin/chargebacks/manual',
  summary: 'Take points back from a member, also below zero',
  access: 'operator',
  act: 'points.revoke',
  refreshes: ['chargebacks', 'members'],
  idempotent: true,
  /** `seenBalance`: the balance that the operator saw; the call is refused if the member has another one now. */
  body: z.strictObject({ ...manualFields, seenBalance: points.optional() }),
  status: 201,
  reply: listedChargeback,
  refusals: [
    'unknown-member',
    'own-request',
    'idempotency-mismatch',
    'chargeback-too-large',
    'outcome-changed',
  ],
});

export const testChargeback = endpoint({
  method: 'POST',
  path: '/api/admin/test-chargeback',
  summary: 'Take points back as a real chargeback with the label of a provider',
  access: 'operator',
  act: 'points.revoke',
  refreshes: ['chargebacks', 'members'],
  idempotent: true,
  body: z.strictObject({
    ...manualFields,
    /** One of `chargebacks/providers`. */
    provider: text(40, 'Provider is required'),
  }),
  reply: z.object({ result: z.object({ userId: z.string(), chargeback: listedChargeback }) }),
  refusals: ['unknown-member', 'own-request', 'idempotency-mismatch', 'chargeback-too-large'],
});
