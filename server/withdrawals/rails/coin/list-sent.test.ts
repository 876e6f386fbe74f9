import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoinRpc } from './coin-rpc.ts';
import { listSent } from './list-sent.ts';

/** A wallet whose newest entry comes between two pages of its list. */
function growingWallet(entryCount: number): CoinRpc {
  const entry = (number: number) => ({
    category: 'send',
    txid: `tx${number}`,
    vout: 0,
    address: 'an address',
    amount: '-0.01',
    timereceived: 2_000_000_000,
    confirmations: 1,
  });
  const entries = Array.from({ length: entryCount }, (_, number) => entry(number));
  return async (method, params) => {
    if (method === 'getwalletinfo') return { kind: 'result', result: { hdseedid: 'a seed' } };
    const end = entries.length - Number(params.skip);
    const page = entries.slice(Math.max(0, end - Number(params.count)), end);
    entries.push(entry(entries.length));
    return { kind: 'result', result: page };
  };
}

test('counts a payment once that moves on to the next page while the list is read', async () => {
  const listing = await listSent(growingWallet(250), new Date(0));
  assert.equal(listing.kind, 'listed');
  const ids = listing.outputs.map(({ transactionId }) => transactionId);
  assert.equal(ids.length, 250);
  assert.equal(new Set(ids).size, 250);
});
