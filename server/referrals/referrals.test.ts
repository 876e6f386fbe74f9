import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, type Sql, sql } from '#platform/database.ts';
import { prepareJobs } from '#platform/jobs.ts';
import { type Person, silentLog, testSite } from '../../test/site.ts';
import { createBooking, receivePostback } from '../earning/postbacks.ts';
import { auditBooks } from '../ledger/audit.ts';
import { closeWallet } from '../ledger/ledger.ts';
import { readAccount } from '../sandbox/providers.ts';
import { readWall } from '../sandbox/wall-registry.ts';
import { startReferralRewards } from './jobs.ts';
import { dueAmong, pendingAfter } from './queries.ts';
import { beginReferral, rewardReferrer, sweepReferrals } from './referrals.ts';

const site = await testSite({ after });
await prepareJobs(site.urls.workerUrl, 'earnest_app', silentLog());
await site.sandbox.prepare(site.platform);
const operator = await site.member({ role: 'admin' });

let count = 0;

/** Makes a referred member, as registration does. */
async function friendOf(referrer: Person, email?: string): Promise<Person> {
  const friend = await register(referrer.id, email);
  return { id: friend, email: email ?? '', cookie: '' };
}

async function register(referredBy: number | null, email?: string): Promise<number> {
  count += 1;
  const id = 200_000_000 + count;
  const address = email ?? `friend${id}@example.com`;
  await site.owner.transaction(async (tx) => {
    await tx.rows(sql`
      insert into members.members (id, email, email_canonical, first_name, role, referral_code, referred_by,
        terms_version, created_at)
      values (${id}, ${address}, ${address}, 'Friend', 'user', ${`FRIEND${id}`}, ${referredBy}, '1',
        platform.business_now())`);
    await tx.rows(sql`select ledger.open_wallet(${id})`);
    if (referredBy !== null) await beginReferral(tx, { memberId: id, referrerId: referredBy });
  });
  return id;
}

const book = createBooking(site.database);

/** Books a signed postback through the adapter, as if it arrived over HTTP. */
async function postback(
  memberId: number,
  {
    points = 180n,
    action = 'complete' as 'complete' | 'screen-out' | 'reverse',
    transactionId = `${7_000_000 + ++count}`,
  } = {},
) {
  const { secret, postbackPath } = await readAccount(site.platform, 'cpx');
  const address = `${site.origin}${postbackPath}`;
  const call = {
    action,
    memberRef: String(memberId),
    transactionId,
    points,
    offer: { id: '1', title: 'Survey' },
    memberAddress: '203.0.113.24',
  };
  const raw = {
    method: 'GET' as const,
    url: `${address}?${readWall('cpx').postback(address, call, secret).query}`,
    headers: {},
    rawBody: Buffer.alloc(0),
  };
  const from = { providerId: 'cpx', pathToken: null, address: '127.0.0.1', isChargebackOnly: false };
  const { booked } = await receivePostback(site.platform, book, { ...from, raw });
  return { transactionId, verdict: booked.verdict };
}

const sweep = async () => {
  for (let after: number | null = 0; after !== null; )
    after = await sweepReferrals(site.platform, after, 500);
};
const statsOf = async (as: Person) => (await site.call('GET', '/api/referrals/stats', { as })).body;
const listOf = async (as: Person) => (await site.call('GET', '/api/referrals', { as })).body;
const balanceOf = async (as: Person) => (await site.call('GET', '/api/user/stats', { as })).body.balance;
const numbers = (totalReferrals: number, totalRewards: string, pendingRewards: string) => ({
  totalReferrals,
  totalRewards,
  pendingRewards,
});

/** Asserts that referrals, totals and books agree. */
const faults = () =>
  site.owner.rows(sql`
    select 'totals' as what, t.member_id from referrals.member_totals t full join (
      select referrer_id as member_id, count(*) as referral_count,
        coalesce(sum(reward_points) filter (where state = 'rewarded'), 0) as rewarded_points,
        coalesce(sum(reward_points) filter (where state = 'pending'), 0) as pending_points
      from referrals.referrals group by referrer_id) c using (member_id)
    where (t.referral_count, t.rewarded_points, t.pending_points)
      is distinct from (c.referral_count, c.rewarded_points::bigint, c.pending_points::bigint)
    union all
    select 'movement', r.referred_id from referrals.referrals r
    where (r.state = 'rewarded') <> exists (
      select from ledger.movements m where m.key = 'referral:' || r.referred_id and m.member_id = r.referrer_id
        and m.amount = r.reward_points and m.kind = 'referral' and m.account = 'referrals')
    union all
    select 'stray', m.member_id from ledger.movements m where m.kind = 'referral' and not exists (
      select from referrals.referrals r where 'referral:' || r.referred_id = m.key)`);

test('§1-9 referral: gives the referrer 100 points once, at the first task, none for the registration', async () => {
  const referrer = await site.member();
  assert.deepEqual(await statsOf(referrer), numbers(0, '0', '0'));
  assert.deepEqual(await listOf(referrer), []);
  const friend = await friendOf(referrer);
  await sweep();
  assert.equal(await balanceOf(referrer), '0');
  assert.deepEqual(await statsOf(referrer), numbers(1, '0', '100'));
  const [pending] = await listOf(referrer);
  const { id, createdAt, ...rest } = pending;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.equal(new Date(createdAt).toISOString(), createdAt);
  assert.deepEqual(rest, {
    referredId: String(friend.id),
    rewardAmount: '100',
    status: 'pending',
    rewardedAt: null,
  });

  const announced: unknown[] = [];
  site.platform.bus.onNews((news) => {
    if (news.memberId === referrer.id) announced.push(news.event);
  });
  await postback(friend.id);
  await sweep();
  await postback(friend.id);
  await sweep();
  assert.deepEqual(announced, [{ type: 'balance', balance: '100' }]);
  assert.deepEqual(await statsOf(referrer), numbers(1, '100', '0'));
  const [rewarded] = await listOf(referrer);
  assert.equal(rewarded.status, 'rewarded');
  assert.equal(new Date(rewarded.rewardedAt).toISOString(), rewarded.rewardedAt);
  const history = (await site.call('GET', '/api/user/history', { as: referrer })).body.data;
  assert.equal(history.length, 1);
  assert.deepEqual(
    [history[0].kind, history[0].amount, history[0].description],
    ['referral', '100', `Referral: friend ${String(friend.id).slice(-6)}`],
  );
  const { totalEarned, completedTasks } = (await site.call('GET', '/api/user/stats', { as: referrer })).body;
  assert.deepEqual([totalEarned, completedTasks], ['100', 0]);
});

test('does not count a screen-out, a grant or a daily bonus as a first task', async () => {
  const referrer = await site.member();
  const friend = await friendOf(referrer);
  await postback(friend.id, { action: 'screen-out', points: 5n });
  await site.owner.rows(sql`
    select ledger.post_one(${friend.id}, ${`grant:${friend.id}`}, 'grant', 500, 'grants', 'Grant', null, null, false)`);
  await site.owner.rows(sql`select bonus.claim(${friend.id}, null)`);
  await sweep();
  assert.equal(await rewardReferrer(site.platform, friend.id), 'not_due');
  assert.equal(await balanceOf(referrer), '0');
  await postback(friend.id);
  await sweep();
  assert.equal(await balanceOf(referrer), '100');
});

test('§1-4 referral: pays a reward when a held credit is approved, but not when it is rejected', async () => {
  const referrer = await site.member();
  const [approved, rejected] = [await friendOf(referrer), await friendOf(referrer)];
  for (const friend of [approved, rejected])
    assert.equal((await postback(friend.id, { points: 20_000n })).verdict, 'held');
  await sweep();
  assert.equal(await balanceOf(referrer), '0');
  const decide = async (friend: Person, act: string) => {
    const held = await site.owner.one<{ held_id: bigint }>(
      sql`select held_id from earning.earnings where member_id = ${friend.id}`,
    );
    const path = `/api/admin/pending-earnings/${held.held_id}/${act}`;
    const answer = await site.call('POST', path, { as: operator, body: { reviewNote: 'Looked at' } });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  await decide(rejected, 'reject');
  await decide(approved, 'approve');
  await sweep();
  assert.deepEqual(await statsOf(referrer), numbers(2, '100', '100'));
});

test('keeps a paid reward after a reversal, and pays a reward for a credit that was reversed before', async () => {
  const referrer = await site.member();
  const [early, late] = [await friendOf(referrer), await friendOf(referrer)];
  const first = await postback(early.id);
  await sweep();
  await postback(early.id, { action: 'reverse', transactionId: first.transactionId });
  const second = await postback(late.id);
  await postback(late.id, { action: 'reverse', transactionId: second.transactionId });
  await sweep();
  assert.deepEqual(await statsOf(referrer), numbers(2, '200', '0'));
  assert.equal(await balanceOf(referrer), '200');
});

test('refuses a referral with the referrer’s own mailbox at once, with a reward of 0', async () => {
  const referrer = await site.member();
  await site.owner.rows(
    sql`update members.members set email_canonical = 'mina.kim@example.org' where id = ${referrer.id}`,
  );
  const self = await friendOf(referrer, 'mina.kim@example.org');
  assert.deepEqual(await statsOf(referrer), numbers(1, '0', '0'));
  await postback(self.id);
  await sweep();
  assert.equal(await rewardReferrer(site.platform, self.id), 'decided');
  assert.deepEqual(await statsOf(referrer), numbers(1, '0', '0'));
  const [row] = await listOf(referrer);
  assert.deepEqual([row.status, row.rewardAmount, row.rewardedAt], ['pending', '0', null]);
  assert.equal(await balanceOf(referrer), '0');
});

test('refuses a due reward if friend and referrer share a payout address or phone', async () => {
  const referrer = await site.member({ balancePoints: 5_000n, isPhoneVerified: true });
  const friend = await friendOf(referrer);
  const honest = await friendOf(referrer);
  await site.owner.rows(sql`
    select ledger.post_one(${friend.id}, ${`grant:${friend.id}`}, 'grant', 5000, 'grants', 'Grant', null, null,
      false)`);
  const request = (id: number) => sql`
    select withdrawals.request(${id}, null, 'litecoin', 'ltc1qshared', 1000, 0, 5)`;
  for (const id of [referrer.id, friend.id]) await site.owner.rows(request(id));
  assert.equal((await statsOf(referrer)).pendingRewards, '200');
  for (const id of [friend.id, honest.id]) await postback(id);
  await sweep();
  assert.deepEqual(await statsOf(referrer), numbers(2, '100', '0'));

  // A constraint keeps phones unique today. The rule must not depend on it.
  const second = await friendOf(referrer);
  await site.owner.rows(sql`
    alter table members.members drop constraint members_phone_number_key`);
  await site.owner.rows(sql`
    update members.members f set phone_number = r.phone_number from members.members r
    where f.id = ${second.id} and r.id = ${referrer.id}`);
  await postback(second.id);
  await sweep();
  assert.deepEqual(await statsOf(referrer), numbers(3, '100', '0'));
  const reasons = await site.owner.rows<{ refusal: string }>(sql`
    select refusal from referrals.referrals where referrer_id = ${referrer.id} and refusal is not null order by 1`);
  assert.deepEqual(
    reasons.map((row) => row.refusal),
    ['same-address', 'same-phone'],
  );
});

test('rewards a suspended or banned referrer, but not a closed account', async () => {
  const suspended = await site.member();
  const leaver = await site.member();
  await site.owner.rows(sql`
    insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
    values (${suspended.id}, 'test', 'permanent', 'full_suspension', platform.business_now())`);
  await site.owner.rows(sql`update members.members set role = 'banned' where id = ${suspended.id}`);
  const [first, second] = [await friendOf(suspended), await friendOf(leaver)];
  await closeWallet(site.owner, leaver.id);
  for (const friend of [first, second]) await postback(friend.id);
  await sweep();
  assert.deepEqual(
    await site.owner.rows(sql`
      select state, refusal from referrals.referrals where referred_id in (${first.id}, ${second.id})
      order by referred_id`),
    [
      { state: 'rewarded', refusal: null },
      { state: 'refused', refusal: 'closed' },
    ],
  );
});

test('pays a reward after the credit’s event, without the sweep', async (t) => {
  const rewards = startReferralRewards(site.platform, { chunkIntervalMs: 3_600_000 });
  t.after(() => rewards.close());
  await sleep(100);
  const referrer = await site.member();
  const friend = await friendOf(referrer);
  const { secret, postbackPath } = await readAccount(site.platform, 'cpx');
  const address = `${site.origin}${postbackPath}`;
  const call = {
    action: 'complete' as const,
    memberRef: String(friend.id),
    transactionId: '8000001',
    points: 90n,
    offer: { id: '1', title: 'Survey' },
    memberAddress: '203.0.113.24',
  };
  const answer = await fetch(`${address}?${readWall('cpx').postback(address, call, secret).query}`);
  assert.equal(answer.status, 200);
  const deadline = performance.now() + 2_000;
  while ((await balanceOf(referrer)) !== '100' && performance.now() < deadline) await sleep(50);
  assert.equal(await balanceOf(referrer), '100');
});

test('finds a due reward in the chunks of the sweep when the event was lost', async (t) => {
  const referrer = await site.member();
  const friends: number[] = [];
  for (let index = 0; index < 25; index += 1) friends.push((await friendOf(referrer)).id);
  const [due] = [friends.at(-1) as number];
  await postback(due);
  const rewards = startReferralRewards(site.platform, { chunkRows: 4, chunkIntervalMs: 10 });
  t.after(() => rewards.close());
  const deadline = performance.now() + 5_000;
  while ((await balanceOf(referrer)) !== '100' && performance.now() < deadline) await sleep(50);
  assert.deepEqual(await statsOf(referrer), numbers(25, '100', '2400'));
});

test('pays each reward once for concurrent calls for one friend and for many friends', async (t) => {
  const database = openDatabase({ url: site.urls.appUrl, connectionsMax: 20 });
  t.after(() => database.close());
  const referrer = await site.member();
  const friends = await Promise.all(Array.from({ length: 10 }, () => friendOf(referrer)));
  for (const friend of friends) await postback(friend.id);
  const parts = { ...site.platform, database };
  const statuses = await Promise.all(
    friends.flatMap(({ id }) => Array.from({ length: 5 }, () => rewardReferrer(parts, id))),
  );
  assert.equal(statuses.filter((status) => status === 'rewarded').length, 10);
  assert.equal(statuses.filter((status) => status === 'decided').length, 40);
  assert.equal(await balanceOf(referrer), '1000');
  assert.deepEqual(await statsOf(referrer), numbers(10, '1000', '0'));
});

test('pays the rewards of members who referred each other and earn at the same time', async () => {
  const first = await site.member();
  const second = await friendOf(first);
  await site.owner.rows(sql`update members.members set referred_by = ${second.id} where id = ${first.id}`);
  await site.owner.rows(sql`
    insert into referrals.referrals (referred_id, referrer_id, reward_points, created_at)
    values (${first.id}, ${second.id}, 100, platform.business_now())`);
  await site.owner.rows(sql`
    insert into referrals.member_totals (member_id, referral_count, pending_points) values (${second.id}, 1, 100)`);
  await Promise.all([postback(first.id), postback(second.id)]);
  await Promise.all([first, second].map(({ id }) => rewardReferrer(site.platform, id)));
  assert.equal(await balanceOf(first), '280');
});

test('§1-3 referral: lists the member’s newest 500 referrals, newest first, with totals of all', async () => {
  const referrer = await site.member();
  const other = await site.member();
  await friendOf(other);
  await site.owner.rows(sql`
    insert into members.members (id, email, email_canonical, first_name, role, referral_code, referred_by,
      terms_version, created_at)
    select 300000000 + n, 'many' || n || '@example.com', 'many' || n || '@example.com', 'Many', 'user', 'MANY' || n,
      ${referrer.id}, '1', platform.business_now() + n * interval '1 second'
    from generate_series(1, 505) n`);
  await site.owner.rows(sql`
    select ledger.open_wallet(300000000 + n), referrals.begin_referral(300000000 + n, ${referrer.id})
    from generate_series(1, 505) n`);
  const list = await listOf(referrer);
  assert.equal(list.length, 500);
  assert.deepEqual([list[0].referredId, list[499].referredId], ['300000505', '300000006']);
  assert.deepEqual(await statsOf(referrer), numbers(505, '0', '50500'));
  assert.deepEqual(await statsOf(other), numbers(1, '0', '100'));
});

test('finds due referrals without reading all referrals or all wallets', async () => {
  await site.owner.rows(sql`
    insert into members.members (id, email, email_canonical, first_name, role, referral_code, terms_version,
      created_at)
    select 400000000 + n, 'crowd' || n || '@example.com', 'crowd' || n || '@example.com', 'Crowd', 'user',
      'CROWD' || n, '1', platform.business_now()
    from generate_series(1, 10000) n`);
  await site.owner.rows(sql`
    insert into ledger.wallets (member_id, today) select 400000000 + n, now() from generate_series(1, 10000) n`);
  await site.owner.rows(sql`
    insert into referrals.referrals (referred_id, referrer_id, reward_points, created_at)
    select 400000000 + n, ${operator.id}, 100, platform.business_now() from generate_series(1, 10000) n`);
  await site.owner.rows(sql`
    insert into referrals.member_totals (member_id, referral_count, pending_points)
    values (${operator.id}, 10000, 1000000)`);
  await site.owner.rows(sql`analyze referrals.referrals, ledger.wallets`);
  const planOf = async (statement: Sql) => {
    const plan = await site.owner.rows<{ 'QUERY PLAN': string }>(sql`explain ${statement}`);
    return plan.map((row) => row['QUERY PLAN']).join('\n');
  };
  for (const statement of [dueAmong([200_000_001, 400_000_002]), pendingAfter(400_000_500, 500)]) {
    const plan = await planOf(statement);
    assert.doesNotMatch(plan, /Seq Scan/, plan);
    assert.match(plan, /referrals_(pending|pkey)/, plan);
  }
});

test('refuses to list referrals without a session, and denies the application direct writes', async () => {
  for (const path of ['/api/referrals', '/api/referrals/stats'])
    assert.equal((await site.call('GET', path)).problem.code, 'unauthenticated');
  for (const statement of [
    sql`update referrals.referrals set state = 'pending'`,
    sql`update referrals.member_totals set rewarded_points = 0`,
  ])
    await assert.rejects(site.database.rows(statement), /permission denied/);
  const { id } = await site.member();
  const unasked = sql`select referrals.begin_referral(${id}, ${id + 1})`;
  await assert.rejects(site.database.rows(unasked), /did not register with the code/);
});

test('keeps totals, movements and states consistent, and the books balanced', async () => {
  assert.deepEqual(await faults(), []);
  assert.deepEqual(await auditBooks(site.owner), []);
});
