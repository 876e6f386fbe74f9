import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { points, reason, rowId, text, time, whenMissing } from './fields.ts';
import { operatorList } from './operator-list.ts';

/** Grants: points that operators give to members. Large ones need a second operator. */

export const GRANT_POINTS_MAX = 10_000_000;

export const grantStatus = z.enum(['completed', 'pending', 'failed']);
export type GrantStatus = z.infer<typeof grantStatus>;

export const grant = z.object({
  id: z.string(),
  userId: z.string(),
  userEmail: z.string(),
  amount: points,
  reason: z.string(),
  /** The operator who gave it; null for the command line. */
  adminEmail: z.string().nullable(),
  status: grantStatus,
  createdAt: time,
  userName: z.string(),
  userFirstName: z.string(),
  userLastName: z.string().nullable(),
  adminId: z.string().nullable(),
  /** The second operator, who confirmed or declined it; null if none was needed, or none decided yet. */
  decidedByEmail: z.string().nullable(),
  decidedAt: time.nullable(),
  declineReason: z.string().nullable(),
});
export type Grant = z.infer<typeof grant>;

export const readGrants = operatorList({
  path: '/api/admin/manual-rewards',
  summary: 'Grants of all operators, newest first',
  topic: 'grants',
  row: grant,
  // Only the screen needs the name and its parts, and who the operator is by id.
  csvRow: grant.omit({ userName: true, userFirstName: true, userLastName: true, adminId: true }),
  sorts: ['createdAt', 'amount'],
  defaultSort: '-createdAt',
  filters: {
    status: { kind: 'choice', choices: grantStatus.options },
    minAmount: { kind: 'points' },
    maxAmount: { kind: 'points' },
  },
  searches: ['id', 'userId', 'userName', 'userEmail', 'adminEmail'],
});

export const readGrantStats = endpoint({
  method: 'GET',
  path: '/api/admin/manual-rewards/stats',
  summary: 'Numbers of grants, and how much the caller may still give alone today',
  access: 'operator',
  topic: 'grants',
  reply: z.object({
    pendingCount: z.number(),
    pendingAmount: points,
    completedCount: z.number(),
    completedAmount: points,
    /** What the caller gave today without a second operator. */
    givenToday: points,
    /** From which sum of a day a second operator is needed; null if none ever is. */
    secondPersonFrom: points.nullable(),
  }),
});

const person = text(254, 'Must be the id or e-mail address of a member');

export const findGrantReceiver = endpoint({
  method: 'GET',
  path: '/api/admin/manual-rewards/receiver',
  summary: 'The member who would get a grant, by id or e-mail address',
  access: 'operator',
  topic: 'grants',
  query: z.object({ member: person }),
  reply: z.object({ id: z.string(), name: z.string(), email: z.string(), balance: points }),
  refusals: ['unknown-member'],
});

/** A grant as the call that made it answers: the amount is a number. */
const givenGrant = grant.extend({ amount: z.number() });

export const givePoints = endpoint({
  method: 'POST',
  path: '/api/admin/give-points',
  summary: 'Give points to a member. From a set sum they wait for a second operator',
  access: 'operator',
  act: 'points.grant',
  refreshes: ['grants'],
  idempotent: true,
  body: z.strictObject({
    /** The id or the e-mail address of the member. */
    userId: person,
    amount: z
      .number(whenMissing('Amount is required'))
      .int('Must be whole points')
      .min(1, 'Must be more than 0')
      .max(GRANT_POINTS_MAX, `At most ${GRANT_POINTS_MAX} points`),
    reason,
  }),
  status: 201,
  reply: givenGrant,
  refusals: ['unknown-member', 'own-request', 'idempotency-mismatch'],
});

const grantParams = z.object({ id: rowId });

export const confirmGrant = endpoint({
  method: 'POST',
  path: '/api/admin/manual-rewards/:id/confirm',
  summary: 'Confirm another operator’s grant, which books its points',
  access: 'operator',
  act: 'points.confirm',
  refreshes: ['grants'],
  params: grantParams,
  reply: grant,
  refusals: ['not-found', 'already-decided', 'own-request', 'asker-not-operator', 'unknown-member'],
});

export const declineGrant = endpoint({
  method: 'POST',
  path: '/api/admin/manual-rewards/:id/decline',
  summary: 'Decline a grant that waits',
  access: 'operator',
  act: 'points.decline',
  refreshes: ['grants'],
  params: grantParams,
  body: z.strictObject({ reason }),
  reply: grant,
  refusals: ['not-found', 'already-decided', 'own-request'],
});
