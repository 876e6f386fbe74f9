import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, test } from 'node:test';
import { litecoindMissing, startLitecoind } from '../../test/litecoind.ts';
import { type PayoutNode, startPayoutNode } from '../../test/payout-node.ts';
import { campaignSteps, type Payout, roundsOn } from '../../test/payout-round.ts';
import { connectLitecoin, startWorld } from '../../test/withdrawals-world.ts';

/** Two nodes on one database and one coin node. One is killed or frozen at a step, and the other one takes over. */
test('payouts of two nodes', { skip: litecoindMissing() }, async (t) => {
  const [world, coinNode] = await Promise.all([startWorld({ after }), startLitecoind({ after })]);
  await connectLitecoin(world, coinNode.access);
  const nodes = await Promise.all([startPayoutNode({ after }, world), startPayoutNode({ after }, world)]);
  const rounds = roundsOn(world, coinNode);
  const otherOf = (node: PayoutNode): PayoutNode => (node === nodes[0] ? nodes[1] : nodes[0]);
  /** Waits until a turn of the node that began after this call has ended. */
  const untilTurned = async (node: PayoutNode, payout: Payout) => {
    const { turnCount } = await node.look();
    await rounds.until(
      payout,
      'the node does not sweep',
      async () => (await node.look()).turnCount > turnCount + 1,
    );
  };
  const untilEnded = async (payout: Payout) => {
    if (payout.id !== null) await rounds.untilEnded(payout);
  };

  for (const step of campaignSteps()) {
    const taker = nodes[randomInt(2)] as PayoutNode;
    await t.test(
      `pays once when a node is killed ${step.replaceAll('_', ' ')} and the other one takes over`,
      () =>
        rounds.play({
          step,
          taker,
          nodes,
          act: 'kill',
          outage: async (victim, payout) => {
            await untilEnded(payout);
            await victim.start();
          },
          afterwards: otherOf(taker),
        }),
    );
  }

  for (const step of campaignSteps()) {
    const taker = nodes[randomInt(2)] as PayoutNode;
    const isEarly = randomInt(3) === 0;
    const when = isEarly ? 'while the other one pays' : 'after the other one paid';
    await t.test(`pays once when a node is frozen ${step.replaceAll('_', ' ')}, and thawed ${when}`, () =>
      rounds.play({
        step,
        taker,
        nodes,
        act: 'stop',
        outage: async (victim, payout) => {
          if (isEarly) await rounds.untilTakenOver(payout);
          else await untilEnded(payout);
          const before = await rounds.readAll();
          victim.thaw();
          await untilTurned(victim, payout);
          if (!isEarly) assert.deepEqual(await rounds.readAll(), before, 'the late node changes nothing');
        },
        afterwards: otherOf(taker),
      }),
    );
  }

  await t.test('are well at the end', async () => {
    for (const node of nodes) assert.deepEqual((await node.look()).troubles, []);
  });
});
