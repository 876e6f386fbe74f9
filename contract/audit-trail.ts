import { z } from 'zod';
import { acts } from './acts.ts';
import { time } from './fields.ts';
import { operatorList } from './operator-list.ts';

/** The audit trail: what operators did, one row for each thing that an act changed. */

export const recordedAct = z.object({
  id: z.string(),
  at: time,
  /** Null for the command line and for the site itself. */
  operatorId: z.string().nullable(),
  action: z.enum(acts),
  /** The id of the changed thing. */
  target: z.string(),
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
    operatorId: { kind: 'member' },
    action: { kind: 'choice', choices: acts },
    target: { kind: 'text' },
    /** The first and the last site day. */
    fromDay: { kind: 'day' },
    toDay: { kind: 'day' },
  },
  searches: ['id', 'operatorId', 'target', 'reason', 'before', 'after'],
});
