import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { points, positivePoints, reason, rowId, text, time } from './fields.ts';
import { operatorList } from './operator-list.ts';

/** Claims: a member says that the credit of an opened wall did not arrive, and an operator asks the provider. */

export const CLAIM_TEXT_MAX = 2_000;
/** The most points of a booking, as of a grant. */
export const CLAIM_POINTS_MAX = 10_000_000;
/** A claim can be filed about walls that were opened in the last days. */
export const CLAIM_OPENING_DAYS = 30;
/** An operator asks the provider within so many days, which has so many to answer; then the site decides in so many. */
export const CLAIM_ASK_DAYS = 3;
export const CLAIM_ANSWER_DAYS = 7;
export const CLAIM_DECISION_DAYS = 2;

export const claimStates = ['filed', 'asked', 'booked', 'refused'] as const;
export type ClaimState = (typeof claimStates)[number];

export const claim = z.object({
  id: z.string(),
  /** Of the opened wall, as in the list of activity. */
  activityId: z.string(),
  provider: z.string(),
  openedAt: time,
  /** The provider's usual time when the claim was filed; null if unknown. */
  arrivesWithinHours: z.number().nullable(),
  text: z.string(),
  /** What the member says that it paid. */
  statedPoints: points.nullable(),
  state: z.enum(claimStates),
  filedAt: time,
  askedAt: time.nullable(),
  /** Until when the provider has time to answer. */
  answerBy: time.nullable(),
  /** When the site's next step is due: the question to the provider, or the decision. */
  dueAt: time,
  decidedAt: time.nullable(),
  /** The points that were booked. */
  amount: points.nullable(),
  /** Why it was refused. */
  reason: z.string().nullable(),
});
export type Claim = z.infer<typeof claim>;

export const readClaims = endpoint({
  method: 'GET',
  path: '/api/support/claims',
  summary: 'The member’s claims, newest first, at most 200',
  access: 'member',
  topic: 'claims',
  reply: z.array(claim),
  whileSuspended: true,
});

export const readClaimable = endpoint({
  method: 'GET',
  path: '/api/support/claims/openings',
  summary: `The walls that the member opened in ${CLAIM_OPENING_DAYS} days and that have no credit, newest first`,
  access: 'member',
  topic: 'claims',
  reply: z.array(
    z.object({
      activityId: z.string(),
      provider: z.string(),
      openedAt: time,
      arrivesWithinHours: z.number().nullable(),
      /** From when on a claim may be filed. */
      claimableFrom: time,
      /** The claim about it, or about the same wall within the provider's usual time; null if there is none. */
      claimId: z.string().nullable(),
    }),
  ),
  whileSuspended: true,
});
export type Claimable = z.infer<typeof readClaimable.reply>[number];

export const fileClaim = endpoint({
  method: 'POST',
  path: '/api/support/claims',
  summary: 'Say that the credit of an opened wall did not arrive',
  access: 'member',
  refreshes: ['claims'],
  body: z.strictObject({
    activityId: text(40, 'Choose what you opened'),
    text: text(CLAIM_TEXT_MAX, 'Say what happened'),
    statedPoints: positivePoints.optional(),
  }),
  status: 201,
  reply: claim,
  refusals: ['not-found', 'already-exists', 'credit-not-missing', 'claim-too-early'],
  whileSuspended: true,
});

export const operatorClaim = claim.extend({
  userId: z.string(),
  userEmail: z.string(),
  userName: z.string(),
  userFirstName: z.string(),
  userLastName: z.string().nullable(),
  /** The operator who decided. */
  adminEmail: z.string().nullable(),
  /** The first of two approvals: who gave it, and for how many points; null if nobody did. */
  firstApprovedBy: z.string().nullable(),
  firstApprovedAmount: points.nullable(),
});
export type OperatorClaim = z.infer<typeof operatorClaim>;

export const readClaimQueue = operatorList({
  path: '/api/admin/claims',
  summary: 'All members’ claims, those due first on top',
  topic: 'claims',
  row: operatorClaim,
  csvRow: operatorClaim.omit({
    userName: true,
    userFirstName: true,
    userLastName: true,
    firstApprovedBy: true,
    firstApprovedAmount: true,
  }),
  sorts: ['dueAt', 'filedAt'],
  defaultSort: 'dueAt',
  filters: {
    state: { kind: 'choice', choices: ['open', ...claimStates] },
    provider: { kind: 'id' },
  },
  searches: ['id', 'userId', 'userName', 'userEmail'],
});

const claimParams = z.object({ id: rowId });

/**
 * What became of the opening by now. `rejected`: its credit was held and turned down. After a booking, `credited` means
 * that the provider's own call came as well.
 */
export const openingStates = ['opened', 'pending', 'credited', 'rejected'] as const;

/** The credits and the booked claims since an opening are each counted up to this. */
const CLAIM_COUNT_MAX = 500;

export const readClaim = endpoint({
  method: 'GET',
  path: '/api/admin/claims/:id',
  summary: 'One claim, and what became of its opening by now',
  access: 'operator',
  topic: 'claims',
  params: claimParams,
  reply: operatorClaim.extend({
    openingState: z.enum(openingStates),
    /** Why the credit of the opening was rejected; null if it was not, or nobody wrote a reason. */
    reviewNote: z.string().nullable(),
    /** The provider's credits for this member since the opening, also those of later openings, held and rejected. */
    creditsSince: z.number().int(),
    /** The member's other claims at this provider that were booked since the opening. */
    claimsBookedSince: z.number().int(),
    /** Of the click; null where it was not kept, or not any more. */
    openedFrom: z.object({ userAgent: z.string(), address: z.string() }).nullable(),
  }),
  refusals: ['not-found'],
});

export const changeClaim = endpoint({
  method: 'PATCH',
  path: '/api/admin/claims/:id',
  summary: 'Say that the provider was asked, book the points, or refuse the claim',
  access: 'operator',
  act: 'claim.refuse',
  refreshes: ['claims'],
  params: claimParams,
  body: z.discriminatedUnion('state', [
    z.strictObject({ state: z.literal('asked') }),
    z.strictObject({
      state: z.literal('booked'),
      amount: z
        .number()
        .int('Must be whole points')
        .min(1, 'Must be more than 0')
        .max(CLAIM_POINTS_MAX, `At most ${CLAIM_POINTS_MAX} points`),
      /** `creditsSince` and `claimsBookedSince` together, as the operator saw them. Without it, none. */
      seenCredits: z
        .number()
        .int('Must be a whole number')
        .min(0, 'Must not be negative')
        .max(2 * CLAIM_COUNT_MAX, 'Too many')
        .optional(),
    }),
    z.strictObject({ state: z.literal('refused'), reason }),
  ]),
  reply: operatorClaim,
  refusals: [
    'not-found',
    'already-decided',
    'own-request',
    'unknown-member',
    'credit-not-missing',
    'outcome-changed',
    'second-operator-needed',
  ],
});
