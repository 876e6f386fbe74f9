import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { litecoindMissing, startLitecoind } from '../../../../test/litecoind.ts';
import { connectLitecoin, startWorld } from '../../../../test/withdrawals-world.ts';
import { testPaymentMethod } from '../../connection.ts';
import { createRailWatch } from '../../rail-watch.ts';

/** Wallets that can't sign are told by the test of the connection and by health, before the first payout waits. */
test('a wallet that can’t sign, on litecoind', { skip: litecoindMissing() }, async (t) => {
  const world = await startWorld({ after }, ['litecoin']);
  const { parts, operator } = world;
  const node = await startLitecoind({ after });
  await connectLitecoin(world, node.access);
  const watch = createRailWatch(parts);

  let loaded = 'payouts';
  const use = async (name: string, options: Record<string, boolean> | null) => {
    await node.call('unloadwallet', { wallet_name: loaded });
    if (options === null) await node.call('loadwallet', { filename: name });
    else await node.call('createwallet', { wallet_name: name, ...options });
    loaded = name;
  };
  /** What the last step of the test says, and what health says. */
  const said = async () => {
    const { steps } = await testPaymentMethod(parts, {
      method: 'litecoin',
      body: undefined,
      operatorId: operator,
    });
    await watch.look();
    const trouble = parts.health.troubles().find(({ name }) => name === 'rail-litecoin')?.trouble;
    return [steps.at(-1)?.name, steps.at(-1)?.ok ? 'well' : steps.at(-1)?.text, trouble ?? 'well'];
  };
  const well = ['payments', 'well', 'well'];

  await t.test('is none of the one that pays', async () => assert.deepEqual(await said(), well));
  await t.test('has no private keys', async () => {
    await use('watching', { disable_private_keys: true });
    const sentence = 'The wallet has no private keys, so it can’t sign. Load the one that pays.';
    assert.deepEqual(await said(), ['wallet', sentence, sentence]);
  });
  await t.test('has no keys at all', async () => {
    await use('empty', { blank: true });
    const sentence =
      'The wallet is blank: it has no keys for change, so it can’t sign. Load the one that pays.';
    assert.deepEqual(await said(), ['wallet', sentence, sentence]);
  });
  await t.test('is locked', async () => {
    await use('payouts', null);
    await node.call('encryptwallet', { passphrase: 'a phrase' });
    const sentence = 'The wallet is locked, so it can’t sign. Unlock it with walletpassphrase.';
    assert.deepEqual(await said(), ['wallet', sentence, sentence]);
    await node.call('walletpassphrase', { passphrase: 'a phrase', timeout: 1_000 });
    assert.deepEqual(await said(), well);
  });
  await t.test('is none that was blank and got a seed', async () => {
    await use('empty', null);
    await node.call('sethdseed');
    assert.deepEqual(await said(), well);
  });
});
