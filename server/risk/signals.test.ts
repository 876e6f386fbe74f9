import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { riskRule } from '#contract/risk-rules.ts';
import {
  type Activity,
  activity,
  type DetectionMethod,
  detection,
  fraudStats,
} from '#contract/risk-signals.ts';
import { riskRules } from '#contract/rule-modes.ts';
import { advanceClock, readClock } from '#platform/clock.ts';
import { sql } from '#platform/database.ts';
import { offerMethod } from '../../test/offered-methods.ts';
import { testSite } from '../../test/site.ts';
import { listSharedDevices } from '../access/member-records.ts';
import { sessionScores } from '../access/session-scores.ts';
import { listEarningPaces, listSurveyPaces } from '../earning/member-records.ts';
import { countProviderCredits } from '../earning/provider-credits.ts';
import { listInvitations } from '../referrals/referrals.ts';
import { listSharedDestinations } from '../withdrawals/member-records.ts';
import { scoreNextSessions } from './session-scores.ts';
import { deleteOldSignals, forgetSignals, lookForAbuse } from './signals.ts';

/** What the rules find in rows of a database, and what operators do with it. */
const site = await testSite({ after });
const { owner, platform } = site;
await offerMethod(platform, 'litecoin');
const operator = await site.member({ role: 'admin' });
const sources = {
  listSharedDestinations,
  listSharedDevices,
  listEarningPaces,
  listSurveyPaces,
  listInvitations,
  countProviderCredits,
};
const look = async () => {
  const { now } = await readClock(platform.database);
  const reached = await lookForAbuse(platform, sources, { after: 0, now });
  assert.equal(reached, null);
};
const people = async (count: number): Promise<number[]> => {
  const ids = [];
  for (let left = count; left > 0; left -= 1) ids.push((await site.member()).id);
  return ids.sort((one, other) => one - other);
};
const usesDevice = (memberId: number, fingerprint: string, address: string) =>
  owner.rows(sql`
    insert into access.devices (fingerprint_hash, member_id, address, fields, first_seen_at, last_seen_at)
    select sha256(convert_to(${fingerprint}, 'UTF8')), ${memberId}, ${address}::inet, '{}', now, now
    from platform.business_now() now`);
const usesAddress = (memberId: number, destination: string) =>
  owner.rows(sql`
    insert into withdrawals.destinations (member_id, method, destination, first_used_at)
    values (${memberId}, 'litecoin', ${destination}, platform.business_now())`);
const get = async (path: string) => (await site.call('GET', `/api/admin/${path}`, { as: operator })).body;
const detections = async (method: DetectionMethod) => get(`multi-account-detections?method=${method}`);
const membersOf = ({ primaryUserId, relatedUserIds }: { primaryUserId: string; relatedUserIds: string[] }) =>
  [primaryUserId, ...relatedUserIds].map(Number);
const switchRule = (rule: string, mode: string, as = operator) =>
  site.call('PATCH', `/api/admin/fraud/rules/${rule}`, { as, body: { mode } });
const decide = (id: string, status: string) =>
  site.call('PATCH', `/api/admin/multi-account-detections/${id}`, { as: operator, body: { status } });

test('§2-3 detection of multiple accounts: a browser alone is low, and private addresses are no evidence', async () => {
  const [one = 0, two = 0, three = 0] = await people(3);
  for (const id of [one, two]) await usesDevice(id, 'browser', '8.8.4.4');
  await usesDevice(three, 'browser', '8.8.8.8');
  for (const id of [one, two, three]) {
    await usesDevice(id, 'home', '192.168.0.4');
    await usesDevice(id, 'machine', '127.0.0.1');
  }
  await look();
  assert.deepEqual(await detections('shared-device'), [], 'two at one address, three at private ones');
  await owner.rows(sql`update access.devices set address = '8.8.4.4' where address = '8.8.8.8'`);
  await look();
  const [found, ...others] = await detections('shared-device');
  assert.deepEqual(others, []);
  assert.deepEqual(detection.strict().parse(found), found);
  assert.deepEqual(
    [membersOf(found), found.riskScore, found.confidence, found.status, found.kinds],
    [[one, two, three], 45, 'low', 'open', ['device']],
  );
  const restricted = await owner.rows(sql`select from members.suspensions`);
  assert.deepEqual(restricted, [], 'no rule suspends anybody');
});

test('§2-3 suspicious activity: has its level, rule, sentence and address', async () => {
  const [told] = await get('suspicious-activities');
  assert.deepEqual(activity.strict().parse(told), told);
  assert.deepEqual(
    [told.activityType, told.riskLevel, told.ipAddress, told.details],
    ['shared-device', 'low', '8.8.4.4', '3 members use one browser at one network address.'],
  );
});

test('§2-4 detection of multiple accounts: two kinds are sure, one that grew is open again', async () => {
  const ids = await people(4);
  for (const id of ids.slice(0, 3)) await usesAddress(id, 'LTC-shared');
  await look();
  const [alone] = await detections('shared-payout-address');
  assert.deepEqual([alone.riskScore, alone.confidence, alone.sharedIdentifier], [65, 'medium', 'LTC-shared']);
  const dismissed = await decide(alone.id, 'dismissed');
  assert.deepEqual([dismissed.status, dismissed.body.status], [200, 'dismissed']);
  assert.deepEqual(detection.strict().parse(dismissed.body), dismissed.body);
  const before = await get('suspicious-activities');
  await look();
  assert.deepEqual(await get('suspicious-activities'), before, 'nothing is recorded twice');
  assert.equal((await detections('shared-payout-address'))[0].status, 'dismissed');
  for (const id of ids) await usesDevice(id, 'farm', '9.9.9.9');
  await usesAddress(ids[3] ?? 0, 'LTC-shared');
  await look();
  const [grown] = await detections('shared-payout-address');
  assert.deepEqual(
    [membersOf(grown), grown.riskScore, grown.confidence, grown.status, grown.kinds.toSorted()],
    [ids, 90, 'high', 'open', ['device', 'payout-address']],
  );
});

test('§2-4 detection of multiple accounts: names what its members have in common, the strongest first', async () => {
  const [found] = await detections('shared-payout-address');
  const ids = membersOf(found).map(String);
  const [first = '', second = ''] = ids;
  for (const id of [first, second]) await usesDevice(Number(id), `only of ${id}`, '1.0.0.1');
  const links = async (id: string) =>
    site.call('GET', `/api/admin/multi-account-detections/${id}/links`, { as: operator });
  const { body } = await links(found.id);
  const [, browser] = body.links;
  assert.deepEqual(body.links, [
    { kind: 'payout-address', value: 'LTC-shared', memberIds: ids },
    { kind: 'device', value: browser.value, memberIds: ids },
    { kind: 'network', value: '9.9.9.9', memberIds: ids },
    { kind: 'network', value: '1.0.0.1', memberIds: [first, second] },
  ]);
  assert.match(browser.value, /^[0-9a-f]{16}$/, 'no more of a fingerprint than tells browsers apart');
  assert.equal((await links('999999')).status, 404);
});

test('§2-4 detection of multiple accounts: what was dismissed is not found again at another address', async () => {
  const ids = await people(3);
  for (const id of ids) {
    await usesDevice(id, 'moving line', '8.8.1.1');
    await usesAddress(id, 'LTC-moving');
  }
  await look();
  const about = async () =>
    [...(await detections('shared-device')), ...(await detections('shared-payout-address'))].filter(
      (one) => membersOf(one)[0] === ids[0],
    );
  for (const { id } of await about()) await decide(id, 'dismissed');
  await owner.rows(sql`update access.devices set address = '8.8.1.2' where address = '8.8.1.1'`);
  await look();
  assert.deepEqual(
    (await about()).map(({ status }) => status),
    ['dismissed', 'dismissed'],
  );
});

test('§2-3 detection of multiple accounts: a sure one holds credits, and none of a rule in shadow', async () => {
  const [sure] = await detections('shared-payout-address');
  const [memberId = 0] = membersOf(sure);
  const held = async () => (await get(`multi-account-detections/${sure.id}/held-credits`)).count;
  assert.equal(await held(), 0);
  const credit = (transactionId: string) =>
    owner.one<{ verdict: string }>(sql`
      select verdict from earning.book_credit('cpx', ${transactionId}, ${String(memberId)}, 50, null, '', false, null,
        '', '')`);
  assert.equal((await credit('while-open')).verdict, 'held');
  assert.equal(await held(), 1);
  const waiting = await get('pending-earnings?holdReason=detection');
  assert.deepEqual(
    waiting.map(({ userId, holdReason }: Record<string, string>) => [userId, holdReason]),
    [[String(memberId), 'detection']],
  );
  assert.deepEqual(await get('pending-earnings?holdReason=amount'), []);
  const become = (status: string) =>
    owner.rows(sql`update risk.detections
      set status = ${status}, decided_at = case when ${status} <> 'open' then platform.business_now() end
      where id = ${BigInt(sure.id)}`);
  await become('confirmed');
  assert.equal((await credit('while-confirmed')).verdict, 'held');
  await become('dismissed');
  const holding = sql`select from risk.members_under_review where detection_id = ${BigInt(sure.id)}`;
  assert.deepEqual(await owner.rows(holding), [], 'dismissed, it holds nothing');
  await become('open');
  const missing = await site.call('GET', '/api/admin/multi-account-detections/999999/held-credits', {
    as: operator,
  });
  assert.equal(missing.status, 404);
  const shadowed = await people(3);
  for (const id of shadowed) {
    await usesAddress(id, 'LTC-shadow');
    await usesDevice(id, 'shadow', '9.9.9.11');
  }
  const rules = ['shared-device', 'shared-payout-address'];
  for (const rule of rules) await switchRule(rule, 'shadow');
  await look();
  for (const rule of rules) await switchRule(rule, 'on');
  const reviewed = await owner.rows(sql`
    select from risk.members_under_review where member_id = any (${shadowed}::integer[])`);
  assert.deepEqual(reviewed, []);
});

test('§2-7 detections of multiple accounts: are listed by score and decided once, by operators alone', async () => {
  const all = await get('multi-account-detections');
  const scores = all.map(({ riskScore }: { riskScore: number }) => riskScore);
  assert.deepEqual(
    scores,
    scores.toSorted((one: number, other: number) => other - one),
  );
  const [device] = await detections('shared-device');
  assert.equal((await decide(device.id, 'open')).status, 400);
  assert.equal((await decide('999999', 'confirmed')).status, 404);
  assert.equal((await decide(device.id, 'dismissed')).status, 200);
  assert.equal((await decide(device.id, 'confirmed')).problem.code, 'already-decided');
  const stranger = await site.member();
  const path = '/api/admin/multi-account-detections';
  assert.equal((await site.call('GET', path, { as: stranger })).status, 403);
  const body = { status: 'confirmed' };
  assert.equal((await site.call('PATCH', `${path}/${device.id}`, { as: stranger, body })).status, 403);
});

test('an inviter with two friends on the same browser, and two spellings of a mailbox', async () => {
  const [inviter = 0, one = 0, two = 0, twin = 0, stranger = 0] = await people(5);
  await owner.rows(sql`update members.members set referred_by = ${inviter} where id = any (${[one, two]})`);
  for (const id of [inviter, one, two]) await usesDevice(id, 'invited', '9.9.9.10');
  await owner.rows(sql`
    update members.members set email_canonical = (select email_canonical from members.members where id = ${one})
    where id = any (${[twin, stranger]})`);
  // Anybody can register with somebody else’s address.
  await owner.rows(sql`update members.members set email_verified_at = null where id = ${stranger}`);
  await look();
  const [invited] = await detections('invited-accounts');
  assert.deepEqual(
    [membersOf(invited), invited.riskScore, invited.confidence],
    [[inviter, one, two], 55, 'low'],
  );
  const [mailbox] = await detections('same-mailbox');
  assert.deepEqual([membersOf(mailbox), mailbox.riskScore], [[one, twin], 60]);
  assert.match(mailbox.sharedIdentifier, /^[0-9a-f]{16}$/, 'the address is not stored');
});

test('§2-7 fraud: five figures, of which sessions count those of risky members', async () => {
  assert.equal(await scoreNextSessions(platform, sessionScores, 0), null);
  const wallets = await get('multi-account-detections?method=shared-payout-address&status=open');
  const [found] = wallets;
  const before = fraudStats.strict().parse(await get('fraud/stats'));
  assert.equal(before.duplicateWallets, wallets.length);
  const devices = await get('multi-account-detections?method=shared-device&status=open');
  assert.equal(before.deviceDuplicates, devices.length);
  assert.equal(before.blockedUsers, 0);
  assert.equal(before.suspiciousActivities, (await get('suspicious-activities')).length);
  /** How many members a detection with a score of 50 or more names, unless it is dismissed. Each has one session. */
  const countNamed = async () => {
    const all = await get('multi-account-detections?limit=100');
    const high = all.filter(
      ({ riskScore, status }: { riskScore: number; status: string }) =>
        riskScore >= 50 && status !== 'dismissed',
    );
    return new Set(high.flatMap(membersOf)).size;
  };
  const named = await countNamed();
  assert.equal(before.highRiskSessions, named);
  await decide(found.id, 'confirmed');
  const now = await get('fraud/stats');
  assert.deepEqual([now.duplicateWallets, now.highRiskSessions], [wallets.length - 1, named]);
  for (const { id } of await get('multi-account-detections?status=open')) await decide(id, 'dismissed');
  const { highRiskSessions } = await get('fraud/stats');
  assert.ok(highRiskSessions < named, 'a decision counts at once');
  assert.equal(highRiskSessions, await countNamed());
  const stranger = await site.member();
  const refused = await site.call('GET', '/api/admin/fraud/stats', { as: stranger });
  assert.equal(refused.status, 403);
});

test('a rule that is off finds nothing, in shadow it marks what it finds, on it makes a detection', async () => {
  const ids = await people(3);
  for (const id of ids) await usesAddress(id, 'LTC-modes');
  const rule = 'shared-payout-address';
  const told = async () =>
    (await get(`suspicious-activities?rule=${rule}`)).filter(
      ({ evidence }: { evidence: { subject: string } }) => evidence.subject === 'LTC-modes',
    );
  const found = async () =>
    (await detections(rule)).filter(
      (one: { sharedIdentifier: string }) => one.sharedIdentifier === 'LTC-modes',
    );
  const { suspiciousActivities: figure } = await get('fraud/stats');

  assert.deepEqual((await switchRule(rule, 'off')).body, { rule, severity: 'high', mode: 'off' });
  await look();
  assert.deepEqual([await told(), await found()], [[], []]);

  await switchRule(rule, 'shadow');
  await look();
  const [inShadow, ...others] = await told();
  assert.deepEqual([inShadow.isShadow, others, await found()], [true, [], []]);
  assert.equal(
    (await get('fraud/stats')).suspiciousActivities,
    figure,
    'what is found in shadow is not counted',
  );
  await look();
  assert.deepEqual(await told(), [inShadow], 'once');

  // As if an earlier version of the rule had found it.
  await site.owner.rows(sql`update risk.activities set rule_version = 9 where id = ${BigInt(inShadow.id)}`);
  await switchRule(rule, 'on');
  await look();
  const [open] = await told();
  assert.deepEqual([open.id, open.isShadow], [inShadow.id, false], 'the same activity is one that counts');
  assert.equal(open.ruleVersion, inShadow.ruleVersion, 'the version that found it last');
  assert.deepEqual((await found()).map(membersOf), [ids]);
  assert.equal((await found())[0].ruleVersion, inShadow.ruleVersion);
  assert.equal((await get('fraud/stats')).suspiciousActivities, figure + 1);
});

test('operators see and switch the rules, and the audit trail keeps who did', async () => {
  const list = riskRule
    .strict()
    .array()
    .parse(await get('fraud/rules'));
  assert.deepEqual(
    list.map(({ rule, mode }) => [rule, mode]),
    riskRules.map((rule) => [rule, 'on']),
  );
  await switchRule('earning-pace', 'shadow');
  const [act] = (await get('audit?action=site.change')).data;
  assert.deepEqual(
    [act.operatorId, act.before.riskRules['earning-pace'], act.after.riskRules['earning-pace']],
    [String(operator.id), 'on', 'shadow'],
  );
  await switchRule('earning-pace', 'on');
  assert.equal((await switchRule('earning-pace', 'sometimes')).status, 400);
  assert.equal((await switchRule('no-rule', 'off')).status, 404);
  assert.equal((await switchRule('earning-pace', 'off', await site.member())).status, 403);
});

test('surveys in less than a third of their stated length are told, a batch of late credits is not', async () => {
  const [quick = 0, steady = 0, late = 0] = await people(3);
  const credit = async (memberId: number, seconds: number, isScreenOut = false) => {
    const transaction = `survey-${memberId}-${seconds}`;
    await owner.rows(sql`
      select from earning.book_credit('cpx', ${transaction}, ${String(memberId)}, 50, null, '', ${isScreenOut}, null,
        '', '')`);
    await owner.rows(sql`
      update earning.earnings set created_at = platform.business_now() - ${seconds} * interval '1 second'
      where provider = 'cpx' and transaction_id = ${transaction}`);
  };
  // The shortest survey of the catalogue, or what the provider states, is 5 minutes: five take 25.
  for (const seconds of [900, 800, 700, 600, 500, 410]) await credit(quick, seconds);
  for (const seconds of [900, 800, 700, 600, 500, 399]) await credit(steady, seconds);
  await credit(steady, 350, true);
  for (const seconds of [900, 21, 20, 19, 18, 17, 16]) await credit(late, seconds);
  await look();
  const found = await get('suspicious-activities?rule=quick-surveys');
  assert.deepEqual(
    found.map(({ userId, evidence: { count, total } }: Activity) => [Number(userId), count, total]),
    [[quick, 9, 25]],
  );
});

test('friends who stopped after the task that paid the reward name their inviter', async () => {
  const [inviter = 0, ...friends] = await people(6);
  await owner.rows(sql`
    insert into referrals.member_totals (member_id, referral_count, rewarded_points) values (${inviter}, 5, 500)`);
  await owner.rows(sql`
    insert into referrals.referrals (referred_id, referrer_id, reward_points, state, created_at, decided_at)
    select id, ${inviter}, 100, 'rewarded', now - interval '9 days', now - interval '6 days'
    from unnest(${friends}::integer[]) id, platform.business_now() now`);
  await owner.rows(sql`update ledger.wallets set tasks_completed = 1 where member_id = any (${friends})`);
  const told = () => get('suspicious-activities?rule=farmed-referrals');
  await look();
  assert.deepEqual(await told(), [], 'they may go on');
  await owner.rows(sql`update referrals.referrals set decided_at = decided_at - interval '2 days'`);
  await owner.rows(sql`update ledger.wallets set tasks_completed = 2 where member_id = ${friends[0]}`);
  await look();
  const [found] = await told();
  assert.deepEqual(
    [found.userId, found.details, found.evidence.memberCount],
    [String(inviter), '4 of 5 rewarded friends completed one task and no more.', 5],
  );
});

test('what is found goes with the account and with its time', async () => {
  const [told] = await get('suspicious-activities?rule=shared-device');
  await platform.database.transaction((tx) => forgetSignals(tx, Number(told.userId)));
  const [{ ipAddress }] = await get(`suspicious-activities?id=${told.id}`);
  assert.equal(ipAddress, null);
  await advanceClock(owner, 3n * 366n * 86_400n);
  await owner.rows(sql`
    update platform.believed_clock set believed_until = clock_timestamp(), looked_at = clock_timestamp()`);
  await deleteOldSignals(platform, new AbortController().signal);
  const left = await owner.rows<{ status: string }>(sql`select status from risk.detections`);
  assert.deepEqual(await owner.rows(sql`select from risk.activities`), []);
  assert.ok(left.length > 0 && left.every(({ status }) => status === 'open'), 'what is open stays');
});
