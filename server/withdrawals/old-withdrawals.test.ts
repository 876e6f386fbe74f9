import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { takeLease } from '#platform/leases.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { tablesWith } from '../../test/tables-with.ts';
import { ask, connectLitecoin, startWorld } from '../../test/withdrawals-world.ts';
import { runChecks } from '../ledger/ledger.ts';
import { deleteOldNotices } from '../notices/notices.ts';
import { insertUnaccounted } from './accounted-queries.ts';
import { withdrawalsChecks } from './audit.ts';
import { approveWithdrawal } from './decisions.ts';
import { emptyOldWithdrawals } from './old-withdrawals.ts';
import { findNewestFinalPayment, notePayingAccount, replacePayment, turnNameOf } from './payout-queries.ts';
import { confirmPayout, findPayout, markBroadcast, storePayment } from './queries.ts';

const world = await startWorld({ after });
const { database, parts, operator, owner } = world;
await connectLitecoin(world, { host: '127.0.0.1', port: 1, user: 'user', password: 'password' });
const taken = await takeLease(parts, turnNameOf('litecoin'));
assert(taken);
const lease = taken;

const paymentOf = (digit: string) => ({
  reference: digit.repeat(64),
  artifact: `artifact ${digit.repeat(64)}`,
});
await notePayingAccount(database, 'litecoin', 'the wallet');
const store = async (id: string, digit: string) => {
  const payout = await findPayout(database, id);
  assert(payout);
  return storePayment(database, lease, payout, paymentOf(digit));
};
const passYears = (years: number) =>
  owner.rows(sql`update platform.clock set offset_seconds = offset_seconds + ${(years * 365 + 2) * 86_400}`);
const empty = async () => {
  const { signal } = new AbortController();
  await emptyOldWithdrawals(parts, signal);
  await deleteOldNotices(parts, signal);
};
const destinationsOf = (member: number) =>
  owner.rows<{ destination: string; isShown: boolean }>(sql`
    select destination, removed_at is null as "isShown" from withdrawals.destinations
    where member_id = ${member} order by first_used_at`);

/** Pays a withdrawal by the second of two payments. */
async function pay(member: number, address: string, former: string, last: string): Promise<string> {
  const { id } = await ask(world, member, 1_000n, address);
  await approveWithdrawal(parts, operator, id);
  await store(id, former);
  await replacePayment(
    database,
    lease,
    { withdrawalId: id, ...paymentOf(former) },
    null,
    `Its coins went to ${address}`,
  );
  await store(id, last);
  await markBroadcast(database, lease, id);
  await database.transaction((tx) => confirmPayout(tx, id));
  return id;
}

test('removes address and payments from every table after five years, and the audit finds no difference', async () => {
  const member = await world.member(3_000n);
  const [left, kept] = [randomRegtestAddress(), randomRegtestAddress()];
  await pay(member, left, 'a', 'b');
  await pay(member, kept, 'c', 'd');
  const listed = { destination: left, amountUnits: 5n, at: new Date(), withdrawalId: null };
  await database.transaction(async (tx) => {
    for (const digit of ['a', 'b', 'e'])
      await insertUnaccounted(tx, 'litecoin', { ...listed, reference: digit.repeat(64) });
    await insertUnaccounted(tx, 'litecoin', { ...listed, reference: 'f'.repeat(64), destination: kept });
  });
  await owner.rows(sql`
    update withdrawals.unaccounted_payments set seen_at = found_at where reference = ${'e'.repeat(64)}`);
  assert.equal((await findNewestFinalPayment(database, 'litecoin', 'the wallet'))?.reference, 'd'.repeat(64));

  await passYears(4);
  await ask(world, member, 1_000n, kept);
  await empty();
  assert.equal((await tablesWith(owner, left)).length, 5, 'nothing is removed before that');
  await passYears(1);
  assert.equal(
    (await findNewestFinalPayment(database, 'litecoin', 'the wallet'))?.reference,
    'd'.repeat(64),
    'a clock that is years ahead hides no payment',
  );
  await empty();
  for (const text of [left, ...['a', 'b', 'c', 'd', 'e'].map((digit) => digit.repeat(64))])
    assert.deepEqual(await tablesWith(owner, text), [], text);
  assert.deepEqual(await runChecks(owner, withdrawalsChecks), []);
  assert.equal(await findNewestFinalPayment(database, 'litecoin', 'the wallet'), undefined);
  assert.deepEqual(
    await tablesWith(owner, 'f'.repeat(64)),
    ['withdrawals.unaccounted_payments'],
    'a payment of which nobody took note stays',
  );
  const [removed, used] = await destinationsOf(member);
  assert.match(removed?.destination ?? '', /^removed /);
  assert.equal(removed?.isShown, false);
  assert.deepEqual(used, { destination: kept, isShown: true }, 'the younger withdrawal uses it');
});

test('does not take the next destination of an emptied member for the first one', async () => {
  const member = await world.member(2_000n);
  await pay(member, randomRegtestAddress(), '1', '2');
  await passYears(5);
  await empty();
  const { id } = await ask(world, member, 1_000n, randomRegtestAddress());
  const { isHeld } = await owner.one<{ isHeld: boolean }>(
    sql`select hold_until is not null as "isHeld" from withdrawals.withdrawals where id = ${id}`,
  );
  assert.equal(isHeld, true);
});
