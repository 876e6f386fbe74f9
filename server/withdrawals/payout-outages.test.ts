import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { litecoindMissing, startLitecoind } from '../../test/litecoind.ts';
import { nodeLimits, type PayoutNode, startPayoutNode } from '../../test/payout-node.ts';
import { campaignSteps, type Payout, roundsOn } from '../../test/payout-round.ts';
import { startDatabaseProxy } from '../../test/tcp-proxy.ts';
import { connectLitecoin, startWorld } from '../../test/withdrawals-world.ts';
import type { Failpoint } from './failpoint.ts';

/** What a node depends on falls silent at a step of a payout, for longer than the limits of its calls. */
/** An outage begins while the node stands at the step, or while it works at the next one. */
const lateMs = () => (randomInt(2) === 0 ? 0 : randomInt(1, 40));
const namesOf = (step: Failpoint, ms: number) =>
  `${step.replaceAll('_', ' ')}${ms === 0 ? '' : `, ${ms} ms later`}`;

test('payouts whose outside parties fall silent', { skip: litecoindMissing() }, async (t) => {
  const [world, coinNode] = await Promise.all([startWorld({ after }), startLitecoind({ after })]);
  await connectLitecoin(world, coinNode.access);
  const proxy = await startDatabaseProxy({ after }, world.appUrl);
  // The server ends a transaction that hangs, and frees its rows, after 1 s instead of 10 s.
  const options = '-c idle_in_transaction_session_timeout=1000';
  const url = Object.assign(new URL(proxy.url), { search: `?options=${encodeURIComponent(options)}` }).href;
  const node = await startPayoutNode({ after }, world, url);
  const rounds = roundsOn(world, coinNode);

  const play = (step: Failpoint, outage: (victim: PayoutNode, payout: Payout) => Promise<void>) =>
    rounds.play({ step, taker: node, nodes: [node], act: 'stop', outage, afterwards: node });

  for (const step of campaignSteps()) {
    const ms = lateMs();
    await t.test(`pays once when the coin’s node is frozen ${namesOf(step, ms)}`, () =>
      play(step, async (victim, payout) => {
        if (ms > 0) victim.thaw();
        await sleep(ms);
        await coinNode.freeze();
        victim.thaw();
        await sleep(nodeLimits.rpcTimeoutMs + 100);
        const isCalled = ms === 0 && !['after_hold', 'after_approve', 'after_confirm'].includes(step);
        if (isCalled && !payout.isRefused)
          await rounds.until(
            payout,
            'the payout does not say that the node is silent',
            async () => /did not answer in time/.test((await rounds.rowOf(payout.id ?? ''))?.trouble ?? ''),
            false,
          );
        await coinNode.thaw();
      }),
    );
  }

  for (const step of campaignSteps()) {
    const ms = lateMs();
    await t.test(`pays once when the database swallows everything ${namesOf(step, ms)}`, () =>
      play(step, async (victim, payout) => {
        if (ms > 0) victim.thaw();
        await sleep(ms);
        proxy.freeze();
        victim.thaw();
        const isSilent = async () => (await victim.look()).troubles.includes('database');
        await rounds.until(payout, 'the node does not find the database silent', isSilent);
        proxy.heal();
        const isWell = async () => (await victim.look()).troubles.length === 0;
        await rounds.until(payout, 'the node does not find the database well', isWell);
      }),
    );
  }

  await t.test('ended every payout, and told nothing but that', async () => {
    assert.deepEqual((await node.look()).troubles, []);
  });
});
