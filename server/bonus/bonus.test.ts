import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { advanceClock } from '#platform/clock.ts';
import { openDatabase, sql } from '#platform/database.ts';
import { defaultSettings } from '#platform/settings.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { type Answer, type Person, testSite } from '../../test/site.ts';
import { auditBooks } from '../ledger/audit.ts';
import { closeWallet } from '../ledger/ledger.ts';
import { claimDailyBonus, readDailyBonus } from './bonus.ts';

const site = await testSite({ after });
const DAY_S = 86_400n;
const SCHEDULE = ['5', '10', '15', '20', '25', '30', '50'];

const claim = (as: Person, headers: Record<string, string> = {}) =>
  site.call('POST', '/api/daily-bonus/claim', { as, headers });
const read = async (as: Person) => (await site.call('GET', '/api/daily-bonus', { as })).body;
const historyOf = async (as: Person) => (await site.call('GET', '/api/user/history', { as })).body.data;
const nextDay = (days = 1n) => advanceClock(site.owner, days * DAY_S);
const inTimezone = (timezone: string) =>
  site.owner.rows(sql`update platform.clock set site_timezone = ${timezone}`);
const setSchedule = (bonusSchedule: string[]) =>
  changeSettings(site.owner, site.config.mode, { bonusSchedule });

function refused(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.problem.code], [status, code], JSON.stringify(answer.body));
}

test('books the first day’s points with a claim, shows it in the history and announces the balance', async () => {
  const member = await site.member();
  const announced: unknown[] = [];
  site.platform.bus.onNews((news) => {
    if (news.memberId === member.id) announced.push(news.event);
  });
  assert.deepEqual(await read(member), {
    consecutiveDays: 0,
    claimed: false,
    amount: '5',
    schedule: SCHEDULE,
  });
  const claimed = await claim(member);
  assert.equal(claimed.status, 200);
  assert.deepEqual(claimed.body, { points: '5', consecutiveDays: 1, claimed: true });
  assert.deepEqual(await read(member), {
    consecutiveDays: 1,
    claimed: true,
    amount: '5',
    schedule: SCHEDULE,
  });
  const stats = (await site.call('GET', '/api/user/stats', { as: member })).body;
  assert.deepEqual(
    [stats.balance, stats.totalEarned, stats.todayEarned, stats.completedTasks],
    ['5', '5', '5', 0],
  );
  const [entry] = await historyOf(member);
  assert.deepEqual([entry.amount, entry.kind, entry.description], ['5', 'bonus', 'Daily bonus: day 1']);
  assert.deepEqual(announced, [{ type: 'balance', balance: '5' }]);
});

test('refuses a second claim on the same site day, and still shows the day’s amount', async () => {
  const member = await site.member();
  await claim(member);
  refused(await claim(member), 409, 'already-claimed');
  assert.deepEqual((await read(member)).amount, '5');
  assert.equal((await historyOf(member)).length, 1);
});

test('books exactly one of 50 parallel claims, each round', async (t) => {
  const database = openDatabase({ url: site.urls.appUrl, connectionsMax: 20 });
  t.after(() => database.close());
  const rounds = Number(process.env.CAMPAIGN_RUNS ?? 3);
  for (let round = 0; round < rounds; round += 1) {
    const member = await site.member();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () =>
        claimDailyBonus({ database, bus: site.platform.bus }, member.id, null),
      ),
    );
    const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(rejected.length, 49);
    for (const { reason } of rejected) assert.equal(reason.code, 'already-claimed', String(reason));
    assert.equal((await historyOf(member)).length, 1);
    assert.equal((await readDailyBonus({ database }, member.id)).consecutiveDays, 1);
  }
  assert.deepEqual(await auditBooks(site.owner), []);
});

test('answers 200 to exactly one of 50 parallel claims over HTTP', async () => {
  const member = await site.member();
  const answers = await Promise.all(Array.from({ length: 50 }, () => claim(member)));
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, ...Array.from({ length: 49 }, () => 409)]);
  assert.equal((await historyOf(member)).length, 1);
});

test('§1-4 daily bonus: gives 5, 10, 15, 20, 25, 30, 50, then 50 a day, and restarts after a missed day', async () => {
  const member = await site.member();
  const given: string[] = [];
  for (let day = 1; day <= 9; day += 1) {
    const before = await read(member);
    assert.deepEqual([before.consecutiveDays, before.claimed], [day - 1, false], `day ${day}`);
    const { body } = await claim(member);
    assert.deepEqual([body.points, body.consecutiveDays], [before.amount, day]);
    given.push(body.points);
    await nextDay();
  }
  assert.deepEqual(given, [...SCHEDULE, '50', '50']);
  await nextDay();
  const missed = await read(member);
  assert.deepEqual([missed.consecutiveDays, missed.claimed, missed.amount], [0, false, '5']);
  assert.deepEqual((await claim(member)).body, { points: '5', consecutiveDays: 1, claimed: true });
});

test('changes no past claim and gives one bonus a day when the site’s time zone changes', async (t) => {
  t.after(() => inTimezone('UTC'));
  const member = await site.member();
  await claim(member);
  const before = await historyOf(member);
  // Fourteen hours ahead and twelve behind UTC: at any time, at least one is on another day than UTC.
  for (const zone of ['Pacific/Kiritimati', 'Etc/GMT+12', 'Pacific/Kiritimati', 'Etc/GMT+12', 'UTC']) {
    await inTimezone(zone);
    assert.equal((await read(member)).claimed, true, zone);
    refused(await claim(member), 409, 'already-claimed');
  }
  assert.deepEqual(await historyOf(member), before);
});

test('starts a day at midnight in the site’s time zone', async (t) => {
  t.after(() => inTimezone('UTC'));
  const member = await site.member();
  await inTimezone('Asia/Seoul');
  const { seconds } = await site.owner.one<{ seconds: bigint }>(sql`
    select extract(epoch from
      ((platform.site_day(platform.business_now()) + 1)::timestamp at time zone 'Asia/Seoul')
        - platform.business_now())::bigint as seconds`);
  await claim(member);
  await advanceClock(site.owner, seconds - 60n > 0n ? seconds - 60n : 1n);
  refused(await claim(member), 409, 'already-claimed');
  await advanceClock(site.owner, 120n);
  assert.deepEqual((await claim(member)).body, { points: '10', consecutiveDays: 2, claimed: true });
});

test('takes points from the schedule, whose last entry is for all later days, and keeps past claims', async (t) => {
  t.after(() => setSchedule(SCHEDULE));
  const member = await site.member();
  await claim(member);
  await setSchedule(['7', '9']);
  assert.deepEqual(await read(member), {
    consecutiveDays: 1,
    claimed: true,
    amount: '5',
    schedule: ['7', '9'],
  });
  for (const points of ['9', '9']) {
    await nextDay();
    assert.equal((await claim(member)).body.points, points);
  }
});

test('has the same schedule as the settings while nobody has changed it', async () => {
  const { schedule } = await site.owner.one<{ schedule: bigint[] }>(
    sql`select platform.bonus_schedule() as schedule`,
  );
  assert.deepEqual(schedule.map(String), defaultSettings.live.bonusSchedule);
  assert.deepEqual(schedule.map(String), SCHEDULE);
});

test('refuses a claim while earning is suspended, and continues the streak afterwards', async () => {
  const member = await site.member();
  await claim(member);
  for (const [type, code] of [
    ['earnings_blocked', 'earnings-suspended'],
    ['full_suspension', 'account-suspended'],
  ] as const) {
    await site.owner.rows(sql`
      insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
      values (${member.id}, 'test', 'temporary', ${type}, platform.business_now())`);
    // A suspension comes before `already-claimed`, and the account's suspension comes first.
    refused(await claim(member), 403, code);
  }
  await site.owner.rows(
    sql`update members.suspensions set lifted_at = platform.business_now() where member_id = ${member.id}`,
  );
  refused(await claim(member), 409, 'already-claimed');
  await site.owner.rows(sql`
    insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
    values (${member.id}, 'test', 'temporary', 'withdrawal_blocked', platform.business_now())`);
  await nextDay();
  assert.equal((await claim(member)).body.consecutiveDays, 2, 'a block of withdrawals is none of earning');
});

test('refuses in order: origin, session, shape, suspension, claimed', async () => {
  const member = await site.member();
  const path = '/api/daily-bonus/claim';
  refused(
    await site.call('POST', path, { headers: { origin: 'https://elsewhere.example' } }),
    403,
    'cross-site',
  );
  refused(await site.call('POST', path), 401, 'unauthenticated');
  refused(await site.call('GET', '/api/daily-bonus'), 401, 'unauthenticated');
  await site.owner.rows(sql`
    insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
    values (${member.id}, 'test', 'temporary', 'full_suspension', platform.business_now())`);
  refused(await site.call('POST', path, { as: member, body: { day: 7 } }), 400, 'invalid-request');
  refused(await claim(member), 403, 'account-suspended');
});

test('repeats the answer for the same Idempotency-Key, with one effect', async () => {
  const member = await site.member();
  const key = { 'idempotency-key': 'claim-1' };
  const first = await claim(member, key);
  const again = await claim(member, key);
  assert.deepEqual([again.status, again.body], [200, first.body]);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  // Simulates a crash after the claim's commit and before the answer was stored.
  await site.owner.rows(sql`delete from platform.idempotency where member_id = ${member.id}`);
  const afterCrash = await claim(member, key);
  assert.deepEqual([afterCrash.status, afterCrash.body], [200, first.body]);
  await site.owner.rows(sql`delete from platform.idempotency where member_id = ${member.id}`);
  await nextDay();
  assert.deepEqual((await claim(member, key)).body, first.body, 'even past midnight');
  assert.equal((await historyOf(member)).length, 1);
  const fresh = await claim(member, { 'idempotency-key': 'claim-2' });
  assert.deepEqual(fresh.body, { points: '10', consecutiveDays: 2, claimed: true });
  refused(await claim(member, { 'idempotency-key': 'claim-3' }), 409, 'already-claimed');
});

test('reduces a debt by the bonus, and books none to a closed wallet', async () => {
  const member = await site.member();
  await site.owner.rows(sql`
    select ledger.post_one(${member.id}, ${`debt:${member.id}`}, 'reversal', -8, 'operator', 'Debt', null, null,
      false)`);
  assert.equal((await claim(member)).status, 200);
  const { balance, debt } = (await site.call('GET', '/api/user/stats', { as: member })).body;
  assert.deepEqual([balance, debt], ['0', '3']);
  const leaver = await site.member();
  await closeWallet(site.owner, leaver.id);
  refused(await claim(leaver), 401, 'unauthenticated');
  assert.equal((await read(leaver)).claimed, false);
});

test('lets the application read the bonus, but not write it', async () => {
  for (const statement of [
    sql`update bonus.streaks set day_count = 6`,
    sql`insert into bonus.streaks values (1, now(), now(), 1, 1, null)`,
  ])
    await assert.rejects(site.database.rows(statement), /permission denied/);
});
