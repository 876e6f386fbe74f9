import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { readWithdrawalQueue } from '#contract/withdrawals.ts';
import type { Check } from '#contract/withdrawals-background.ts';
import { recordActs } from '#platform/audit-trail.ts';
import { sql } from '#platform/database.ts';
import { readList } from '#platform/http/operator-list.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, connectLitecoin, startWorld } from '../../test/withdrawals-world.ts';
import { readDeviceFacts } from '../access/member-records.ts';
import { readReversalTotals } from '../earning/member-records.ts';
import { listReversalsSince, readMemberSources } from '../earning/member-sources.ts';
import { readMemberBackground } from '../members/background.ts';
import { listNewestTickets } from '../support/support.ts';
import { type BackgroundParts, readBackground } from './background.ts';
import { approveWithdrawal, rejectWithdrawal } from './decisions.ts';
import { undoApproval } from './payout-acts.ts';
import { withdrawalList } from './withdrawal-list.ts';
import { cancelWithdrawal } from './withdrawals.ts';

/** What operators read of a request before a decision. */
const world = await startWorld({ after });
const { parts, operator, owner, database } = world;
await connectLitecoin(world, { host: '127.0.0.1', port: 1, user: 'user', password: 'password' });
const second = await world.member(0n, { role: 'admin' });

const ofOthers: BackgroundParts = {
  readMember: readMemberBackground,
  readDevices: readDeviceFacts,
  readReversalTotals,
  listReversalsSince,
  readSources: readMemberSources,
  listTickets: listNewestTickets,
};
const read = (id: string, as = operator) => readBackground(parts, as, id, ofOthers);
const failedOf = async (id: string, as = operator) =>
  (await read(id, as)).checks
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ code, verdict, flag }) => `${code} ${verdict} ${flag}`);
const flagsInList = async (id: string) => {
  const list = await readList(
    database,
    withdrawalList(parts),
    readWithdrawalQueue.query.parse({ id }),
    operator,
  );
  return list.rows[0]?.flags ?? [];
};

/** Makes the payout of a request final, as the sweep does. */
async function pay(id: string) {
  await approveWithdrawal(parts, operator, id);
  await owner.rows(sql`
    update withdrawals.payouts set state = 'broadcast', reference = ${id}, artifact = 'sent', signed_at = now(),
      broadcast_at = platform.business_now()
    where withdrawal_id = ${id}`);
  await owner.rows(sql`select withdrawals.confirm_payout(${id})`);
}
async function paidMember(points: bigint, address = randomRegtestAddress()) {
  const member = await world.member(points + 1_000n);
  const { id } = await ask(world, member, 1_000n, address);
  await pay(id);
  return { member, address, paidId: id };
}
/** Credits a member with the earning of a provider, as a postback does. */
let calls = 0;
async function earn(member: number, provider: string, points: bigint) {
  calls += 1;
  await owner.rows(sql`
    select earning.book_credit(${provider}, ${`call-${calls}`}, ${String(member)}, ${points}, null, 'Offer', false,
      null, 'GET /x', '127.0.0.1')`);
  return `call-${calls}`;
}
const takeBack = (member: number, provider: string, credit: string, points: bigint) =>
  owner.rows(sql`
    select earning.book(array[row(1, 'reversal', ${provider}, ${`${credit}-back`}, ${credit}, ${String(member)},
      ${points}::bigint, null, 'VPN used', false, null, 'GET /x', '127.0.0.1', null, '')::earning.call])`);
const visit = (member: number, device: string, address: string, timezone = 'Asia/Seoul') =>
  owner.rows(sql`
    insert into access.devices (fingerprint_hash, member_id, address, fields, first_seen_at, last_seen_at)
    values (${Buffer.from(device)}, ${member}, ${address}::inet,
      jsonb_build_object('timezone', ${timezone}::text), now(), now())`);

describe('the checks of a request', () => {
  it('pass for a member who was paid there before', async () => {
    const { member, address } = await paidMember(1_000n);
    const { id } = await ask(world, member, 1_000n, address);
    const { checks } = await read(id);
    assert.deepEqual([...new Set(checks.map(({ verdict }) => verdict))], ['pass']);
    const all: Check[] = [
      'owner',
      'suspension',
      'denial',
      'debt',
      'payment',
      'points',
      'caps',
      'hold',
      'people',
    ];
    for (const check of [...all, 'reversals', 'sharing', 'devices', 'destination'] as const)
      assert.equal(checks.filter((one) => one.code === check).length, 1, check);
  });

  it('say all that is wrong, not only the first of it, what blocks before what should be looked at', async () => {
    const { member, address } = await paidMember(3_000n);
    const credit = await earn(member, 'cpx', 500n);
    const { id } = await ask(world, member, 3_500n, address);
    await takeBack(member, 'cpx', credit, 400n);
    await owner.rows(sql`
      insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
      values (${member}, 'Many accounts', 'temporary', 'withdrawal_blocked', platform.business_now())`);
    await visit(member, 'shared', '93.184.216.34');
    await visit(await world.member(0n), 'shared', '93.184.216.34');
    await ask(world, await world.member(1_000n), 1_000n, address);
    assert.deepEqual(await failedOf(id), [
      'suspension block suspended',
      'debt block debt',
      'reversals look reversals',
      'sharing look shared-address',
      'devices look shared-device',
    ]);
    const { facts, member: person } = await read(id);
    assert.equal(person.balance, '-400');
    assert.equal(person.suspensions[0]?.reason, 'Many accounts');
    assert.equal(facts.destinationSharerCount, 1);
    assert.equal(facts.deviceSharerCount, 1);
    assert.equal(facts.reversalCount, 1);
    assert.equal(facts.reversedPoints, '400');
    assert.equal(facts.lastReversals[0]?.reasonClass, 'vpn');
  });

  it('fail with each flag that the list shows', async () => {
    const { member, address } = await paidMember(4_000n);
    const ids = [
      (await ask(world, member, 1_000n, randomRegtestAddress())).id,
      (await ask(world, await world.member(1_000n), 1_000n, address)).id,
      (await ask(world, member, 1_000n, address)).id,
    ];
    await world.grant(operator, 1_000n);
    ids.push((await ask(world, operator, 1_000n, randomRegtestAddress())).id);
    for (const id of ids) {
      const raised = (await read(id)).checks.flatMap(({ flag }) => flag ?? []);
      const listed = await flagsInList(id);
      assert.deepEqual([...raised].sort(), [...listed].sort(), id);
    }
  });

  it('say until when a request is held and why, and who is needed', async () => {
    const { member } = await paidMember(3_000n);
    await changeSettings(database, 'sandbox', {
      switches: { addressHold: true },
      caps: { secondPersonFrom: '2000' },
    });
    try {
      const { id } = await ask(world, member, 2_000n, randomRegtestAddress());
      assert.deepEqual(await failedOf(id), [
        'hold block on-hold',
        'people look two-people',
        'destination look new-address',
      ]);
      const { hold } = (await read(id)).facts;
      assert.equal(hold?.reason, 'new_destination');
      const hours = (Date.parse(hold?.until ?? '') - Date.now()) / 3_600_000;
      assert.ok(hours > 23 && hours <= 24, `${hours} hours`);
    } finally {
      await changeSettings(database, 'sandbox', {
        switches: { addressHold: false },
        caps: { secondPersonFrom: null },
      });
    }
  });

  it('say how much of the caps of the day is used, and how much is left', async () => {
    const capsOf = async (id: string) => (await read(id)).checks.find(({ code }) => code === 'caps');
    await changeSettings(database, 'sandbox', { caps: { memberDay: '2500' } });
    try {
      const { member, address } = await paidMember(4_000n);
      const { id } = await ask(world, member, 2_000n, address);
      assert.deepEqual(await failedOf(id), ['caps block over-cap']);
      const { facts } = await read(id);
      assert.deepEqual(facts.memberDay, { points: '2500', usedPoints: '1000' });
      assert.equal(facts.methodDay, null);
      const found = await capsOf(id);
      assert.deepEqual(found?.figure, { kind: 'points', value: '1500' });
      assert.equal(found?.link, '/management-panel-x7k9w/config?tab=site');
      await changeSettings(database, 'sandbox', { caps: { memberDay: '500' } });
      assert.equal((await capsOf(id))?.figure?.value, '0', 'never less than none');
    } finally {
      await changeSettings(database, 'sandbox', { caps: { memberDay: null } });
    }
  });

  it('are none once the request is decided', async () => {
    const { id } = await ask(world, await world.member(1_000n), 1_000n, randomRegtestAddress());
    await rejectWithdrawal(parts, operator, id, 'No');
    assert.deepEqual((await read(id)).checks, []);
  });
});

describe('the person and the destination', () => {
  it('show account, phone by its country, devices, and what was taken back', async () => {
    const { member, address } = await paidMember(2_000n);
    const credit = await earn(member, 'cpx', 1_000n);
    await takeBack(member, 'cpx', credit, 250n);
    await visit(member, 'own', '93.184.216.40');
    const { id } = await ask(world, member, 1_000n, address);
    const { member: person } = await read(id);
    assert.equal(person.phone?.callingCode, '+82');
    assert.match(person.phone?.lastDigits ?? '', /^\d{4}$/);
    assert.equal(person.timezone, 'Asia/Seoul');
    assert.equal(person.deviceCount, 1);
    assert.equal(person.completedTasks, 1);
    assert.equal(person.earned, '4000');
    assert.equal(person.takenBack, '250');
    assert.equal(person.takenBackCount, 1);
    assert.equal(person.balance, '1750');
    assert.deepEqual(person.suspensions, []);
    await visit(member, 'hiding', '93.184.216.40', '');
    assert.equal((await read(id)).member.timezone, null);
  });

  it('show since when the destination is used, whether it was paid, and where payments went before', async () => {
    const { member, address } = await paidMember(2_000n);
    const again = await ask(world, member, 1_000n, address);
    const known = (await read(again.id)).destination;
    assert.notEqual(known.firstUsedAt, null);
    assert.notEqual(known.paidAt, null);
    assert.equal(known.former, null);
    const other = await ask(world, member, 1_000n, randomRegtestAddress());
    const fresh = (await read(other.id)).destination;
    assert.equal(fresh.paidAt, null);
    assert.equal(fresh.former?.destination, address);
    assert.equal(fresh.former?.method, 'litecoin');
  });
});

describe('where the points came from', () => {
  it('is shown by provider with what was taken back of them, and with the rate of all members', async () => {
    const member = await world.member(500n);
    const credit = await earn(member, 'cpx', 3_000n);
    await earn(member, 'cpx', 1_000n);
    await earn(member, 'bitlabs', 500n);
    await takeBack(member, 'cpx', credit, 1_000n);
    await owner.rows(sql`
      insert into ledger.account_days (account, site_day, kind, movement_count, amount, digest)
      select 'provider:cpx', platform.site_day(platform.business_now()) - back, kind, 1, amount, 0
      from (values (1, 'earning', 90000), (29, 'earning', 10000), (30, 'earning', 7), (2, 'reversal', -5000))
        as d (back, kind, amount)`);
    const { id } = await ask(world, member, 1_000n, randomRegtestAddress());
    const { sources, credits } = await read(id);
    const [cpx, ...others] = sources;
    assert.deepEqual(
      [cpx?.kind, cpx?.provider, cpx?.points, cpx?.earnings, cpx?.reversedPoints],
      ['earning', 'cpx', '4000', 2, '1000'],
    );
    assert.deepEqual(cpx?.all, { earned: '100000', reversed: '5000' });
    assert.deepEqual(others.map(({ kind, provider, points }) => [kind, provider, points]).sort(), [
      ['earning', 'bitlabs', '500'],
      ['grant', null, '500'],
    ]);
    assert.deepEqual([credits.count, credits.areAll], [4, true]);
  });

  it('counts prizes less stakes, and no returned withdrawal', async () => {
    const member = await world.member(2_000n);
    for (const [key, kind, amount] of [
      ['stake-1', 'coinflip-stake', -100],
      ['prize-1', 'coinflip-prize', 190],
      ['stake-2', 'coinflip-stake', -50],
    ] as const)
      await owner.rows(sql`
        select ledger.post_one(${member}, ${`flip:${key}`}, ${kind}, ${amount}, 'coinflip', 'heads', null, null,
          false)`);
    const returned = await ask(world, member, 1_000n, randomRegtestAddress());
    await rejectWithdrawal(parts, operator, returned.id, 'No');
    const { id } = await ask(world, member, 1_000n, randomRegtestAddress());
    const { sources } = await read(id);
    assert.deepEqual(
      sources.map(({ kind, points }) => [kind, points]),
      [
        ['grant', '2000'],
        ['coinflip-prize', '40'],
      ],
    );
  });

  it('says of how many credits it speaks where there are more', async () => {
    const member = await world.member(0n);
    for (let count = 0; count < 205; count += 1) await world.grant(member, count < 5 ? 1_000_000n : 100n);
    const { id } = await ask(world, member, 1_000n, randomRegtestAddress());
    const { sources, credits } = await read(id);
    assert.deepEqual([credits.count, credits.areAll], [200, false]);
    assert.equal(sources[0]?.points, '20000');
  });
});

describe('the history', () => {
  it('lists the last five other withdrawals and counts how the last hundred ended', async () => {
    const { member, address, paidId } = await paidMember(9_000n);
    await owner.rows(sql`
      update withdrawals.withdrawals set created_at = created_at - interval '3 days' where id = ${paidId}`);
    const rejected = await ask(world, member, 1_000n, address);
    await rejectWithdrawal(parts, operator, rejected.id, 'No');
    const cancelled = await ask(world, member, 1_000n, address);
    await cancelWithdrawal(parts, member, cancelled.id);
    const more = await ask(world, member, 1_000n, address);
    const { id } = await ask(world, member, 1_000n, address);
    const { former, history } = await read(id);
    assert.deepEqual(
      history.map((row) => row.id),
      [more.id, cancelled.id, rejected.id, paidId],
    );
    assert.equal(history[3]?.payoutState, 'confirmed');
    assert.equal(former.paidCount, 1);
    assert.equal(former.paidPoints, '1000');
    assert.deepEqual(
      [former.count, former.rejectedCount, former.cancelledCount, former.failedCount],
      [4, 1, 1, 0],
    );
  });

  it('keeps what happened to the request however often somebody looked at its payout', async () => {
    const memberId = await world.member(1_000n);
    const { id } = await ask(world, memberId, 1_000n, randomRegtestAddress());
    await approveWithdrawal(parts, operator, id);
    const target = { kind: 'withdrawal', id, memberId } as const;
    const looks = Array.from({ length: 52 }, () => ({ actor: second, act: 'payout.check', target }) as const);
    await database.transaction((tx) => recordActs(tx, looks));
    const { steps } = await read(id);
    assert.deepEqual(
      steps.map(({ kind, act, by }) => [act ?? kind, by === null]),
      [
        ['requested', true],
        ['withdrawal.approve', false],
      ],
    );
  });

  it('tells what happened to the request: asked, both approvals, taken back, approved again, sent, final', async () => {
    await changeSettings(database, 'sandbox', {
      caps: { secondPersonFrom: '1000' },
      payoutDelaySeconds: 3_600,
    });
    const { id } = await ask(world, await world.member(2_000n), 2_000n, randomRegtestAddress());
    await assert.rejects(approveWithdrawal(parts, operator, id), { code: 'second-operator-needed' });
    await approveWithdrawal(parts, second, id);
    await undoApproval(parts, second, id);
    await changeSettings(database, 'sandbox', { caps: { secondPersonFrom: null }, payoutDelaySeconds: 0 });
    await pay(id);
    const { steps } = await read(id);
    const emails = await owner.rows<{ id: number; email: string }>(
      sql`select id, email from members.members where id = any (${[operator, second]}::integer[])`,
    );
    const emailOf = (one: number) => emails.find((row) => row.id === one)?.email ?? '';
    assert.deepEqual(
      steps.map(({ kind, act, by }) => [act ?? kind, by]),
      [
        ['requested', null],
        ['withdrawal.approve-first', emailOf(operator)],
        ['withdrawal.approve', emailOf(second)],
        ['withdrawal.undo', emailOf(second)],
        ['withdrawal.approve', emailOf(operator)],
        ['sent', null],
        ['confirmed', null],
      ],
    );
  });

  it('gives the reason of a rejection once, and says that the member cancelled', async () => {
    const rejected = await ask(world, await world.member(1_000n), 1_000n, randomRegtestAddress());
    await rejectWithdrawal(parts, operator, rejected.id, 'Another account');
    const steps = (await read(rejected.id)).steps.map(({ kind, act, reason }) => [act ?? kind, reason]);
    assert.deepEqual(steps, [
      ['requested', null],
      ['withdrawal.reject', 'Another account'],
    ]);
    const member = await world.member(1_000n);
    const cancelled = await ask(world, member, 1_000n, randomRegtestAddress());
    await cancelWithdrawal(parts, member, cancelled.id);
    assert.deepEqual(
      (await read(cancelled.id)).steps.map(({ kind }) => kind),
      ['requested', 'cancelled'],
    );
  });
});

it('answers not-found for an unknown request', async () => {
  await assert.rejects(read('00000000-0000-4000-8000-000000000000'), { code: 'not-found' });
});
