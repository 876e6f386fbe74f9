import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { takeLease } from '#platform/leases.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, connectLitecoin, startWorld } from '../../test/withdrawals-world.ts';
import { insertUnaccounted, readUnclearedTo } from './accounted-queries.ts';
import { approveWithdrawal } from './decisions.ts';
import { replacePayment, turnNameOf } from './payout-queries.ts';
import { failPayout, findPayout, park, storePayment } from './queries.ts';
import { endAccountedChecks, findOpenCheck, noteCheck, readFoundPayments } from './request-check-queries.ts';

/** Which payouts account for a found payment, so that it can't have paid a pending request. */
const world = await startWorld({ after });
const { database, parts, operator } = world;
await connectLitecoin(world, { host: '127.0.0.1', port: 1, user: 'user', password: 'password' });
const taken = await takeLease(parts, turnNameOf('litecoin'));
assert(taken);
const lease = taken;

const paymentOf = (digit: string) => ({ reference: digit.repeat(64), artifact: `artifact ${digit}` });
const destination = randomRegtestAddress();
const member = await world.member(9_000n);
const found = (digit: string) => ({
  reference: digit.repeat(64),
  destination,
  amountUnits: 5n,
  at: new Date(),
  withdrawalId: null,
});
/** A payout with this payment. */
const paidBy = async (digit: string) => {
  const { id } = await ask(world, member, 1_000n, destination);
  await approveWithdrawal(parts, operator, id);
  const payout = await findPayout(database, id);
  assert(payout && (await storePayment(database, lease, payout, paymentOf(digit))));
  return id;
};
const note = (digit: string) => database.transaction((tx) => insertUnaccounted(tx, 'litecoin', found(digit)));
const foundDigits = async () =>
  (await readFoundPayments(database, 'litecoin')).map(({ reference }) => reference.slice(0, 1));
const payout = { method: 'litecoin', destination, withdrawalId: crypto.randomUUID() };
const unclearedDigits = async () =>
  (await readUnclearedTo(database, payout)).map(({ reference }) => reference.slice(0, 1));

const pending = await ask(world, member, 1_000n, destination);
/** Which payments still hold the pending request after payouts were looked at. */
const heldBy = async (digit: string) => {
  const possible = { payments: [found(digit)], references: [digit.repeat(64)], reason: 'Paid already?' };
  await database.transaction((tx) => noteCheck(tx, pending.id, possible));
  await database.transaction((tx) => endAccountedChecks(tx, 'litecoin'));
  const check = await findOpenCheck(database, pending.id);
  return (check?.possibleReferences ?? []).map((reference) => reference.slice(0, 1));
};

test('a payment that was made after its payout failed is accounted for by none', async () => {
  const id = await paidBy('a');
  await note('a');
  assert.deepEqual([await foundDigits(), await heldBy('a')], [[], []], 'the payout has it');
  await park(database, lease, id, 'Its coins were spent otherwise');
  await database.transaction((tx) => failPayout(tx, id, 'parked', 'Refused'));
  assert.deepEqual([await foundDigits(), await heldBy('a')], [['a'], ['a']], 'the points are back');
  assert.deepEqual(await unclearedDigits(), ['a']);
});

test('a former payment that was made beside the present one is accounted for by none', async () => {
  const id = await paidBy('b');
  await note('b');
  await replacePayment(database, lease, { withdrawalId: id, ...paymentOf('b') }, paymentOf('c'), 'Replaced');
  await note('c');
  assert.deepEqual((await foundDigits()).toSorted(), ['a', 'b']);
  assert.deepEqual(await heldBy('b'), ['b', 'a']);
  assert.deepEqual((await unclearedDigits()).toSorted(), ['a', 'b']);
});
