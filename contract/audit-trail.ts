import { z } from 'zod';
import { actors, acts, targetKinds } from './acts.ts';
import { endpoint } from './endpoint.ts';
import { time } from './fields.ts';
import { operatorList } from './operator-list.ts';

/** The audit trail: what operators did, one row for each thing that an act changed. */

export const recordedAct = z.object({
  id: z.string(),
  at: time,
  /** Null if no operator acted. */
  operatorId: z.string().nullable(),
  /** Null where no operator acted and the trail did not say yet whether it was the command line or the site. */
  actor: z.enum(actors).nullable(),
  action: z.enum(acts),
  /** The id of the changed thing. */
  target: z.string(),
  /** Null where the trail did not say it yet and the act does not tell. */
  targetKind: z.enum(targetKinds).nullable(),
  /** The member whom the act is about; null if there is none. */
  memberId: z.string().nullable(),
  memberName: z.string().nullable(),
  memberEmail: z.string().nullable(),
  reason: z.string().nullable(),
  /** The changed fields before and after the act. Secrets are masked. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
});
export type RecordedAct = z.infer<typeof recordedAct>;

export const readAuditTrail = operatorList({
  path: '/api/admin/audit',
  summary: 'What operators did, newest first',
  row: recordedAct,
  rows: 'data',
  sorts: ['at'],
  defaultSort: '-at',
  filters: {
    actor: { kind: 'choice', choices: actors },
    operatorId: { kind: 'member' },
    action: { kind: 'choice', choices: acts },
    memberId: { kind: 'text' },
    target: { kind: 'text' },
    /** The first and the last site day. */
    fromDay: { kind: 'day' },
    toDay: { kind: 'day' },
  },
  searches: ['id', 'operatorId', 'memberId', 'target', 'reason', 'before', 'after'],
});

/** The reasons are those of all operators, so that a rejection reads alike whoever writes it. */
export const readFormerReasons = endpoint({
  method: 'GET',
  path: '/api/admin/audit/reasons',
  summary: 'The last five reasons that operators gave for acts of a kind, newest first, each once',
  access: 'operator',
  query: z.object({ action: z.enum(acts) }),
  reply: z.array(z.string()),
});
