import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, sql } from '#platform/database.ts';
import { checkLease } from '#platform/leases.ts';
import { litecoindMissing, startLitecoind } from '../../test/litecoind.ts';
import { startPayoutNode } from '../../test/payout-node.ts';
import { startDatabaseProxy } from '../../test/tcp-proxy.ts';
import { ask, connectLitecoin, startWorld } from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';

/** Who pays next, with the limits of a real site. */
const realLimits = { silenceMs: 2_000, rpcTimeoutMs: 10_000, leaseMs: 15_000, pauseMs: 2_000 };
const SUCCEEDED_MS_MAX = 30_000;

it('pays within 30 s after a node was killed in its turn behind connections that stay half-open', {
  skip: litecoindMissing(),
}, async () => {
  const [world, coinNode] = await Promise.all([
    startWorld({ after }, ['litecoin']),
    startLitecoind({ after }),
  ]);
  await connectLitecoin(world, coinNode.access);
  const startNode = async () => {
    const proxy = await startDatabaseProxy({ after }, world.appUrl);
    return { proxy, ...(await startPayoutNode({ after }, world, proxy.url, realLimits)) };
  };
  // Both start before there is a payout, because a node without a marker would first compare what was paid.
  const nodes = await Promise.all([startNode(), startNode()]);
  for (const node of nodes) await node.arm('after_sign', 'stop');
  const address = coinNode.foreignAddress();
  const { id } = await ask(world, await world.member(2_000n), 1_000n, address);
  await approveWithdrawal(world.parts, world.operator, id);
  for (let tries = 0; !nodes.some((node) => node.isStopped()); tries += 1) {
    assert.ok(tries < 3_000, 'no node signs');
    await sleep(10);
  }
  const [first, second] = nodes[0]?.isStopped() ? nodes : nodes.toReversed();
  assert.ok(first && second);
  await second.disarm();
  const readLease = () =>
    world.owner.one<{ name: string; token: bigint; isHeld: boolean }>(sql`
      select name, token, platform.is_lease_held(expires_at) as "isHeld"
      from platform.leases where name = 'payouts-litecoin'`);
  const lease = await readLease();
  assert.equal(lease.isHeld, true, 'the stopped node has the turn');

  // The worst moment: a write of the first node has looked at its lease, and never ends.
  const writing = openDatabase({ url: first.proxy.url, connectionsMax: 1, onError: () => undefined });
  const isLocked = Promise.withResolvers<boolean>();
  const write = writing.transaction(async (tx) => {
    isLocked.resolve(await checkLease(tx, lease));
    await sleep(60_000, undefined, { ref: false });
  });
  write.catch(() => undefined);
  assert.equal(await isLocked.promise, true);
  first.proxy.freeze();
  first.kill();
  const killedAtMs = performance.now();
  const stateOf = async () =>
    (
      await world.owner.one<{ state: string }>(sql`
      select state from withdrawals.payouts where withdrawal_id = ${id}`)
    ).state;
  while ((await stateOf()) !== 'broadcast') {
    assert.ok(performance.now() - killedAtMs < SUCCEEDED_MS_MAX, `it is ${await stateOf()}`);
    await sleep(50);
  }
  assert.ok((await readLease()).token > lease.token);
  assert.equal((await coinNode.outputsTo(address)).length, 1);
  assert.deepEqual((await second.look()).troubles, []);
});
