import { type Activity, readActivities } from '#contract/risk-signals.ts';
import type { RiskRule } from '#contract/rule-modes.ts';
import { sql } from '#platform/database.ts';
import type { OperatorListBinding } from '#platform/http/operator-list.ts';
import { type ActivityRow, activityColumns } from './signal-queries.ts';

type Counted = Pick<ActivityRow, 'memberCount' | 'count' | 'total' | 'subject'>;

const sentences: Record<RiskRule, (counted: Counted) => string> = {
  'shared-payout-address': ({ memberCount }) => `${memberCount} members use one payout address.`,
  'shared-device': ({ memberCount }) => `${memberCount} members use one browser at one network address.`,
  'same-mailbox': ({ memberCount }) => `${memberCount} members have one mailbox.`,
  'invited-accounts': ({ memberCount }) =>
    `${memberCount - 1} invited members share a browser or a payout address with who invited them.`,
  'linked-chain': ({ memberCount }) =>
    `${memberCount} members are linked in a chain: one shares something with the next.`,
  'reversal-rate': ({ count, total }) => `${count} of ${total} credits were reversed.`,
  'earning-pace': ({ count }) => `${count} credits in an hour.`,
  'quick-surveys': ({ count, total }) =>
    `5 surveys in ${count} min or less. At the shortest stated length they take ${total} min.`,
  'farmed-referrals': ({ count, total }) =>
    `${count} of ${total} rewarded friends completed one task and no more.`,
  'provider-burst': ({ subject, count, total }) =>
    `${count} credits in an hour (${subject} UTC). 95 of 100 hours of the month had ${total} or less.`,
};

const activityOf = ({
  id,
  memberId,
  level,
  rule,
  ruleVersion,
  isShadow,
  address,
  createdAt,
  ...evidence
}: ActivityRow): Activity => ({
  id: String(id),
  userId: memberId === null ? null : String(memberId),
  riskLevel: level,
  activityType: rule,
  ruleVersion,
  details: sentences[rule](evidence),
  isShadow,
  ipAddress: address,
  evidence,
  createdAt: createdAt.toISOString(),
});

/** The operators' list of suspicious activities. */
export const activityList: OperatorListBinding<typeof readActivities, ActivityRow> = {
  endpoint: readActivities,
  toReply: activityOf,
  source: {
    table: sql`risk.activities`,
    alias: sql`a`,
    key: sql`a.id`,
    withId: ({ rowId }) => sql`a.id = ${rowId}::bigint`,
    columns: activityColumns,
    sorts: { createdAt: [sql`a.created_at`, sql`a.id`] },
    filters: {
      level: (level) => sql`a.level = ${level}`,
      rule: (rule) => sql`a.rule = ${rule}`,
    },
    search: ({ memberId, rowId }) => sql`
      select id from risk.activities where id = ${rowId}::bigint
      union all select id from risk.activities where member_id = ${memberId}::integer`,
  },
};
