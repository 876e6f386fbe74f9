import { type Reader, type Sql, sql, type Tx } from '#platform/database.ts';

/** The queries of referrals. `functions.sql` has the functions that begin and reward them. */

export type Totals = { referralCount: bigint; rewardedPoints: bigint; pendingPoints: bigint };

export const findTotals = (reader: Reader, memberId: number) =>
  reader.row<Totals>(sql`
    select referral_count as "referralCount", rewarded_points as "rewardedPoints", pending_points as "pendingPoints"
    from referrals.member_totals where member_id = ${memberId}`);

export type ReferralRow = {
  id: string;
  referredId: number;
  createdAt: Date;
  rewardPoints: bigint;
  state: 'pending' | 'rewarded' | 'refused';
  decidedAt: Date | null;
};

const referralColumns = sql`id, referred_id as "referredId", created_at as "createdAt",
  reward_points as "rewardPoints", state, decided_at as "decidedAt"`;

export const listReferrals = (reader: Reader, referrerId: number, limit: number) =>
  reader.rows<ReferralRow>(sql`
    select ${referralColumns}
    from referrals.referrals where referrer_id = ${referrerId}
    order by created_at desc, referred_id limit ${limit}`);

/** Reads a member's referrals of friends whose member id is above `afterId`, by that id. */
export const readReferralsAfter = (reader: Reader, referrerId: number, afterId: number, limit: number) =>
  reader.rows<ReferralRow>(sql`
    select ${referralColumns} from referrals.referrals
    where referrer_id = ${referrerId} and referred_id > ${afterId} order by referred_id limit ${limit}`);

/** Reads which of these members have completed a task while their referral is still open. */
export const readDueAmong = (reader: Reader, memberIds: readonly number[]) =>
  reader.rows<{ referredId: number }>(dueAmong(memberIds));

export const dueAmong = (memberIds: readonly number[]): Sql => sql`
  select r.referred_id as "referredId"
  from referrals.referrals r join ledger.wallet_totals w on w.member_id = r.referred_id
  where r.referred_id = any (${memberIds}::integer[]) and r.state = 'pending' and w.tasks_completed > 0`;

export type Invitations = { referrerId: number; friends: number; stoppedIds: number[] };

/**
 * Of the members who invited somebody: how many of their newest friends were rewarded a week ago or longer, and who of
 * them has completed one task, which paid the reward, and no more.
 */
export const listInvitations = (reader: Reader, memberIds: readonly number[], friendsMax: number) =>
  reader.rows<Invitations>(sql`
    select t.member_id as "referrerId", f.friends, f.ids as "stoppedIds"
    from referrals.member_totals t
      cross join lateral (
        select count(*)::integer as friends,
          coalesce(array_agg(n.referred_id order by n.referred_id) filter (where n.tasks = 1), '{}') as ids
        from (
          select r.referred_id, (
            select w.tasks_completed from ledger.wallet_totals w where w.member_id = r.referred_id) as tasks
          from referrals.referrals r
          where r.referrer_id = t.member_id and r.state = 'rewarded'
            and r.decided_at < platform.business_now() - interval '7 days'
          order by r.created_at desc, r.referred_id limit ${friendsMax}) n) f
    where t.member_id = any (${memberIds}::integer[]) and t.rewarded_points > 0 and cardinality(f.ids) > 0`);

export type PendingChunk = { lastId: number | null; dueIds: number[] };

/** Reads the next open referrals with a member id above `after`, and which of them are due. */
export const readPendingAfter = (reader: Reader, after: number, limit: number) =>
  reader.one<PendingChunk>(pendingAfter(after, limit));

export const pendingAfter = (after: number, limit: number): Sql => sql`
  with pending as materialized (
    select referred_id from referrals.referrals
    where state = 'pending' and referred_id > ${after} order by referred_id limit ${limit}
  ), looked_up as (
    -- A subquery per wallet. For a join, a plan that reads all wallets would be cached while the site is small.
    select p.referred_id,
      (select w.tasks_completed > 0 from ledger.wallet_totals w where w.member_id = p.referred_id) as is_due
    from pending p
  )
  select max(referred_id) as "lastId",
    coalesce(array_agg(referred_id order by referred_id) filter (where is_due), '{}') as "dueIds"
  from looked_up`;

export type Rewarded = {
  status: 'rewarded' | 'refused' | 'not_due' | 'decided';
  referrerId: number | null;
  balance: bigint | null;
};

export const reward = (tx: Tx, referredId: number) =>
  tx.one<Rewarded>(
    sql`select status, referrer_id as "referrerId", balance from referrals.reward(${referredId})`,
  );

export const insertReferral = (tx: Tx, referredId: number, referrerId: number) =>
  tx.rows(sql`select referrals.begin_referral(${referredId}, ${referrerId})`);
