import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, startWorld } from '../../test/withdrawals-world.ts';
import { blockUntilReset, endBlockAfterReset } from '../members/members.ts';
import { approveWithdrawal } from './decisions.ts';
import { cancelWithdrawal, readRestrictions, readWithdrawals } from './withdrawals.ts';

/** What members are told of withdrawals that wait: for what, until when, and what stops new ones. */
const world = await startWorld({ after }, ['litecoin']);
const { parts, owner, database, operator } = world;
const DAY_MS = 86_400_000;

const holdAddresses = (addressHold: boolean) =>
  changeSettings(database, 'sandbox', { switches: { addressHold } });
const passTime = (seconds: number) =>
  owner.rows(sql`
    update platform.clock set mode = 'sandbox', offset_seconds = offset_seconds + ${seconds}, advanced_at = now()`);
const changePhone = (member: number) =>
  owner.rows(sql`update members.members set phone_number = phone_number || '9' where id = ${member}`);
const takeBack = (member: number, points: number) =>
  owner.rows(sql`
    select ledger.post_one(${member}, ${`back:${member}`}, 'reversal', ${-points}, 'operator', 'x', null, null, true)`);
const suspend = (member: number) =>
  owner.rows(sql`
    insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
    values (${member}, 'Shared an account', 'permanent', 'withdrawal_blocked', platform.business_now())`);
const lift = (member: number) =>
  owner.rows(sql`update members.suspensions set lifted_at = now() where member_id = ${member}`);

/** What the member's newest requests wait for, newest first. */
const waitsOf = async (member: number) =>
  (await readWithdrawals(parts, member, { page: 1, limit: 10 })).data.map(({ waitsFor }) => waitsFor);

test('says for which reason and until when a request is on hold, while the switch is on', async () => {
  const member = await world.member(50_000n);
  const [home, office] = [randomRegtestAddress(), randomRegtestAddress()];
  await ask(world, member, 1_000n, home);
  await ask(world, member, 1_000n, office);
  assert.deepEqual(await waitsOf(member), [null, null], 'the switch is off');
  await holdAddresses(true);
  assert.deepEqual(await readRestrictions(parts, member), {
    stop: null,
    securityHoldUntil: null,
    dayLimitUntil: null,
    payoutsPaused: false,
  });
  await changePhone(member);
  await ask(world, member, 1_000n, home);
  const { data } = await readWithdrawals(parts, member, { page: 1, limit: 10 });
  const leftMs = data.map(({ holdUntil, createdAt }) =>
    holdUntil === null ? null : Date.parse(holdUntil) - Date.parse(createdAt),
  );
  assert.deepEqual(
    data.map(({ waitsFor }) => waitsFor),
    ['security-change', 'new-destination', null],
  );
  assert.deepEqual(leftMs, [DAY_MS, DAY_MS, null]);
  const { securityHoldUntil } = await readRestrictions(parts, member);
  assert.ok(Date.parse(String(securityHoldUntil)) <= Date.parse(String(data[0]?.holdUntil)));
  await passTime(86_401);
  assert.deepEqual(await waitsOf(member), [null, null, null], 'a day later');
  assert.deepEqual(await readRestrictions(parts, member), {
    stop: null,
    securityHoldUntil: null,
    dayLimitUntil: null,
    payoutsPaused: false,
  });
  await holdAddresses(false);
});

test('says that a request waits for a suspension, a debt or a check, also after its approval', async () => {
  const member = await world.member(9_000n);
  const approved = await ask(world, member, 1_000n, randomRegtestAddress());
  await approveWithdrawal(parts, operator, approved.id);
  const { id } = await ask(world, member, 8_000n, randomRegtestAddress());
  await owner.rows(sql`
    insert into withdrawals.request_checks (withdrawal_id, possible_references, reason, found_at)
    values (${id}, '{listed}', 'This request may be paid already.', platform.business_now())`);
  assert.deepEqual(await waitsOf(member), ['in-check', null]);
  await owner.rows(sql`update withdrawals.request_checks set possible_references = '{}'`);
  await takeBack(member, 500);
  assert.deepEqual(await waitsOf(member), ['in-debt', 'in-debt']);
  await suspend(member);
  assert.deepEqual(await waitsOf(member), ['suspended', 'suspended']);
  assert.deepEqual((await readRestrictions(parts, member)).stop, {
    kind: 'suspension',
    reason: 'Shared an account',
    until: null,
  });
  await lift(member);
  await owner.transaction((tx) => blockUntilReset(tx, member));
  assert.deepEqual(
    await waitsOf(member),
    ['disowned', 'disowned'],
    'during the block, because it is never paid',
  );
  await lift(member);
  assert.deepEqual(await waitsOf(member), ['disowned', 'disowned']);
  assert.equal((await cancelWithdrawal(parts, member, id)).waitsFor, null);
});

test('says that a request can be cancelled exactly while the call takes it', async () => {
  const member = await world.member(9_000n);
  const inCheck = { code: 'withdrawal-in-check' };
  const requested = async () => (await ask(world, member, 1_000n, randomRegtestAddress())).id;
  const shown = async (id: string) => {
    const { data } = await readWithdrawals(parts, member, { page: 1, limit: 10 });
    const entry = data.find((one) => one.id === id);
    return [entry?.waitsFor, entry?.isCancellable];
  };
  const id = await requested();
  assert.deepEqual(await shown(id), [null, true]);
  await owner.rows(sql`
    insert into withdrawals.unaccounted_payments (method, reference, destination, amount_units, paid_at, found_at,
      withdrawal_id, member_id, points)
    values ('litecoin', 'lost', 'elsewhere', 1, now(), now(), gen_random_uuid(), ${member}, 1000)`);
  assert.deepEqual(
    await shown(id),
    ['points-in-check', true],
    'its points may be paid, but not this request',
  );
  const check = sql`
    insert into withdrawals.request_checks (withdrawal_id, possible_references, reason, found_at)
    values (${id}, '{listed}', 'This request may be paid already.', platform.business_now())`;
  await owner.rows(check);
  assert.deepEqual(await shown(id), ['in-check', false], 'the request itself may be paid');
  await owner.rows(sql`delete from withdrawals.request_checks where withdrawal_id = ${id}`);
  assert.equal((await cancelWithdrawal(parts, member, id)).isCancellable, false);
  await owner.rows(sql`update withdrawals.unaccounted_payments set seen_at = now()`);

  const other = await requested();
  await suspend(member);
  assert.deepEqual(await shown(other), ['suspended', true]);
  await owner.rows(sql`
    insert into withdrawals.reconciliations (method, reason, asked_at) values ('litecoin', 'restore', now())`);
  assert.deepEqual(await shown(other), ['suspended', false], 'what is said first hides no check');
  await assert.rejects(cancelWithdrawal(parts, member, other), inCheck);
  await owner.rows(sql`delete from withdrawals.reconciliations`);
  await lift(member);
  await approveWithdrawal(parts, operator, other);
  assert.deepEqual(await shown(other), [null, false]);
});

test('says that an approved request waits for a pause of all payouts, after what stops the member', async () => {
  const member = await world.member(9_000n);
  const [queued, halted] = [
    await ask(world, member, 1_000n, randomRegtestAddress()),
    await ask(world, member, 1_000n, randomRegtestAddress()),
  ];
  for (const { id } of [queued, halted]) await approveWithdrawal(parts, operator, id);
  await owner.rows(sql`
    update withdrawals.payouts set halted_by = ${operator}, halt_reason = 'Wrong person'
    where withdrawal_id = ${halted.id}`);
  await ask(world, member, 1_000n, randomRegtestAddress());
  assert.deepEqual(await waitsOf(member), [null, null, null]);
  await changeSettings(database, 'sandbox', { payoutsPaused: true });
  assert.deepEqual(
    await waitsOf(member),
    [null, null, 'paused'],
    'not a pending one, nor one that was stopped',
  );
  assert.equal((await readRestrictions(parts, member)).payoutsPaused, true, 'told before asking');
  await suspend(member);
  assert.deepEqual(await waitsOf(member), ['suspended', 'suspended', 'suspended']);
  await lift(member);
  await owner.rows(sql`
    update withdrawals.payouts set state = 'signed', reference = 'a', artifact = 'a', signed_at = now()
    where withdrawal_id = ${queued.id}`);
  assert.deepEqual(await waitsOf(member), [null, null, null], 'once it is prepared');
  await changeSettings(database, 'sandbox', { payoutsPaused: false });
});

test('says that a denial stops withdrawals until 24 hours after a reset, and which stop ends last', async () => {
  const member = await world.member(0n);
  await owner.transaction((tx) => blockUntilReset(tx, member));
  const stopOf = async () => (await readRestrictions(parts, member)).stop;
  assert.deepEqual([(await stopOf())?.kind, (await stopOf())?.until], ['denial', null]);
  const before = await database.one<{ now: Date }>(sql`select platform.business_now() as now`);
  await owner.transaction((tx) => endBlockAfterReset(tx, member));
  const leftMs = Date.parse(String((await stopOf())?.until)) - before.now.getTime();
  assert.ok(leftMs >= DAY_MS && leftMs < DAY_MS + 60_000, String(leftMs));
  await suspend(member);
  assert.equal((await stopOf())?.kind, 'suspension');
  await lift(member);
  assert.equal(await stopOf(), null);
});

test('says until when the requests of a day are used up, as long as the next one is refused for it', async () => {
  const [member, home] = [await world.member(9_000n), randomRegtestAddress()];
  const untilOf = async () => (await readRestrictions(parts, member)).dayLimitUntil;
  for (let made = 0; made < 5; made += 1) {
    assert.equal(await untilOf(), null, `${made} requests`);
    await ask(world, member, 1_000n, home);
  }
  assert.ok(await untilOf());
  await assert.rejects(ask(world, member, 1_000n, home), { code: 'withdrawal-limit-reached' });
  await passTime(86_401);
  assert.equal(await untilOf(), null);
  await ask(world, member, 1_000n, home);
});
