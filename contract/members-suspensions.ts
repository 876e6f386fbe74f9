import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { givenTime, reason, rowId, text, time } from './fields.ts';
import { operatorList } from './operator-list.ts';

/** Suspensions of members. The type decides what is blocked, at every severity. */

export const suspensionTypes = ['earnings_blocked', 'withdrawal_blocked', 'full_suspension'] as const;
export const severities = ['warning', 'temporary', 'permanent'] as const;
/** Ended: it was lifted, or its time has passed. */
export const suspensionStates = ['active', 'ended'] as const;

export const listedSuspension = z.object({
  id: z.string(),
  userId: z.string(),
  userFirstName: z.string(),
  userLastName: z.string().nullable(),
  userEmail: z.string(),
  /** The member reads it. */
  reason: z.string(),
  severity: z.enum(severities),
  suspensionType: z.enum(suspensionTypes),
  /** Null: until it is lifted. */
  expiresAt: time.nullable(),
  isActive: z.boolean(),
  createdAt: time,
  liftedAt: time.nullable(),
  liftReason: z.string().nullable(),
  userName: z.string(),
  /** Null for one of the command line, and for one that began with a member's word. */
  adminEmail: z.string().nullable(),
  /** Whether it began with the member's word that an act was not theirs. */
  isOwnWord: z.boolean(),
  liftedByEmail: z.string().nullable(),
});
export type ListedSuspension = z.infer<typeof listedSuspension>;

export const readSuspensions = operatorList({
  path: '/api/admin/suspensions',
  summary: 'Suspensions of all members, newest first',
  topic: 'suspensions',
  row: listedSuspension,
  // Only the screen needs the whole name, and who decided.
  csvRow: listedSuspension.omit({ userName: true, adminEmail: true, isOwnWord: true, liftedByEmail: true }),
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
  filters: {
    state: { kind: 'choice', choices: suspensionStates },
    suspensionType: { kind: 'choice', choices: suspensionTypes },
    severity: { kind: 'choice', choices: severities },
  },
  searches: ['id', 'userId', 'userName', 'userEmail'],
});

export const suspendUser = endpoint({
  method: 'POST',
  path: '/api/admin/suspend-user',
  summary: 'Suspend a member in part or fully, who is told the reason',
  access: 'operator',
  act: 'member.suspend',
  refreshes: ['suspensions', 'members'],
  body: z.strictObject({
    /** The id or the e-mail address of the member. */
    userId: text(254, 'User ID is required'),
    reason,
    severity: z.enum(severities).default('warning'),
    suspensionType: z.enum(suspensionTypes).default('earnings_blocked'),
    /** Without it the suspension lasts until it is lifted. A permanent one has none. */
    expiresAt: givenTime.nullable().optional(),
  }),
  status: 201,
  reply: listedSuspension,
  refusals: ['unknown-member', 'forbidden', 'already-decided'],
});

export const liftSuspension = endpoint({
  method: 'POST',
  path: '/api/admin/lift-suspension/:id',
  summary: 'Lift a suspension, which the member is told',
  access: 'operator',
  act: 'member.lift-suspension',
  refreshes: ['suspensions', 'members'],
  params: z.object({ id: rowId }),
  body: z.strictObject({ liftReason: reason }),
  reply: listedSuspension,
  refusals: ['not-found', 'already-decided', 'own-request'],
});
