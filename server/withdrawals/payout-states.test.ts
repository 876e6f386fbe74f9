import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { type LeaseToken, takeLease } from '#platform/leases.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, balanceOf, connectLitecoin, faultsOfBooks, startWorld } from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';
import { readUnaccountedOf } from './payout-comparison.ts';
import { replacePayment, turnNameOf } from './payout-queries.ts';
import {
  confirmPayout,
  failPayout,
  findPayout,
  markBroadcast,
  noteTrouble,
  type PayoutState,
  park,
  postpone,
  storePayment,
} from './queries.ts';

const world = await startWorld({ after });
const { database, parts, operator, owner } = world;
await connectLitecoin(world, { host: '127.0.0.1', port: 1, user: 'user', password: 'password' });
const lease = await takeLease(parts, turnNameOf('litecoin'));
assert(lease);

const approved = async (address = randomRegtestAddress()) => {
  const member = await world.member(1_000n);
  const { id } = await ask(world, member, 1_000n, address);
  await approveWithdrawal(parts, operator, id);
  return { id, member, address };
};
const signedAs = (digit: string) => ({
  reference: digit.repeat(64),
  artifact: digit.repeat(100),
});
const AMOUNT_UNITS = 1_242_236n;
const store = (id: string, payment: ReturnType<typeof signedAs>, by: LeaseToken = lease) =>
  storePayment(database, by, { withdrawalId: id, amountUnits: AMOUNT_UNITS }, payment);
const fail = (id: string, seen: PayoutState) =>
  database.transaction((tx) => failPayout(tx, id, seen, 'Refused'));
const confirm = async (id: string) =>
  (await database.transaction((tx) => confirmPayout(tx, id))).memberId !== null;

test('changes no row for a holder whose lease was lost', async () => {
  const { id } = await approved();
  const former = { name: lease.name, token: lease.token - 1n };
  const stateOf = async () => (await findPayout(database, id))?.state;
  assert.equal(await store(id, signedAs('0'), former), undefined);
  assert.equal(await stateOf(), 'queued');
  await store(id, signedAs('0'));
  assert.equal(await markBroadcast(database, former, id), undefined);
  assert.equal(await park(database, former, id, 'Late'), undefined);
  await postpone(database, former, id, 'Late', 60);
  await noteTrouble(database, former, id, 'Late');
  const row = await owner.one(sql`
    select state, trouble, attempt_count from withdrawals.payouts where withdrawal_id = ${id}`);
  assert.deepEqual(row, { state: 'signed', trouble: null, attempt_count: 0 });
  await park(database, lease, id, 'Refused');
  const parked = { withdrawalId: id, ...signedAs('0') };
  assert.equal(await replacePayment(database, former, parked, signedAs('9'), 'Late'), undefined);
  assert.equal(await replacePayment(database, former, parked, null, 'Late'), undefined);
  assert.equal(await stateOf(), 'parked');
});

test('stores the first of several signings of one payout, and no other', async () => {
  const { id } = await approved();
  const kept = await Promise.all(['a', 'b', 'c'].map((digit) => store(id, signedAs(digit))));
  assert.equal(kept.filter((row) => row !== undefined).length, 1);
  const payout = await findPayout(database, id);
  assert.equal(payout?.artifact, kept.find((row) => row !== undefined)?.artifact);
  assert.equal(await store(id, signedAs('d')), undefined);
});

test('keeps every payment that a payout had, so that no listed one is taken for another payout’s', async () => {
  const { id, address } = await approved();
  const other = await approved(address);
  const another = await approved();
  const unaccountedOf = async (isFinal: boolean, ...digits: string[]) => {
    const listed = digits.map((digit) => ({
      reference: digit.repeat(64),
      destination: address,
      amountUnits: AMOUNT_UNITS,
      at: new Date(),
      withdrawalId: null,
      isFinal,
    }));
    const found = await readUnaccountedOf(database, 'litecoin', listed);
    return found.map(({ reference }) => reference.slice(0, 1));
  };
  const replace = (formerDigit: string | null, digit: string | null, payoutId = id) => {
    const reference = formerDigit === null ? null : formerDigit.repeat(64);
    const payment = digit === null ? null : signedAs(digit);
    return replacePayment(database, lease, { withdrawalId: payoutId, reference }, payment, 'Replaced');
  };
  await store(id, signedAs('2'));
  await park(database, lease, id, 'Its coins are spent');
  assert.equal((await replace('2', '3'))?.state, 'broadcast', 'a rival is adopted');
  assert.deepEqual(await unaccountedOf(false, '2', '8'), ['8']);
  assert.equal(await replace('2', '4'), undefined, 'it has another payment by now');
  assert.equal(await replace(null, '3', other.id), undefined, 'the payment is another payout’s');
  assert.equal(
    (await replace(null, '3', another.id))?.state,
    'broadcast',
    'it may pay another destination too',
  );
  assert.equal((await replace('3', null))?.state, 'queued', 'another one is prepared');
  await store(id, signedAs('5'));
  assert.equal((await replace('5', '2'))?.reference, '2'.repeat(64), 'the first one was made after all');
  assert.equal((await replace('2', '6'))?.reference, '6'.repeat(64));
  assert.deepEqual(await unaccountedOf(false, '2', '3', '4', '5', '8'), ['4', '8']);
  assert.deepEqual(
    await unaccountedOf(true, '2', '3', '5', '6', '8'),
    ['2', '3', '5', '8'],
    'made after all',
  );
  assert.equal((await replace('6', null))?.state, 'queued');
  assert.deepEqual(await unaccountedOf(true, '6'), ['6'], 'it paid the payout for which none is stored');
});

test('refuses to fail a payout that is signed, broadcast or confirmed', async () => {
  const { id, member } = await approved();
  await store(id, signedAs('e'));
  assert.equal((await fail(id, 'queued')).status, 'changed');
  assert.equal((await fail(id, 'signed')).status, 'changed');
  assert.equal(await confirm(id), false, 'it is not out yet');
  await markBroadcast(database, lease, id);
  assert.equal((await fail(id, 'broadcast')).status, 'changed');
  assert.deepEqual(await Promise.all([confirm(id), confirm(id), confirm(id)]).then((all) => all.sort()), [
    false,
    false,
    true,
  ]);
  assert.equal((await fail(id, 'confirmed')).status, 'changed');
  assert.equal(await markBroadcast(database, lease, id), undefined);
  assert.equal(await balanceOf(world, member), 0n);
  assert.deepEqual(await faultsOfBooks(world), []);
});

test('fails a payout once for concurrent calls, and returns its points once', async () => {
  const { id, member } = await approved();
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => fail(id, 'queued')));
  assert.equal(outcomes.filter(({ status }) => status === 'failed').length, 1);
  assert.equal(await balanceOf(world, member), 1_000n);
  assert.equal(await store(id, signedAs('f')), undefined, 'nothing is signed any more');
  assert.deepEqual(await faultsOfBooks(world), []);
});

test('refuses a signed payout without an artifact and two payouts of one payment by constraints', async () => {
  const { id } = await approved();
  await assert.rejects(
    owner.rows(sql`update withdrawals.payouts set state = 'signed' where withdrawal_id = ${id}`),
    {
      constraint: 'payouts_signed',
    },
  );
  for (const payment of [
    { ...signedAs('1'), artifact: '' },
    { ...signedAs('1'), reference: '' },
  ])
    await assert.rejects(store(id, payment), { constraint: 'payouts_payment' });
  await assert.rejects(
    owner.rows(sql`
      update withdrawals.payouts set state = 'failed', reference = 'a reference alone' where withdrawal_id = ${id}`),
    { constraint: 'payouts_payment' },
  );
  await store(id, signedAs('1'));
  const other = await approved();
  await assert.rejects(store(other.id, signedAs('1')), { constraint: 'payouts_prepared' });
  await assert.rejects(
    owner.rows(sql`
      update withdrawals.payouts p
      set state = 'signed', destination = o.destination, reference = o.reference, artifact = 'b', is_found = true,
        signed_at = now()
      from withdrawals.payouts o where p.withdrawal_id = ${other.id} and o.withdrawal_id = ${id}`),
    { constraint: 'payouts_reference' },
  );
  await assert.rejects(
    owner.rows(sql`update withdrawals.payouts set state = 'queued' where withdrawal_id = ${id}`),
    {
      constraint: 'payouts_queued',
    },
  );
});
