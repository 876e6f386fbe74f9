import {
  type FlagFilter,
  lookFlag,
  type QueuedWithdrawal,
  type WithdrawalFlag,
} from '#contract/withdrawals.ts';
import { type Reader, type Sql, sql } from '#platform/database.ts';
import {
  type Bounds,
  type FlagFacts,
  type Look,
  type ObstacleStatus,
  pendingFor,
  type RejectionObstacleStatus,
} from './decision-queries.ts';

/** Flags: what an operator must know of a pending request, and those that have one, for the filter of the list. */

/** Flags of what stands against a decision. */
export const flagOf = {
  suspended: 'suspended',
  disowned: 'disowned',
  in_debt: 'debt',
  on_hold: 'on-hold',
  own_request: 'own-account',
  in_check: 'in-check',
  points_in_check: 'points-in-check',
  first_approval: 'two-people',
  second_operator_needed: 'first-approved',
  capped: 'over-cap',
} as const satisfies Record<ObstacleStatus, WithdrawalFlag>;

/** Flags of what an operator should look at or know. Nothing stands against a decision. */
export const lookFlagOf = {
  shared_destination: 'shared-address',
  shared_device: 'shared-device',
  reversals: 'reversals',
  new_destination: 'new-address',
  first_payout: 'first-payout',
} as const satisfies Record<Look, WithdrawalFlag>;

/** Whether an act on many leaves a request out because of this, unless the order chooses it. */
export const isToLookAt = (look: Look): boolean => lookFlag.options.some((flag) => flag === lookFlagOf[look]);
const LOOKS_TO_LOOK_AT = (Object.keys(lookFlagOf) as Look[]).filter(isToLookAt);

/** What is found of a pending request. */
export type Found = {
  obstacle: ObstacleStatus | null;
  rejectionObstacle: RejectionObstacleStatus | null;
  looks: Look[] | null;
};

/** The figures of these flags, as far as there is one. */
export function figuresOf(
  flags: readonly WithdrawalFlag[],
  { reversalCount, debtPoints, capPoints }: FlagFacts,
): QueuedWithdrawal['flagFigures'] {
  const known = [
    { flag: 'reversals', kind: 'count', value: reversalCount },
    { flag: 'debt', kind: 'points', value: debtPoints },
    { flag: 'over-cap', kind: 'points', value: capPoints },
  ] as const;
  return known.flatMap(({ value, ...figure }) =>
    value === null || !flags.includes(figure.flag) ? [] : [{ ...figure, value: String(value) }],
  );
}

/** All flags of a request: what stands against a decision, then what should be looked at. */
export const flagsOf = ({ obstacle, rejectionObstacle, looks }: Found): WithdrawalFlag[] => {
  const statuses = [obstacle, rejectionObstacle].filter((status) => status !== null);
  return [...new Set(statuses)]
    .map((status): WithdrawalFlag => flagOf[status])
    .concat((looks ?? []).map((look) => lookFlagOf[look]));
};

/** The flags of all that is found of a pending request, not only of the first obstacle. */
export const allFlagsOf = ({
  obstacles,
  looks,
}: {
  obstacles: readonly ObstacleStatus[];
  looks: readonly Look[];
}): WithdrawalFlag[] => [
  ...obstacles.map((status) => flagOf[status]),
  ...looks.map((look) => lookFlagOf[look]),
];

const statusNamed = (flag: FlagFilter) => Object.entries(flagOf).find(([, name]) => name === flag)?.[0];
const lookNamed = (flag: FlagFilter) => Object.entries(lookFlagOf).find(([, name]) => name === flag)?.[0];

/**
 * Reads the pending requests that have a flag, or are of a kind: `clean` (nothing to look at), `look` (it can be
 * approved, and should be looked at) or `blocked` (it can’t be approved). All pending requests are judged, as a plan of
 * all judges them: what is known of the site, a member and a method is read once. Looks are read for each, only where
 * they are asked for.
 */
export async function readFlaggedIds(
  reader: Reader,
  flag: FlagFilter,
  operatorId: number | null,
  bounds: Bounds,
): Promise<string[]> {
  const look = lookNamed(flag);
  const asksLooks = flag === 'clean' || flag === 'look' || look !== undefined;
  const rows = await reader.rows<{ id: string }>(sql`
    select p.id
    from (${pendingFor(operatorId, bounds, { withFlagged: !asksLooks })}) p
      cross join lateral (
        select coalesce(p.obstacle, case when ${passesCap(bounds)} then 'capped' end) as status offset 0) o
    where ${look === undefined ? kindCondition(flag) : sql`${look} = any (p.looks)`}`);
  return rows.map(({ id }) => id);
}

/** How many pending requests are of each kind, as the list shows them to this operator. */
export const countKinds = (reader: Reader, operatorId: number, bounds: Bounds) =>
  reader.one<Record<'clean' | 'look' | 'blocked', number>>(sql`
    select count(*) filter (where ${kindCondition('clean')})::integer as clean,
      count(*) filter (where ${kindCondition('look')})::integer as look,
      count(*) filter (where ${kindCondition('blocked')})::integer as blocked
    from (${pendingFor(operatorId, bounds, { withFlagged: false })}) p
      cross join lateral (
        select coalesce(p.obstacle, case when ${passesCap(bounds)} then 'capped' end) as status offset 0) o`);

/** Whether the approval of a row `p` of `pendingFor` would pass a cap of the day. */
const passesCap = ({ memberDayPoints, methodDayPoints }: Bounds): Sql => sql`
  coalesce(p."memberUsedPoints", 0) + p."amountPoints" > ${memberDayPoints}::bigint
    or coalesce(p."methodUsedPoints", 0) + p."amountPoints" > ${methodDayPoints}::bigint`;

/** The condition on a row `p` of `pendingFor` with the status `o`. */
function kindCondition(flag: FlagFilter): Sql {
  const blocks = sql`coalesce(o.status <> 'first_approval', false)`;
  const isLook = sql`(p.looks && ${LOOKS_TO_LOOK_AT}::text[])`;
  if (flag === 'clean') return sql`(not ${isLook} and o.status is null)`;
  if (flag === 'look') return sql`(not ${blocks} and (${isLook} or o.status is not null))`;
  if (flag === 'blocked') return blocks;
  const status = statusNamed(flag);
  return status === 'own_request' || status === 'in_check'
    ? sql`p."rejectionObstacle" = ${status}`
    : sql`o.status = ${status}`;
}
