import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { litecoindMissing, startLitecoind, type TestCoinNode } from '../../../../test/litecoind.ts';
import { startSandboxCoinNode } from '../../../../test/sandbox-coin-node.ts';
import { type Json, parseLosslessly } from '../../lossless-json.ts';
import { amountUnits } from '../../payout-amount.ts';
import { litecoinWallet } from '../litecoin/rail.ts';
import { coinRpc } from './coin-rpc.ts';
import type { SignOutcome } from './wallet.ts';

const nodes = [
  {
    name: 'litecoind',
    skip: litecoindMissing(),
    start: startLitecoind as (t: TestContext) => Promise<TestCoinNode>,
  },
  { name: 'the sandbox’s coin node', skip: false as const, start: startSandboxCoinNode },
];

type Signed = Extract<SignOutcome, { kind: 'signed' }>;

function signed(outcome: SignOutcome): Signed {
  assert(outcome.kind === 'signed', JSON.stringify(outcome));
  return outcome;
}

for (const { name, skip, start } of nodes) {
  test(`a payment through ${name}`, { skip }, async (t) => {
    const node = await start(t);
    const wallet = litecoinWallet(node.access, 'regtest');

    await t.test('pays the address exactly the amount, once for repeated broadcasts', async () => {
      const address = node.foreignAddress();
      const payment = signed(await wallet.sign({ address, coinAmount: '0.01234567' }, []));
      assert.deepEqual(await node.outputsTo(address), [], 'signing alone sends nothing');
      assert.deepEqual(await wallet.status(payment.transactionId), { kind: 'absent' });
      assert.deepEqual(await wallet.broadcast(payment.bytesHex), { kind: 'accepted' });
      assert.deepEqual(await wallet.broadcast(payment.bytesHex), { kind: 'accepted' });
      assert.deepEqual(await wallet.status(payment.transactionId), { kind: 'known', confirmations: 0 });
      await node.mine(1);
      assert.deepEqual(await wallet.broadcast(payment.bytesHex), { kind: 'already-mined' });
      await node.mine(1);
      assert.deepEqual(await wallet.status(payment.transactionId), { kind: 'known', confirmations: 2 });
      assert.deepEqual(await node.outputsTo(address), [
        { transactionId: payment.transactionId, amountUnits: 1_234_567n, confirmations: 2 },
      ]);
      assert(amountUnits(payment.networkFee) > 0n);
    });

    await t.test('has one address to fill the wallet up, also after a restart', async () => {
      const topUpDestination = async () => {
        const state = await wallet.readState();
        assert(state.kind === 'ready' && state.topUpDestination !== null);
        return state.topUpDestination;
      };
      const address = await topUpDestination();
      assert.equal((await wallet.validateAddress(address)).kind, 'refused', 'it is the wallet’s own');
      await node.kill();
      await node.start();
      assert.equal(await topUpDestination(), address);
    });

    await t.test('uses no coin of a signed payment that is not broadcast, also after a restart', async () => {
      const [one, two] = [node.foreignAddress(), node.foreignAddress()];
      const first = signed(await wallet.sign({ address: one, coinAmount: '0.50000000' }, []));
      await node.kill();
      await node.start();
      const second = signed(await wallet.sign({ address: two, coinAmount: '0.50000000' }, first.inputs));
      const spent = new Set(first.inputs.map((input) => `${input.transactionId}:${input.outputIndex}`));
      assert(second.inputs.every((input) => !spent.has(`${input.transactionId}:${input.outputIndex}`)));
      assert.deepEqual(await wallet.broadcast(second.bytesHex), { kind: 'accepted' });
      assert.deepEqual(await wallet.broadcast(first.bytesHex), { kind: 'accepted' });
      await node.mine(1);
      assert.equal((await node.outputsTo(one)).length, 1);
      assert.equal((await node.outputsTo(two)).length, 1);
    });

    await t.test('releases coins that a crash left locked', async () => {
      for (let round = 0; round < 3; round += 1) {
        signed(await wallet.sign({ address: node.foreignAddress(), coinAmount: '0.10000000' }, []));
      }
      const locked = await node.call('listlockunspent');
      assert(Array.isArray(locked));
      assert.equal(locked.length, 1, 'only the coins of the last, unfinished signing are locked');
    });

    await t.test('reports that another payment spent its coins', async () => {
      const address = node.foreignAddress();
      const payment = signed(await wallet.sign({ address, coinAmount: '0.30000000' }, []));
      const rival = await spendElsewhere(node, payment);
      const early = await wallet.broadcast(payment.bytesHex);
      assert.equal(early.kind, 'refused-by-policy', 'the rival is not in a block yet and might never be');
      await node.mine(1);
      const late = await wallet.broadcast(payment.bytesHex);
      assert.equal(late.kind, 'missing-inputs');
      assert.deepEqual(await wallet.status(payment.transactionId), { kind: 'absent' });
      assert.deepEqual(await wallet.status(rival), { kind: 'known', confirmations: 1 });
      assert.partialDeepStrictEqual(await wallet.findRival(payment.inputs, payment.afterBlock, address), {
        kind: 'rival',
        transactionId: rival,
        inputs: payment.inputs,
        depth: 1,
        paidUnits: 0n,
      });
      const other = signed(
        await wallet.sign({ address: node.foreignAddress(), coinAmount: '0.30000000' }, []),
      );
      assert.deepEqual(await wallet.findRival(other.inputs, payment.afterBlock, address), { kind: 'none' });
    });

    await t.test(
      'refuses the wallet’s own address, an MWEB address, an invalid one, and an amount below dust',
      async () => {
        const own = await node.ownAddress();
        const wrong = 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs4';
        const foreign = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';
        for (const address of [own, wrong, foreign]) {
          assert.equal(
            (await wallet.sign({ address, coinAmount: '0.10000000' }, [])).kind,
            'refused',
            address,
          );
        }
        const dust = await wallet.sign({ address: node.foreignAddress(), coinAmount: '0.00000100' }, []);
        assert.deepEqual(dust, { kind: 'refused', reason: 'The amount is too small for the network.' });
      },
    );

    await t.test(
      'answers unavailable if the wallet lacks coins, the chain is another, or the password is wrong',
      async () => {
        const address = node.foreignAddress();
        const tooMuch = await wallet.sign({ address, coinAmount: '1000000.00000000' }, []);
        assert.equal(tooMuch.kind, 'unavailable');
        const mainnet = litecoinWallet(node.access, 'main');
        assert.equal((await mainnet.sign({ address, coinAmount: '0.10000000' }, [])).kind, 'unavailable');
        const stranger = litecoinWallet({ ...node.access, password: 'wrong' }, 'regtest');
        assert.equal((await stranger.sign({ address, coinAmount: '0.10000000' }, [])).kind, 'unavailable');
        assert.equal((await stranger.broadcast('00')).kind, 'unavailable');
      },
    );

    await t.test('distinguishes undecodable bytes from a node that is down', async () => {
      assert.equal((await wallet.broadcast('aa00')).kind, 'undecodable');
      await node.kill();
      assert.deepEqual(await wallet.broadcast('aa00'), {
        kind: 'unavailable',
        reason: 'The node is not reachable.',
      });
      assert.equal((await wallet.status('00'.repeat(32))).kind, 'unknown');
      await node.start();
      assert.deepEqual(await wallet.status('00'.repeat(32)), { kind: 'absent' });
    });
  });
}

test('refuses litecoind’s MWEB address', { skip: litecoindMissing() }, async (t) => {
  const node = await startLitecoind(t);
  const wallet = litecoinWallet(node.access, 'regtest');
  const address = String(await node.call('getnewaddress', { address_type: 'mweb' }));
  assert.deepEqual(await wallet.validateAddress(address), {
    kind: 'refused',
    reason: 'MWEB addresses are not paid.',
  });
});

test('reports a payment as unconfirmed after a reorganisation, and as confirmed in the next block', {
  skip: litecoindMissing(),
}, async (t) => {
  const node = await startLitecoind(t);
  const wallet = litecoinWallet(node.access, 'regtest');
  const address = node.foreignAddress();
  const payment = signed(await wallet.sign({ address, coinAmount: '0.20000000' }, []));
  await wallet.broadcast(payment.bytesHex);
  await node.mine(1);
  assert.deepEqual(await wallet.status(payment.transactionId), { kind: 'known', confirmations: 1 });
  await node.reorganise(1);
  assert.deepEqual(await wallet.status(payment.transactionId), { kind: 'known', confirmations: 0 });
  assert.deepEqual(await wallet.broadcast(payment.bytesHex), { kind: 'accepted' });
  await node.mine(2);
  assert.deepEqual(await wallet.status(payment.transactionId), { kind: 'known', confirmations: 2 });
  assert.equal((await node.outputsTo(address)).length, 1);
});

test('answers unknown if a reply is lost, late, redirected, too long or not JSON', async (t) => {
  const answers: Record<string, (respond: Respond) => void> = {
    reset: ({ response }) => response.socket?.destroy(),
    late: () => {},
    redirect: ({ response }) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    html: ({ response }) => response.writeHead(200).end('<html>'),
    long: ({ response }) => response.writeHead(200).end('"'.padEnd(9 * 1024 * 1024, 'x')),
    empty: ({ response }) => response.writeHead(200).end('{}'),
    busy: ({ response }) => response.writeHead(500).end('Work queue depth exceeded'),
    warming: ({ response }) =>
      response.writeHead(500).end(JSON.stringify({ error: { code: -28, message: 'x' } })),
    denied: ({ response }) => response.writeHead(403).end(),
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => answers[(JSON.parse(body) as { method: string }).method]?.({ response }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const rpc = coinRpc({ host: '127.0.0.1', port, user: 'u', password: 'p', timeoutMs: 300 });
  const kinds: Record<string, string> = {};
  for (const method of Object.keys(answers)) kinds[method] = (await rpc(method, {})).kind;
  assert.deepEqual(kinds, {
    reset: 'unknown',
    late: 'unknown',
    redirect: 'unknown',
    html: 'unknown',
    long: 'unknown',
    empty: 'unknown',
    busy: 'unavailable',
    warming: 'unavailable',
    denied: 'unavailable',
  });
});

test('keeps the numbers of an answer exact', () => {
  assert.deepEqual(
    parseLosslessly('{"a":0.10000000,"b":3,"c":9007199254740993,"d":1e8,"e":-1,"f":"x","g":80.5}'),
    {
      a: '0.10000000',
      b: 3,
      c: '9007199254740993',
      d: '1e8',
      e: -1,
      f: 'x',
      g: '80.5',
    },
  );
  assert.equal(parseLosslessly('{'), undefined);
});

type Respond = { response: import('node:http').ServerResponse };

/** Spends the coins of a signed payment in another payment, without our code. */
async function spendElsewhere(node: TestCoinNode, payment: Signed): Promise<string> {
  const inputs = payment.inputs.map((input) => ({ txid: input.transactionId, vout: input.outputIndex }));
  await node.call('lockunspent', { unlock: true, transactions: inputs });
  const unspent = (await node.call('listunspent')) as unknown as {
    txid: string;
    vout: number;
    amount: Json;
  }[];
  const sum = inputs.reduce((total, input) => {
    const found = unspent.find((one) => one.txid === input.txid && one.vout === input.vout);
    return total + amountUnits(found?.amount);
  }, 0n);
  const amount = `${sum / 100_000_000n - 1n}.99900000`;
  const hexstring = await node.call('createrawtransaction', {
    inputs,
    outputs: [{ [node.foreignAddress()]: amount }],
  });
  const { hex } = (await node.call('signrawtransactionwithwallet', { hexstring })) as { hex: string };
  return String(await node.call('sendrawtransaction', { hexstring: hex, maxfeerate: 0 }));
}
