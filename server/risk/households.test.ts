import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { household } from '#contract/risk-households.ts';
import { readClock } from '#platform/clock.ts';
import { sql } from '#platform/database.ts';
import { offerMethod } from '../../test/offered-methods.ts';
import { newTransaction, startPostbacks, values } from '../../test/postback-site.ts';
import type { Person } from '../../test/site.ts';
import { listSharedDevices } from '../access/member-records.ts';
import { listEarningPaces, listSurveyPaces } from '../earning/member-records.ts';
import { countProviderCredits } from '../earning/provider-credits.ts';
import { listInvitations } from '../referrals/referrals.ts';
import { listSharedDestinations } from '../withdrawals/member-records.ts';
import { exportHousehold, leaveWithin } from './households.ts';
import { lookForAbuse } from './signals.ts';

/** Households: who joins, which credits wait, and what the rules make of people who share a connection. */
const { site, send } = await startPostbacks({ after });
const { owner, platform } = site;
await offerMethod(platform, 'litecoin');
const operator = await site.member({ role: 'admin' });

const read = async (as: Person) => (await site.call('GET', '/api/user/household', { as })).body;
const makeCode = (as: Person) => site.call('POST', '/api/user/household/code', { as });
const join = (as: Person, code: string) =>
  site.call('POST', '/api/user/household/join', { as, body: { code } });
const leave = (as: Person) => site.call('DELETE', '/api/user/household', { as });
const people = async (count: number): Promise<Person[]> => {
  const made = [];
  for (let left = count; left > 0; left -= 1) made.push(await site.member());
  return made;
};
const householdOf = async (count: number): Promise<Person[]> => {
  const members = await people(count);
  const [first, ...others] = members as [Person, ...Person[]];
  const { code } = (await makeCode(first)).body;
  for (const one of others) assert.equal((await join(one, code)).status, 200);
  return members;
};
const stateOf = (transactionId: string) =>
  owner.one<{ state: string; reason: string | null }>(sql`
    select state, hold_reason as reason from earning.earnings where transaction_id = ${transactionId}`);
const credit = async (form: string, { id }: Person, more: Record<string, string>) => {
  const transaction = newTransaction();
  assert.equal((await send(form, { ...values(form, id, transaction, '180'), ...more })).status, 200);
  return transaction;
};
const look = async () => {
  const { now } = await readClock(platform.database);
  const sources = {
    listSharedDestinations,
    listSharedDevices,
    listEarningPaces,
    listSurveyPaces,
    listInvitations,
    countProviderCredits,
  };
  for (let after: number | null = 0; after !== null; )
    after = await lookForAbuse(platform, sources, { after, now });
};
const shareDevice = (memberIds: readonly number[], fingerprint: string, address: string) =>
  owner.rows(sql`
    insert into access.devices (fingerprint_hash, member_id, address, fields, first_seen_at, last_seen_at)
    select sha256(convert_to(${fingerprint}, 'UTF8')), id, ${address}::inet, '{}', now, now
    from platform.business_now() now cross join unnest(${memberIds}::integer[]) id`);
const payTo = (memberIds: readonly number[], destination: string) =>
  owner.rows(sql`
    insert into withdrawals.destinations (member_id, method, destination, first_used_at)
    select id, 'litecoin', ${destination}, platform.business_now() from unnest(${memberIds}::integer[]) id`);
/** Waits until a call of the site waits for a lock. */
async function waitsForLock(): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const waiting = await owner.rows(sql`
      select from pg_locks where not granted and locktype = 'transactionid'`);
    if (waiting.length > 0) return;
    await sleep(10);
  }
  assert.fail('No call waits for a lock');
}
const detections = async () =>
  (await site.call('GET', '/api/admin/multi-account-detections?limit=100', { as: operator })).body;
const crowd = async (from: number, count: number): Promise<number[]> => {
  await owner.rows(sql`
    insert into members.members (id, email, email_canonical, first_name, role, referral_code, terms_version,
      created_at)
    select n, n || '@example.com', n || '@example.com', 'Someone', 'user', 'CODE' || n, '1',
      platform.business_now()
    from generate_series(${from}::integer, ${from + count - 1}::integer) n`);
  return Array.from({ length: count }, (_, index) => from + index);
};

test('a code joins, is read as it is written by hand, and ends after a day', async () => {
  const [first, second, third] = (await people(3)) as [Person, Person, Person];
  assert.deepEqual(await read(first), { members: [], code: null, codeExpiresAt: null });
  const made = await makeCode(first);
  assert.equal(made.status, 201);
  assert.deepEqual(household.strict().parse(made.body), made.body);
  const { code } = made.body;
  assert.match(code, /^[A-HJ-NP-Z2-9]{8}$/);
  assert.equal((await join(second, ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `)).status, 200);
  assert.deepEqual(
    (await read(second)).members.map((one: { isSelf: boolean }) => one.isSelf),
    [false, true],
  );
  assert.equal((await join(second, code)).problem.code, 'in-household');
  const renewed = (await makeCode(second)).body.code;
  assert.equal((await join(third, code)).problem.code, 'household-code', 'the former code');
  await owner.rows(sql`update risk.households set code_expires_at = code_expires_at - interval '24 hours'`);
  assert.equal((await join(third, renewed)).problem.code, 'household-code');
  assert.equal((await read(first)).code, null);
  assert.equal((await leave(first)).status, 204);
  assert.equal((await leave(first)).status, 204);
  assert.equal((await read(second)).members.length, 1);
  await leave(second);
  assert.deepEqual(await owner.rows(sql`select from risk.households`), [], 'the last one ends it');
});

test('a household has six members, also when many join at once, and guesses are limited', async () => {
  const [first, ...others] = (await people(8)) as [Person, ...Person[]];
  const { code } = (await makeCode(first)).body;
  const answers = await Promise.all(others.map((one) => join(one, code)));
  const codes = answers.map(({ status, problem }) => (status === 200 ? 'joined' : problem.code));
  assert.deepEqual(codes.toSorted(), [
    'household-full',
    'household-full',
    ...Array.from({ length: 5 }, () => 'joined'),
  ]);
  assert.equal((await makeCode(first)).problem.code, 'household-full');
  const [guesser] = (await people(1)) as [Person];
  const guesses = [];
  for (let left = 11; left > 0; left -= 1) guesses.push((await join(guesser, 'AAAA2222')).problem.code);
  assert.deepEqual(guesses, [...Array.from({ length: 10 }, () => 'household-code'), 'rate-limited']);
});

test('an offer that another one of the household was credited for waits', async () => {
  const [one, two, three] = (await householdOf(3)) as [Person, Person, Person];
  const [stranger] = (await people(1)) as [Person];
  await credit('cpx', one, { offer_id: '4711', type: 'out' });
  const first = await credit('cpx', one, { offer_id: '4711' });
  assert.equal((await stateOf(first)).state, 'credited', 'a screen-out counts for nothing');
  const again = await credit('cpx', one, { offer_id: '4711' });
  assert.equal((await stateOf(again)).state, 'credited', 'the same member');
  const second = await credit('cpx', two, { offer_id: '4711' });
  assert.deepEqual({ ...(await stateOf(second)) }, { state: 'held', reason: 'household' });
  for (const [form, who, offer] of [
    ['cpx', two, '4712'],
    ['kiwiwall', two, '4711'],
    ['cpx', stranger, '4711'],
    ['bitlabs', one, ''],
    ['bitlabs', two, ''],
  ] as const)
    assert.equal((await stateOf(await credit(form, who, { offer_id: offer }))).state, 'credited', form);
  const atOnce = await Promise.all(
    [one, two, three].map((who) => credit('kiwiwall', who, { offer_id: '9' })),
  );
  const states = await Promise.all(atOnce.map(async (transaction) => (await stateOf(transaction)).state));
  assert.deepEqual(states.toSorted(), ['credited', 'held', 'held']);
  const waiting = await site.call('GET', '/api/admin/pending-earnings?holdReason=household', {
    as: operator,
  });
  assert.equal(waiting.body.length, 3);
  const record = await site.call('GET', `/api/admin/users/${one.id}`, { as: operator });
  assert.deepEqual(
    record.body.linkedAccounts
      .map(({ id, reasons }: { id: string; reasons: string[] }) => [id, reasons])
      .toSorted(),
    [two, three].map(({ id }) => [String(id), ['household']]).toSorted(),
  );
  const exported = await Array.fromAsync(exportHousehold(owner, one.id));
  assert.match(JSON.stringify(exported), /"offers":\[\{"provider":"cpx","offerId":"4711"/);
  await platform.database.transaction((tx) => leaveWithin(tx, one.id));
  assert.deepEqual(await Array.fromAsync(exportHousehold(owner, one.id)), []);
  const left = await credit('cpx', three, { offer_id: '4711' });
  assert.equal((await stateOf(left)).state, 'credited', 'who left takes their offers along');
});

test('a household that shares everything is of medium confidence, and holds nothing', async () => {
  const family = await householdOf(4);
  const ids = family.map(({ id }) => id);
  await shareDevice(ids, 'family', '9.9.9.20');
  await payTo(ids, 'LTC-family');
  await look();
  const found = (await detections()).filter(
    ({ primaryUserId }: { primaryUserId: string }) => primaryUserId === String(Math.min(...ids)),
  );
  assert.deepEqual(
    found.map((one: Record<string, unknown>) => [one.confidence, one.isHousehold]),
    [
      ['medium', true],
      ['medium', true],
    ],
  );
  const [one, other] = family as [Person, Person];
  assert.equal((await stateOf(await credit('cpx', one, { offer_id: '1' }))).state, 'credited');
  await leave(one);
  const reasons = [];
  for (const who of [one, other])
    reasons.push((await stateOf(await credit('cpx', who, { offer_id: '2' }))).reason);
  assert.deepEqual(reasons, ['detection', 'detection'], 'not one household any more');
});

/** A household without the limited calls that join one. */
async function moveIn(one: Person, ...others: Person[]): Promise<void> {
  await makeCode(one);
  await owner.rows(sql`
    insert into risk.household_members (member_id, household_id, joined_at)
    select other, h.household_id, platform.business_now()
    from risk.household_members h cross join unnest(${others.map(({ id }) => id)}::integer[]) other
    where h.member_id = ${one.id}`);
}

test('who was found first can’t call it a household afterwards, and who closes an account leaves it', async () => {
  const ring = (await people(3)) as [Person, Person, Person];
  const [one, two, three] = ring;
  const ids = ring.map(({ id }) => id);
  await shareDevice(ids, 'ring', '9.9.9.21');
  await payTo(ids, 'LTC-ring');
  await look();
  await moveIn(one, two, three);
  assert.equal((await stateOf(await credit('cpx', one, { offer_id: '3' }))).reason, 'detection');

  const family = (await people(3)) as [Person, Person, Person];
  await moveIn(...family);
  const familyIds = family.map(({ id }) => id);
  await shareDevice(familyIds, 'family of three', '9.9.9.22');
  await payTo(familyIds, 'LTC-three');
  await look();
  const [stays, , goes] = family;
  await owner.rows(sql`
    update members.members set deleted_at = platform.business_now(), password_hash = null where id = ${goes.id}`);
  await platform.database.transaction((tx) => leaveWithin(tx, goes.id));
  assert.equal((await stateOf(await credit('cpx', stays, { offer_id: '4' }))).state, 'credited');
});

test('a credit is booked while the last member leaves the household', async () => {
  const [one] = (await people(1)) as [Person];
  await makeCode(one);
  const transaction = await owner.transaction(async (tx) => {
    await leaveWithin(tx, one.id);
    const sent = credit('cpx', one, { offer_id: '5' });
    await waitsForLock();
    return { sent };
  });
  assert.equal((await stateOf(await transaction.sent)).state, 'credited');
});

test('§2-3 detection of multiple accounts: a family, a campus and a phone network share one', async () => {
  const before = new Set((await detections()).map(({ id }: { id: string }) => id));
  const family = await householdOf(4);
  const familyIds = family.map(({ id }) => id);
  await shareDevice(familyIds, 'tablet', '9.9.10.1');
  await shareDevice(familyIds, 'desktop', '9.9.10.1');
  const students = await crowd(410_000_000, 60);
  await shareDevice(students, 'a computer of the library', '9.9.11.1');
  for (const id of students) await shareDevice([id], `laptop ${id}`, '9.9.11.1');
  const callers = await crowd(420_000_000, 1_000);
  await shareDevice(callers.slice(0, 300), 'a phone that many have', '9.9.12.1');
  for (let from = 300; from < 1_000; from += 7)
    await shareDevice(callers.slice(from, from + 7), `model ${from}`, '9.9.12.1');
  await look();
  const found = (await detections()).filter(({ id }: { id: string }) => !before.has(id));
  assert.ok(found.length > 3);
  for (const { confidence, kinds } of found) assert.deepEqual([confidence, kinds], ['low', ['device']]);
  assert.deepEqual(await owner.rows(sql`select from members.suspensions`), []);
  const held = await owner.rows(sql`
    select from risk.members_under_review
    where member_id = any (${[...familyIds, ...students, ...callers]}::integer[])`);
  assert.deepEqual(held, []);
  const [one, other] = family as [Person, Person];
  assert.equal((await stateOf(await credit('cpx', one, { offer_id: '77' }))).state, 'credited');
  assert.equal((await stateOf(await credit('cpx', other, { offer_id: '77' }))).reason, 'household');
});
