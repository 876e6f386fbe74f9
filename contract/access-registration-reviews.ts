import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { REASON_MAX, reason, rowId, text, time } from './fields.ts';
import { network } from './network.ts';
import { operatorList } from './operator-list.ts';

/** Registrations that wait for an operator: the device was used for other accounts, or the mailbox is throw-away. */

/** The person was told: our team will contact you within 24 hours. */
export const REVIEW_HOURS = 24;

const reviewStatuses = ['open', 'approved', 'rejected'] as const;
/** Of those that are open: past the promised time, or not. */
const reviewClocks = ['overdue', 'in-time'] as const;
/** Why: several members use the device at this address, or a banned one does; the mailbox is a throw-away one. */
export const reviewFlags = ['shared-device', 'banned-member', 'throwaway-mailbox'] as const;

const registrationReview = z.object({
  id: z.string(),
  email: z.string(),
  /** Empty for one from before they were stored. */
  flags: z.array(z.enum(reviewFlags)),
  ipAddress: z.string().nullable(),
  status: z.enum(reviewStatuses),
  createdAt: time,
  /** When the promised time ends. */
  dueAt: time,
  /** What is left of the promised time by the site's clock, negative when it has ended. Null once decided. */
  secondsLeft: z.number().nullable(),
  decidedAt: time.nullable(),
  /** Who decided. */
  adminEmail: z.string().nullable(),
  /** Why. The person does not read it. */
  decisionReason: z.string().nullable(),
});
export type RegistrationReview = z.infer<typeof registrationReview>;

export const readRegistrationReviews = operatorList({
  path: '/api/admin/registration-reviews',
  summary: 'Registrations that an operator approves or rejects, newest first',
  topic: 'registrations',
  row: registrationReview,
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
  filters: {
    status: { kind: 'choice', choices: reviewStatuses },
    clock: { kind: 'choice', choices: reviewClocks },
  },
  searches: ['id', 'email', 'ipAddress'],
});

const account = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(['user', 'admin', 'banned']),
  createdAt: time,
});

export const readRegistrationReview = endpoint({
  method: 'GET',
  path: '/api/admin/registration-reviews/:id',
  summary:
    'What stands behind a registration that waits: the accounts of the device, and one with the address',
  access: 'operator',
  topic: 'registrations',
  params: z.object({ id: rowId }),
  reply: z.object({
    /**
     * The members who used the device at this address when the person registered, at most 20: operators first, then
     * last seen first.
     */
    accounts: z.array(account),
    /** The account that has the e-mail address already; null if there is none. */
    owner: account.nullable(),
    network: network.nullable(),
    /** Whether the operator who asks used the device or has the mailbox. Another one must approve it then. */
    isOwn: z.boolean(),
  }),
  refusals: ['not-found'],
});
export type RegistrationReviewDetails = z.infer<typeof readRegistrationReview.reply>;

const decision = {
  method: 'POST',
  access: 'operator',
  refreshes: ['registrations'],
  params: z.object({ id: rowId }),
  reply: registrationReview,
} as const;

export const approveRegistration = endpoint({
  ...decision,
  path: '/api/admin/registration-reviews/:id/approve',
  summary: 'Approve a registration: its address can register now, which a mail says',
  act: 'registration.approve',
  /** `overturns` approves one that was rejected, after the person objected. */
  body: z.strictObject({ reason: text(REASON_MAX).optional(), overturns: z.boolean().optional() }).optional(),
  refusals: ['not-found', 'already-decided', 'own-request'],
});

export const rejectRegistration = endpoint({
  ...decision,
  path: '/api/admin/registration-reviews/:id/reject',
  summary: 'Reject a registration, which a mail says without the reason',
  act: 'registration.reject',
  body: z.strictObject({ reason }),
  refusals: ['not-found', 'already-decided'],
});
