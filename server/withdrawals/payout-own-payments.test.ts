import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { takeLease } from '#platform/leases.ts';
import { startSandboxCoinNode } from '../../test/sandbox-coin-node.ts';
import {
  ask,
  balanceOf,
  connectLitecoin,
  faultsOfBooks,
  startWorld,
  sweepNow,
} from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';
import { setUpRail } from './payment-methods.ts';
import { failPayout, retryPayout } from './payout-acts.ts';
import { comparePayout, readUnaccountedOf } from './payout-comparison.ts';
import { readPayout } from './payout-list.ts';
import {
  findPayingAccount,
  notePossible,
  parkUnprepared,
  replacePayment,
  turnNameOf,
} from './payout-queries.ts';
import { findPayout, park } from './queries.ts';
import type { Rail } from './rails/rail.ts';

/** A payout whose own payment may have paid it: the one that it has, or one that it had before. */
const world = await startWorld({ after });
const node = await startSandboxCoinNode({ after });
await connectLitecoin(world, node.access);
await node.mine(101);
const { database, parts, operator } = world;
const act = (id: string) => ({ platform: parts, operatorId: operator, id, reason: 'Looked at the wallet' });
const payoutOf = (id: string) => readPayout(database, id);

const inTurn = async (work: (lease: { name: string; token: bigint }) => Promise<unknown>) => {
  const lease = await takeLease(parts, turnNameOf('litecoin'));
  assert(lease);
  assert(await work(lease));
  await lease.release();
};

/** A payout that lost its payment, as if that could never be made, and the payment was made after all. */
async function madeAfterAll() {
  const [member, address] = [await world.member(2_000n), node.foreignAddress()];
  const { id } = await ask(world, member, 2_000n, address);
  await approveWithdrawal(parts, operator, id);
  await sweepNow(world);
  const { txId: reference } = await payoutOf(id);
  assert(reference);
  await inTurn((lease) => replacePayment(database, lease, { withdrawalId: id, reference }, null, 'Lapsed'));
  await node.mine(6);
  return { id, member, address, reference };
}
/** The same, parked because it may have been paid. */
async function parkedByOwn() {
  const payout = await madeAfterAll();
  const { id, reference, address: destination } = payout;
  const payments = [{ reference, destination, amountUnits: 1n, at: new Date(), withdrawalId: null }];
  const possible = { payments, references: [reference], reason: 'It may be paid already.' };
  await inTurn((lease) => parkUnprepared(database, lease, id, possible));
  return payout;
}
const expectPaidOnce = async ({
  id,
  member,
  address,
  reference,
}: Awaited<ReturnType<typeof madeAfterAll>>) => {
  const { state, txId, trouble } = await payoutOf(id);
  assert.deepEqual([state, txId, trouble], ['confirmed', reference, null]);
  assert.equal((await node.outputsTo(address)).length, 1, 'paid once');
  assert.equal(await balanceOf(world, member), 0n);
  assert.deepEqual(await faultsOfBooks(world), []);
};

test('is paid by its own former payment that was made after all', async () => {
  const payout = await madeAfterAll();
  await sweepNow(world);
  await expectPaidOnce(payout);
});

test('goes on with its own former payment after an operator’s retry, and pays no other', async () => {
  const payout = await parkedByOwn();
  assert.deepEqual((await payoutOf(payout.id)).possibleTxIds, [payout.reference]);
  await retryPayout({ ...act(payout.id), shown: [payout.reference] });
  await sweepNow(world);
  await node.mine(6);
  await sweepNow(world);
  await expectPaidOnce(payout);
});

test('is not given up for its own former payment that was made after all', async () => {
  const payout = await parkedByOwn();
  await assert.rejects(failPayout({ ...act(payout.id), shown: [payout.reference] }), {
    code: 'payout-unclear',
    message: new RegExp(
      `^${payout.reference} was prepared for this payout and was made after all\\. Try the`,
    ),
  });
  await sweepNow(world);
  await expectPaidOnce(payout);
});

test('does not wait for the payment that it has, where the outside party notes the withdrawal alone', async () => {
  const [member, address] = [await world.member(2_000n), node.foreignAddress()];
  const { id } = await ask(world, member, 2_000n, address);
  await approveWithdrawal(parts, operator, id);
  await sweepNow(world);
  const payout = await findPayout(database, id);
  assert(payout?.reference);
  const { reference, amountUnits } = payout;
  const listed = { reference, destination: '', amountUnits, at: new Date(), withdrawalId: id, isFinal: true };
  assert.deepEqual(await readUnaccountedOf(database, 'litecoin', [listed]), [], 'the payout accounts for it');
  const account = await findPayingAccount(database, 'litecoin');
  const list: Rail['list'] = async () => ({ kind: 'listed', account, payments: [listed] });
  const rail = await setUpRail(parts, 'litecoin');
  assert(rail.kind === 'usable');
  assert.deepEqual(await comparePayout(database, { ...rail.rail, list }, payout), { kind: 'clear' });
  await node.mine(6);
  await sweepNow(world);
});

test('keeps what an operator called another’s payment while the outside party does not answer', async () => {
  const [member, address] = [await world.member(2_000n), node.foreignAddress()];
  const { id } = await ask(world, member, 2_000n, address);
  await approveWithdrawal(parts, operator, id);
  await sweepNow(world);
  const reference = 'f'.repeat(64);
  const payments = [{ reference, destination: address, amountUnits: 1n, at: new Date(), withdrawalId: null }];
  await inTurn((lease) => park(database, lease, id, 'Refused'));
  await inTurn((lease) =>
    notePossible(database, lease, id, { payments, references: [reference], reason: 'Paid already?' }),
  );
  await node.kill();
  await retryPayout({ ...act(id), shown: [reference] });
  assert.deepEqual((await findPayout(database, id))?.clearedReferences, [reference]);
  await node.start();
  await sweepNow(world);
  assert.equal((await payoutOf(id)).state, 'broadcast');
});
