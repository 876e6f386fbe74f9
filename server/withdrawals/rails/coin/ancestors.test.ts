import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { litecoindMissing, startLitecoind } from '../../../../test/litecoind.ts';
import {
  ask,
  connectLitecoin,
  faultsOfBooks,
  startWorld,
  sweepNow,
} from '../../../../test/withdrawals-world.ts';
import { approveWithdrawal } from '../../decisions.ts';
import { findRail } from '../../payment-methods.ts';
import { readPayout } from '../../payout-list.ts';
import { findArtifact } from './artifact.ts';

/** Chains of change on a Litecoin chain: what one replaced payment does to those after it. */
const skip = litecoindMissing();
const POINTS = 24_150_000n; // 300 coins, more than a block's reward

type Decoded = { vout: { value: number; scriptPubKey: { addresses?: string[] } }[] };

const open = async () => {
  const world = await startWorld({ after });
  const node = await startLitecoind({ after });
  await connectLitecoin(world, node.access);
  const { owner, parts, operator } = world;
  const mineElsewhere = (nblocks: number) =>
    node.call('generatetoaddress', { nblocks, address: node.foreignAddress() });
  /** Leaves the wallet one large coin. Coins of new blocks' rewards are too small for the payments here. */
  const gatherCoins = async () => {
    const { mine } = (await node.call('getbalances')) as { mine: { trusted: string } };
    const outputs = { address: await node.ownAddress(), amount: mine.trusted, subtractfeefromamount: true };
    await node.call('sendtoaddress', outputs);
    await mineElsewhere(1);
  };
  const approved = async (points = POINTS) => {
    const address = node.foreignAddress();
    const { id } = await ask(world, await world.member(points), points, address);
    await approveWithdrawal(parts, operator, id);
    return { id, address };
  };
  const artifactOf = async (id: string) => {
    const { artifact } = await owner.one<{ artifact: string }>(
      sql`select artifact from withdrawals.payouts where withdrawal_id = ${id}`,
    );
    const found = findArtifact(artifact);
    assert(found);
    return found;
  };
  const outputsOf = async (id: string) => {
    const { bytesHex: hexstring } = await artifactOf(id);
    return ((await node.call('decoderawtransaction', { hexstring })) as unknown as Decoded).vout;
  };
  return { world, node, mineElsewhere, gatherCoins, approved, artifactOf, outputsOf };
};

test('prepares a payout anew when a payment before it was replaced, and pays it once', { skip }, async () => {
  const { world, node, mineElsewhere, gatherCoins, approved, artifactOf } = await open();
  const { owner, parts } = world;
  await owner.rows(sql`
    update withdrawals.methods set settings = '{"confirmations": 3}' where method = 'litecoin'`);
  await gatherCoins();
  const parent = await approved();
  await sweepNow(world);
  const child = await approved();
  await sweepNow(world);
  const [first, second] = [
    await readPayout(parts.database, parent.id),
    await readPayout(parts.database, child.id),
  ];
  assert.deepEqual([first.state, second.state], ['broadcast', 'broadcast']);
  const { inputs } = await artifactOf(child.id);
  assert(
    inputs.some(({ transactionId }) => transactionId === first.txId),
    'it spends the change',
  );

  const coins = (await artifactOf(parent.id)).inputs.map((one) => ({
    txid: one.transactionId,
    vout: one.outputIndex,
  }));
  const outputs = [{ [node.foreignAddress()]: '0.50000000' }, { [await node.ownAddress()]: '900.00000000' }];
  const hexstring = await node.call('createrawtransaction', { inputs: coins, outputs });
  const { hex } = (await node.call('signrawtransactionwithwallet', { hexstring })) as { hex: string };
  await node.call('generateblock', { output: node.foreignAddress(), transactions: [hex] });

  await sweepNow(world);
  await sweepNow(world);
  const parked = await readPayout(parts.database, child.id);
  assert.equal(parked.state, 'parked');
  assert.match(
    parked.trouble ?? '',
    new RegExp(`spends the change of ${first.txId}, .+ replaced, 1 blocks deep`),
  );
  assert.equal(parked.txId, second.txId, 'the payment is kept until it is certainly impossible');
  await mineElsewhere(2);
  await sweepNow(world);
  const anew = await readPayout(parts.database, child.id);
  assert.equal(anew.state, 'broadcast');
  assert.notEqual(anew.txId, second.txId);
  await mineElsewhere(3);
  await sweepNow(world);
  assert.equal((await readPayout(parts.database, child.id)).state, 'confirmed');
  assert.equal((await node.outputsTo(child.address)).length, 1);
  const former = await owner.rows(sql`select reference from withdrawals.former_payments`);
  assert.deepEqual(former, [{ reference: second.txId }]);
  assert.deepEqual(await faultsOfBooks(world), []);
});

test('splits the change while few confirmed coins are left, and not when there are enough', {
  skip,
}, async () => {
  const { world, node, gatherCoins, approved, artifactOf, outputsOf } = await open();
  const many = await approved(1_000n);
  await sweepNow(world);
  assert.equal((await outputsOf(many.id)).length, 2, 'twenty coins are enough');
  await node.mine(1);
  await gatherCoins();
  const one = await approved(100_000n);
  await sweepNow(world);
  const outputs = await outputsOf(one.id);
  assert.equal(outputs.length, 5, 'the payment and four parts of the change');
  assert(Number((await artifactOf(one.id)).networkFee) < 0.001);
  await node.mine(1);
  const next = [await approved(100_000n), await approved(100_000n), await approved(100_000n)];
  await sweepNow(world);
  const spent = new Set<string>();
  for (const { id } of next)
    for (const { transactionId, outputIndex } of (await artifactOf(id)).inputs)
      spent.add(`${transactionId}:${outputIndex}`);
  const parents = [...spent].map((coin) => coin.split(':')[0]);
  const theirs = await Promise.all(
    next.map(async ({ id }) => (await readPayout(world.parts.database, id)).txId),
  );
  assert(!parents.some((parent) => theirs.includes(parent ?? '')), 'none spends the change of another');
  await node.mine(1);
  await sweepNow(world);
  for (const { id, address } of [many, one, ...next]) {
    assert.equal((await readPayout(world.parts.database, id)).state, 'confirmed');
    assert.equal((await node.outputsTo(address)).length, 1);
  }
});

test('uses no coin of a sent payment that the wallet forgot', { skip }, async () => {
  const { world, node, approved, artifactOf } = await open();
  const rail = await findRail(world.parts, 'litecoin');
  assert(rail);
  const order = { withdrawalId: '', destination: node.foreignAddress(), amountUnits: 1_000_000n };
  const sent = await rail.prepare(order, [], []);
  assert(sent.kind === 'prepared');
  await node.call('lockunspent', { unlock: true }); // as after a restart of the node
  const taken = findArtifact(sent.artifact)?.inputs ?? [];
  for (let count = 0; count < 5; count += 1) {
    const other = await rail.prepare(order, [], [sent.artifact]);
    assert(other.kind === 'prepared', JSON.stringify(other));
    const inputs = findArtifact(other.artifact)?.inputs ?? [];
    assert(!inputs.some(({ transactionId }) => taken.some((one) => one.transactionId === transactionId)));
  }
  const { id } = await approved();
  await sweepNow(world);
  assert((await artifactOf(id)).inputs.length > 0);
});
