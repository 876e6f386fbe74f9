import { type Database, sql } from '#platform/database.ts';
import { canonicalEmail } from '../server/members/new-member.ts';
import { type Account, drawsOf, type Population } from './population.ts';

/**
 * Writes a population into an empty database, in the tables that registering, signing in, earning, inviting and
 * withdrawing write. Of earlier earnings only the wallet's counts are written; no rule and no list reads the rest.
 */

const ID_FIRST = 100_000_000;
const IDS = 900_000_000;

function idsOf(seed: number, accounts: readonly Account[]): Map<Account, number> {
  const draws = drawsOf(seed + 1);
  const ids = new Set<number>();
  while (ids.size < accounts.length) ids.add(ID_FIRST + draws.whole(0, IDS - 1));
  const drawn = [...ids];
  return new Map(accounts.map((account, at) => [account, drawn[at] ?? 0]));
}

export async function writePopulation(
  owner: Database,
  seed: number,
  { accounts }: Population,
): Promise<Map<Account, number>> {
  const idOf = idsOf(seed, accounts);
  const ids = [...idOf.values()];
  await writeMembers(owner, accounts, ids);
  await writeReferrers(
    owner,
    accounts.flatMap((one) =>
      one.referrer === null ? [] : [{ id: idOf.get(one), referrerId: idOf.get(one.referrer) }],
    ),
  );
  const devices = accounts.flatMap((one) => one.devices.map((device) => ({ ...device, id: idOf.get(one) })));
  await owner.rows(sql`
    insert into access.devices (fingerprint_hash, member_id, address, fields, first_seen_at, last_seen_at)
    select sha256(convert_to(d.fingerprint, 'UTF8')), d.id, d.address::inet, '{}', now - interval '30 days', now
    from platform.business_now() now, unnest(${devices.map(({ fingerprint }) => fingerprint)}::text[],
      ${devices.map(({ id }) => id)}::integer[], ${devices.map(({ address }) => address)}::text[])
      d (fingerprint, id, address)
    on conflict do nothing`);
  const destinations = accounts.flatMap((one) =>
    one.destinations.map((text) => ({ id: idOf.get(one), text })),
  );
  await owner.rows(sql`insert into withdrawals.methods (method) values ('litecoin') on conflict do nothing`);
  await owner.rows(sql`
    insert into withdrawals.destinations (member_id, method, destination, first_used_at)
    select d.id, 'litecoin', d.text, platform.business_now() - interval '5 days'
    from unnest(${destinations.map(({ id }) => id)}::integer[], ${destinations.map(({ text }) => text)}::text[])
      d (id, text)`);
  await writeEarnings(owner, accounts, ids);
  await owner.rows(sql`analyze`);
  return idOf;
}

async function writeMembers(owner: Database, accounts: readonly Account[], ids: number[]): Promise<void> {
  await owner.rows(sql`
    insert into members.members (id, email, email_canonical, email_verified_at, first_name, referral_code,
      terms_version, registered_from, created_at, last_sign_in_at)
    select m.id, m.email, m.canonical, now, 'Member', 'code' || m.id, '1', m.address::inet,
      now - interval '1 day' * (1 + m.id % 300), now
    from platform.business_now() now, unnest(${ids}::integer[], ${accounts.map(({ email }) => email)}::text[],
      ${accounts.map(({ email }) => canonicalEmail(email))}::text[],
      ${accounts.map(({ devices }) => devices[0]?.address ?? null)}::text[]) m (id, email, canonical, address)`);
}

async function writeReferrers(
  owner: Database,
  referred: { id: number | undefined; referrerId: number | undefined }[],
): Promise<void> {
  const pairs = sql`unnest(${referred.map(({ id }) => id)}::integer[],
    ${referred.map(({ referrerId }) => referrerId)}::integer[]) r (id, referrer_id)`;
  await owner.rows(sql`
    update members.members m set referred_by = r.referrer_id from ${pairs} where m.id = r.id`);
  await owner.rows(sql`
    insert into referrals.referrals (referred_id, referrer_id, reward_points, created_at)
    select r.id, r.referrer_id, 100, platform.business_now() - interval '1 day' from ${pairs}`);
}

async function writeEarnings(owner: Database, accounts: readonly Account[], ids: number[]): Promise<void> {
  const numbers = sql`unnest(${ids}::integer[], ${accounts.map(({ tasks }) => tasks)}::integer[],
    ${accounts.map(({ reversals }) => reversals)}::integer[],
    ${accounts.map(({ lateCredits }) => lateCredits)}::integer[]) a (id, tasks, reversals, late)`;
  await owner.rows(sql`
    insert into ledger.wallets (member_id, balance, movement_count, earned_total, tasks_completed, today)
    select a.id, a.tasks * 100, a.late, a.tasks * 100, a.tasks, platform.site_day(platform.business_now())
    from ${numbers}`);
  await owner.rows(sql`
    insert into earning.member_reversals (member_id, reversal_count, taken_points)
    select a.id, a.reversals, a.reversals * 100 from ${numbers} where a.reversals > 0`);
  const late = sql`
    select a.id, g, a.id || '-' || g as transaction_id, now - interval '1 minute' * (50 - g % 50) as at
    from ${numbers} cross join generate_series(1, a.late) g cross join platform.business_now() now`;
  await owner.rows(sql`
    insert into ledger.movements (seq, amount, balance_after, earned_delta, posted_at, member_id, site_day,
      task_delta, kind, account, key, subject, provider, transaction_id)
    select l.g, 100, l.g * 100, 100, l.at, l.id, platform.site_day(l.at), 1, 'earning', 'provider:cpx',
      'cpx:' || l.transaction_id || ':credit', '', 'cpx', l.transaction_id
    from (${late}) l`);
  await owner.rows(sql`
    insert into earning.earnings (provider, transaction_id, member_id, points, left_points, payout_micro_usd,
      subject, is_screen_out, state, created_at)
    select 'cpx', l.transaction_id, l.id, 100, 100, 100000, '', false, 'credited', l.at from (${late}) l`);
}
