import { fullNameOf } from '#contract/full-name.ts';
import { type Detection, readDetections } from '#contract/risk-signals.ts';
import { sql } from '#platform/database.ts';
import type { OperatorListBinding } from '#platform/http/operator-list.ts';
import { type DetectionRow, detectionColumns, detectionJoins, shownConfidence } from './signal-queries.ts';

/** A detection in the contract's shape. */
export const detectionOf = (row: DetectionRow): Detection => ({
  id: String(row.id),
  primaryUserId: String(row.primaryId),
  relatedUserIds: row.relatedIds.map(String),
  detectionMethod: row.detectionMethod,
  ruleVersion: row.ruleVersion,
  sharedIdentifier: row.sharedIdentifier,
  riskScore: row.riskScore,
  confidence: row.confidence,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  kinds: row.kinds,
  isHousehold: row.isHousehold,
  primaryName: fullNameOf({ firstName: row.primaryFirstName, lastName: row.primaryLastName }),
  members: row.members,
  decidedAt: row.decidedAt?.toISOString() ?? null,
  decidedBy:
    row.operatorFirstName === null
      ? null
      : fullNameOf({ firstName: row.operatorFirstName, lastName: row.operatorLastName }),
});

/** The operators' list of detections. */
export const detectionList: OperatorListBinding<typeof readDetections, DetectionRow> = {
  endpoint: readDetections,
  toReply: detectionOf,
  source: {
    table: sql`risk.detections`,
    alias: sql`d`,
    key: sql`d.id`,
    withId: ({ rowId }) => sql`d.id = ${rowId}::bigint`,
    columns: detectionColumns,
    joins: detectionJoins,
    sorts: { riskScore: [sql`d.risk_score`, sql`d.id`], createdAt: [sql`d.id`] },
    filters: {
      status: (status) => sql`d.status = ${status}`,
      method: (method) => sql`d.method = ${method}`,
      confidence: (confidence) => sql`${shownConfidence} = ${confidence}`,
    },
    search: ({ memberId, rowId }) => sql`
      select id from risk.detections where id = ${rowId}::bigint
      union all select id from risk.detections where primary_member_id = ${memberId}::integer`,
  },
};
