import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readWithdrawalQueue, type WithdrawalFlag } from '#contract/withdrawals.ts';
import { sql } from '#platform/database.ts';
import { readList } from '#platform/http/operator-list.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, connectLitecoin, startWorld } from '../../test/withdrawals-world.ts';
import { approveWithdrawal, rejectWithdrawal } from './decisions.ts';
import { findSharers, listSharedDestinations } from './member-records.ts';
import { queueFigures } from './queue-figures.ts';
import { withdrawalList } from './withdrawal-list.ts';
import { cancelWithdrawal } from './withdrawals.ts';

/** The flags of pending requests, and the filter by them. */
const world = await startWorld({ after });
const { parts, operator, owner, database } = world;
await connectLitecoin(world, { host: '127.0.0.1', port: 1, user: 'user', password: 'password' });

const figuresOf = async (id: string) => (await read({ id })).rows[0]?.flagFigures;
const read = (query: Record<string, string> = {}, who = operator) =>
  readList(database, withdrawalList(parts), readWithdrawalQueue.query.parse(query), who);
/** The figures above the queue are as many as the list shows to the same operator. */
const assertCounted = async (readFigures: ReturnType<typeof queueFigures>, who = operator) => {
  const { kinds } = await readFigures(who);
  for (const flag of ['clean', 'look', 'blocked'] as const)
    assert.equal(kinds?.[flag], (await read({ status: 'pending', flag }, who)).rows.length, flag);
  return kinds;
};
const flagsOf = async (id: string) => (await read({ id })).rows[0]?.flags;

/** Makes the payout of a request final, as the sweep does. */
const pay = async (id: string) => {
  await approveWithdrawal(parts, operator, id);
  await owner.rows(sql`
    update withdrawals.payouts set state = 'broadcast', reference = ${id}, artifact = 'sent', signed_at = now()
    where withdrawal_id = ${id}`);
  await owner.rows(sql`select withdrawals.confirm_payout(${id})`);
};
/** A member who was paid at `address` before. */
const paidMember = async (points: bigint, address = randomRegtestAddress()) => {
  const member = await world.member(points + 1_000n);
  await pay((await ask(world, member, 1_000n, address)).id);
  return { member, address };
};
const takeBack = (member: number, daysAgo: number) =>
  owner.rows(sql`
    insert into earning.reversals (provider, transaction_id, credit_transaction_id, member_id, taken_points, reason,
      reason_class, created_at)
    values ('cpx', gen_random_uuid()::text, 'credit', ${member}, 100, '', 'policy',
      platform.business_now() - ${daysAgo}::integer * interval '1 day')`);
const visit = (member: number, device: string, address: string) =>
  owner.rows(sql`
    insert into access.devices (fingerprint_hash, member_id, address, fields, first_seen_at, last_seen_at)
    values (${Buffer.from(device)}, ${member}, ${address}::inet, '{}', now(), now())`);

describe('the flags of a request', () => {
  it('are counted by kind above the queue, as the filter lists them, and anew when the queue changes', async () => {
    const readFigures = queueFigures(parts);
    await assertCounted(readFigures);
    const { member, address } = await paidMember(1_000n);
    await ask(world, member, 1_000n, address);
    await ask(world, await world.member(1_000n), 1_000n, randomRegtestAddress());
    await assertCounted(readFigures);
  });

  it('are not counted while that fails, and the totals are there', async () => {
    const readFigures = queueFigures(parts);
    await owner.rows(sql`alter function withdrawals.looks_of rename to looks_away`);
    const { kinds, pendingWithdrawals } = await readFigures(operator);
    assert.deepEqual([kinds, pendingWithdrawals > 0], [null, true]);
    await owner.rows(sql`alter function withdrawals.looks_away rename to looks_of`);
  });

  it('are none for an address that the member was paid at', async () => {
    const { member, address } = await paidMember(1_000n);
    assert.deepEqual(await flagsOf((await ask(world, member, 1_000n, address)).id), []);
  });

  it('say that the member was never paid, or never there', async () => {
    const newcomer = await world.member(1_000n);
    const first = await ask(world, newcomer, 1_000n, randomRegtestAddress());
    assert.deepEqual(await flagsOf(first.id), ['first-payout']);
    const { member } = await paidMember(1_000n);
    const other = await ask(world, member, 1_000n, randomRegtestAddress());
    assert.deepEqual(await flagsOf(other.id), ['new-address']);
  });

  it('say that another member used the address, of both and also later', async () => {
    const { member, address } = await paidMember(1_000n);
    const { id } = await ask(world, member, 1_000n, address);
    const other = await ask(world, await world.member(1_000n), 1_000n, address);
    assert.deepEqual(await flagsOf(id), ['shared-address']);
    assert.deepEqual(await flagsOf(other.id), ['shared-address', 'first-payout']);
  });

  it('say nothing of a member who asked to the address of another one and took it back', async () => {
    const { member, address } = await paidMember(1_000n);
    const { id } = await ask(world, member, 1_000n, address);
    const stranger = await world.member(2_000n);
    const taken = await ask(world, stranger, 1_000n, address);
    const linked = async () => [
      await flagsOf(id),
      await findSharers(database, member, 10),
      (await listSharedDestinations(database, [member], 10)).map(({ memberIds }) => memberIds),
    ];
    const evidence = [['shared-address'], [stranger], [[member, stranger].toSorted((one, two) => one - two)]];
    assert.deepEqual(await linked(), evidence);
    await cancelWithdrawal(parts, stranger, taken.id);
    assert.deepEqual(await linked(), [[], [], []]);
    await ask(world, stranger, 1_000n, address);
    assert.deepEqual(await linked(), evidence);
  });

  it('say that another member used the browser at the same public address, never by a private one', async () => {
    const { member, address } = await paidMember(1_000n);
    const { id } = await ask(world, member, 1_000n, address);
    const stranger = await world.member(0n);
    for (const [device, where] of [
      ['private', '10.1.2.3'],
      ['mapped', '::ffff:93.184.216.34'],
      ['loopback', '127.0.0.1'],
      ['local', 'fd00::1'],
    ] as const) {
      await visit(member, device, where);
      await visit(stranger, device, where);
    }
    await visit(member, 'public', '93.184.216.34');
    await visit(stranger, 'public', '93.184.216.35');
    assert.deepEqual(await flagsOf(id), []);
    await owner.rows(sql`
      update access.devices set address = '93.184.216.34' where fingerprint_hash = ${Buffer.from('public')}`);
    assert.deepEqual(await flagsOf(id), ['shared-device']);
  });

  it('say that points were taken back in the last 30 days, how often, and how large a debt is', async () => {
    const { member, address } = await paidMember(1_000n);
    const { id } = await ask(world, member, 1_000n, address);
    await takeBack(member, 31);
    assert.deepEqual(await flagsOf(id), []);
    await takeBack(member, 29);
    assert.deepEqual(await flagsOf(id), ['reversals']);
    await takeBack(member, 1);
    const reversals = { flag: 'reversals', kind: 'count', value: '2' };
    assert.deepEqual(await figuresOf(id), [reversals]);
    await owner.rows(sql`
      select ledger.post_one(${member}, 'reversal:debt', 'reversal', -500, 'operator', 'x', null, null, true)`);
    assert.deepEqual(await figuresOf(id), [reversals, { flag: 'debt', kind: 'points', value: '500' }]);
  });

  it('are gone once the request is decided', async () => {
    const { id } = await ask(world, await world.member(1_000n), 1_000n, randomRegtestAddress());
    await rejectWithdrawal(parts, operator, id, 'No');
    assert.deepEqual(await flagsOf(id), []);
  });
});

describe('the filter by flag', () => {
  const ids: Record<string, string> = {};
  before(async () => {
    for (const { id } of (await read({ status: 'pending', limit: '100' })).rows)
      await rejectWithdrawal(parts, operator, id, 'Clean');
    const ordinary = await paidMember(1_000n);
    ids.clean = (await ask(world, ordinary.member, 1_000n, ordinary.address)).id;
    const large = await paidMember(60_000n);
    ids['two-people'] = (await ask(world, large.member, 60_000n, large.address)).id;
    ids['first-payout'] = (await ask(world, await world.member(1_000n), 1_000n, randomRegtestAddress())).id;
    const { member } = await paidMember(1_000n);
    ids['new-address'] = (await ask(world, member, 1_000n, randomRegtestAddress())).id;
    const own = await paidMember(0n);
    await world.grant(operator, 1_000n);
    ids['own-account'] = (await ask(world, operator, 1_000n, own.address)).id;
    const checked = await paidMember(1_000n);
    ids['in-check'] = (await ask(world, checked.member, 1_000n, checked.address)).id;
    await owner.rows(sql`
      insert into withdrawals.request_checks (withdrawal_id, possible_references, reason, found_at)
      values (${ids['in-check']}, '{listed}', 'This request may be paid already.', platform.business_now())`);
    const taken = await paidMember(1_000n);
    ids.reversals = (await ask(world, taken.member, 1_000n, taken.address)).id;
    await takeBack(taken.member, 1);
    await changeSettings(database, 'sandbox', { caps: { secondPersonFrom: '60000' } });
  });
  const found = async (flag: string) => {
    const { rows, total } = await read({ flag, limit: '100', sort: 'createdAt' });
    assert.equal(total, rows.length);
    return rows.map(({ id }) => Object.entries(ids).find(([, one]) => one === id)?.[0] ?? id);
  };

  it('finds what has each flag, as the list shows it', async () => {
    const { rows } = await read({ status: 'pending', limit: '100', sort: 'createdAt' });
    const carriers = (flag: WithdrawalFlag) =>
      rows.filter(({ flags }) => flags.includes(flag)).map(({ id }) => id);
    const seen = new Set(rows.flatMap(({ flags }) => flags));
    for (const flag of ['own-account', 'in-check', 'two-people', 'reversals', 'shared-address'] as const)
      assert.ok(seen.has(flag), flag);
    for (const flag of readWithdrawalQueue.list.filters.flag.choices.slice(3) as WithdrawalFlag[]) {
      const listed = await read({ flag, limit: '100', sort: 'createdAt' });
      assert.deepEqual(
        listed.rows.map(({ id }) => id),
        carriers(flag),
        flag,
      );
    }
  });

  it('parts the pending requests into clean ones, those to look at, and blocked ones', async () => {
    assert.deepEqual(await found('clean'), ['clean', 'first-payout', 'new-address']);
    assert.deepEqual(await found('look'), ['two-people', 'reversals']);
    assert.deepEqual(await found('blocked'), ['own-account', 'in-check']);
    assert.equal((await read({ flag: 'clean', status: 'approved' })).total, 0);
  });

  it('is counted for the operator who reads, with their own requests and what they approved alone', async () => {
    const readFigures = queueFigures(parts);
    const colleague = await world.member(0n, { role: 'admin' });
    assert.deepEqual(await assertCounted(readFigures), { clean: 3, look: 2, blocked: 2 });
    assert.deepEqual(await assertCounted(readFigures, colleague), { clean: 3, look: 3, blocked: 1 });
    await changeSettings(database, 'sandbox', { caps: { secondPersonFrom: '1500' } });
    const anew = queueFigures(parts);
    assert.deepEqual(await assertCounted(anew), { clean: 0, look: 5, blocked: 2 });
    assert.deepEqual(await assertCounted(anew, colleague), { clean: 3, look: 3, blocked: 1 });
  });
});
