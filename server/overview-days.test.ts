import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { OVERVIEW_DAYS, readOverviewDays } from '#contract/overview.ts';
import { advanceClock, readClock } from '#platform/clock.ts';
import { openDatabase, sql } from '#platform/database.ts';
import { prepareJobs } from '#platform/jobs.ts';
import { tablesReadBeyond } from '../test/rows-read.ts';
import { silentLog, testSite } from '../test/site.ts';
import { advanceIntoSiteDay } from '../test/site-day.ts';
import { readBookDays } from './ledger/days.ts';
import { closeAccountDays } from './ledger/ledger.ts';
import { countMembers } from './members/account-queries.ts';
import { keepMemberDays, readMemberDays } from './members/days.ts';
import {
  keepBalanceDays,
  keepPaidDays,
  readBalanceDays,
  readBalances,
  readLowBalancesWait,
  readPaidDays,
} from './withdrawals/days.ts';
import type { RailStates } from './withdrawals/rails/rail.ts';

/** The kept sums of each site day on the operators' first page, over the demo world. */
const site = await testSite({ after });
await prepareJobs(site.urls.workerUrl, 'earnest_app', silentLog());
await site.sandbox.prepare(site.platform);
const operator = await site.member({ role: 'admin' });
const { owner, database } = site;

const states: RailStates = new Map([
  ['litecoin', { kind: 'ready', network: 'main', balance: '12.5', topUpDestination: null }],
  ['dash', { kind: 'ready', network: 'main', balance: '0.00000001', topUpDestination: 'XtopUp' }],
]);

/** Moves business time. The session stays new. */
async function passTime(seconds: bigint): Promise<void> {
  await advanceClock(owner, seconds);
  await owner.rows(sql`
    update access.sessions set created_at = platform.business_now(), last_seen_at = platform.business_now()`);
}

/** One turn of every sweep that keeps days. */
async function keepAll(): Promise<void> {
  await closeAccountDays(database);
  await countMembers(database, 0);
  await keepMemberDays(database);
  await keepBalanceDays(site.platform, states);
  await keepPaidDays(database);
}

const read = async () => {
  const answer = await site.call('GET', '/api/admin/overview/days', { as: operator });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return readOverviewDays.reply.parse(answer.body);
};

/** The kept rows as text, without the time of the last look. */
const readKept = () =>
  owner.rows<{ row: string }>(sql`
    select d::text as row from members.days d
    union all select d::text from withdrawals.paid_days d
    union all select concat_ws(' ', method, site_day, balance, usd, needed, short_since) from withdrawals.balance_days
    union all select d::text from ledger.account_days d order by 1`);

/** Confirms the payout of an approved withdrawal, as the sweep does at the end of a payment. */
async function confirmOne(): Promise<void> {
  const { id } = await owner.one<{ id: string }>(sql`
    update withdrawals.payouts set state = 'broadcast', reference = withdrawal_id::text, artifact = 'bytes',
      signed_at = now(), due_at = now()
    where withdrawal_id = (
      select withdrawal_id from withdrawals.payouts where state = 'queued' order by withdrawal_id limit 1)
    returning withdrawal_id as id`);
  await owner.rows(sql`select withdrawals.confirm_payout(${id})`);
}

const scanned = <Row extends object>(statement: Parameters<typeof owner.rows>[0]) =>
  owner.rows<Row>(statement);

describe('the kept sums of site days', () => {
  it('are empty before any sweep', async () => {
    const shown = await read();
    assert.equal(shown.days.length, OVERVIEW_DAYS);
    assert.equal(shown.days.at(-1), (await readClock(database)).siteDay);
    assert.equal(shown.countedUntil, null);
    assert.deepEqual([shown.providers, shown.paid, shown.held.at(-1)], [[], [], null]);
    assert.ok(shown.active.every((count) => count === null));
  });

  it('equal what a scan over the demo world says', async () => {
    await confirmOne();
    await keepAll();
    const shown = await read();
    const { from } = await owner.one<{ from: string }>(sql`select ${shown.days[0]}::text as "from"`);
    const owed = await scanned<{ points: string }>(sql`
      select coalesce(sum(m.amount), 0)::text as points
      from generate_series(${from}::date, ${shown.days.at(-1)}::date, interval '1 day') day
        left join ledger.movements m on m.site_day <= day and m.posted_at < ${shown.countedUntil}::timestamptz
      group by day order by day`);
    assert.deepEqual(
      shown.owed,
      owed.map(({ points }) => points),
    );
    assert.ok(BigInt(shown.owed.at(-1) ?? 0) > 10_000n);
    const earned = await scanned<{ provider: string; day: string; earned: string; reversed: string }>(sql`
      select provider, site_day::text as day,
        coalesce(sum(amount) filter (where kind = 'earning'), 0)::text as earned,
        coalesce(-sum(amount) filter (where kind = 'reversal'), 0)::text as reversed
      from ledger.movements
      where provider is not null and kind in ('earning', 'reversal') and posted_at < ${shown.countedUntil}::timestamptz
      group by provider, site_day`);
    assert.ok(earned.length > 20);
    for (const { provider, day, earned: points } of earned) {
      const known = shown.providers.find(({ id }) => id === provider);
      assert.equal(known?.earned[shown.days.indexOf(day)], points, `${provider} on ${day}`);
    }
    const all = (values: readonly string[]) => String(values.reduce((sum, value) => sum + BigInt(value), 0n));
    for (const key of ['earnedSum', 'reversedSum'] as const)
      assert.equal(
        all(shown.providers.map((one) => one[key])),
        all(earned.map((one) => (key === 'earnedSum' ? one.earned : one.reversed))),
      );
    assert.ok(shown.providers.some(({ reversedSum }) => reversedSum !== '0'));
    const joined = await scanned<{ count: bigint }>(sql`
      select count(m.id) as count
      from generate_series(${from}::date, ${shown.days.at(-1)}::date, interval '1 day') day
        left join members.members m on platform.site_day(m.created_at) = day
      group by day order by day`);
    assert.deepEqual(
      shown.joined,
      joined.map(({ count }) => Number(count)),
    );
    assert.ok(shown.joined.filter((count) => count > 0).length >= 8);
    const { active } = await owner.one<{ active: bigint }>(sql`
      select count(*) as active from members.members
      where last_sign_in_at > platform.business_now() - interval '30 days' and role <> 'banned'`);
    assert.equal(shown.active.at(-1), Number(active));
    const { points } = await owner.one<{ points: string }>(
      sql`select paid_points::text as points from withdrawals.totals`,
    );
    assert.notEqual(points, '0');
    assert.deepEqual(
      shown.paid.map(({ method, count, points: days }) => [method, count, days.at(-1)]),
      [['litecoin', 1, points]],
    );
  });

  it('say what each paying account holds, and which holds less than waits to be paid', async () => {
    const { wallets, held } = await read();
    assert.deepEqual(
      wallets.map(({ method, currency, balance, covers, topUpDestination, shortSince }) => [
        method,
        currency,
        balance,
        Number(covers) > 1,
        topUpDestination,
        shortSince !== null,
      ]),
      [
        ['dash', 'DASH', '0.00000001', false, 'XtopUp', true],
        ['litecoin', 'LTC', '12.5', true, null, false],
      ],
    );
    const { waiting } = await owner.one<{ waiting: string }>(sql`
      select sum(amount_points - fee_points)::text as waiting from withdrawals.withdrawals
      where method = 'dash' and state = 'pending'`);
    assert.equal(wallets[0]?.neededPoints, waiting);
    assert.ok(Number(wallets[0]?.missing) > 0);
    assert.equal(String(wallets.reduce((sum, wallet) => sum + BigInt(wallet.points ?? 0), 0n)), held.at(-1));
    const low = await readLowBalancesWait(database);
    assert.deepEqual(
      [low.count, low.points],
      [1, String(BigInt(wallets[0]?.neededPoints ?? 0) - BigInt(wallets[0]?.points ?? 0))],
    );
  });

  it('change nothing at a second run', async () => {
    const before = await readKept();
    assert.ok(before.length > 40);
    await keepAll();
    assert.deepEqual(await readKept(), before);
  });

  it('are filled for the days on which the site was down, and close what is over', async () => {
    // A day is closed a quarter of an hour after its end.
    await advanceIntoSiteDay(owner);
    await passTime(0n);
    await keepAll();
    const before = await read();
    await passTime(3n * 86_400n);
    await confirmOne();
    await keepAll();
    const shown = await read();
    const day = (index: number) => shown.days.at(index) ?? '';
    assert.deepEqual(shown.days.slice(0, -3), before.days.slice(3));
    const rows = await scanned<{ day: string; joined: number; active: number; isClosed: boolean }>(sql`
      select site_day::text as day, joined_count::integer as joined, active_count::integer as active,
        is_closed as "isClosed"
      from members.days where site_day >= ${day(-4)}::date order by site_day`);
    const active = before.active.at(-1) ?? 0;
    assert.deepEqual(rows, [
      { day: day(-4), joined: before.joined.at(-1), active, isClosed: true },
      { day: day(-3), joined: 0, active, isClosed: true },
      { day: day(-2), joined: 0, active, isClosed: true },
      { day: day(-1), joined: 0, active, isClosed: false },
    ]);
    assert.deepEqual(shown.held.slice(-4), Array(4).fill(before.held.at(-1)));
    assert.deepEqual(shown.owed.slice(-4), Array(4).fill(before.owed.at(-1)));
    const [paid] = shown.paid;
    assert.equal(paid?.count, 2);
    assert.deepEqual(paid?.points.slice(-3, -1), ['0', '0']);
    assert.notEqual(paid?.points.at(-1), '0');
    assert.equal(paid?.points.at(-4), before.paid[0]?.points.at(-1));
  });

  it('keep a closed day as it was, whatever is counted later', async () => {
    const closed = sql`select active_count as count from members.days where is_closed order by site_day desc limit 1`;
    const before = await owner.one<{ count: bigint }>(closed);
    await owner.rows(sql`update members.members set last_sign_in_at = null`);
    await keepAll();
    assert.deepEqual(await owner.one(closed), before);
    assert.equal((await read()).active.at(-1), 0);
  });

  it('are read without a row of members, movements or payouts, however many there are', async () => {
    await owner.rows(sql`
      insert into members.members (id, email, email_canonical, first_name, referral_code, terms_version, created_at,
        last_sign_in_at)
      select id, id || '@example.com', id || '@example.com', 'Test', 'code' || id, '1', platform.business_now(),
        platform.business_now()
      from generate_series(300000001, 300000400) id`);
    // A connection of its own, because the counts of a connection include its earlier statements.
    const connection = openDatabase({ url: site.urls.ownerUrl, connectionsMax: 1 });
    const { days } = await read();
    const [from = '', until = ''] = [days[0], days.at(-1)];
    const beyond = await connection.transaction(async (tx) => {
      const books = await readBookDays(tx, { from, until, providers: { ids: ['cpx', 'bitlabs'], from } });
      assert.ok(books.byProvider.length > 10);
      await readMemberDays(tx, from);
      await readPaidDays(tx, from);
      await readBalanceDays(tx, from);
      await readBalances(tx);
      return tablesReadBeyond(tx, 0);
    });
    await connection.close();
    const names = new Set(beyond.map(({ name }) => name));
    for (const kept of ['account_days', 'days', 'paid_days', 'balance_days'])
      assert.ok(names.delete(kept), kept);
    assert.deepEqual([...names].sort(), ['account_days_end', 'methods']);
  });

  it('are told to operators only', async () => {
    assert.equal((await site.call('GET', '/api/admin/overview/days')).status, 401);
    const member = await site.member();
    assert.equal((await site.call('GET', '/api/admin/overview/days', { as: member })).status, 403);
  });
});
