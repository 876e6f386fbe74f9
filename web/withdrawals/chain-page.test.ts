import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainPageOf } from './chain-page.ts';

test('the page of a payment names its transaction, and nothing else of the address changes', () => {
  const explorer = 'https://explorer.example/tx/{reference}';
  assert.equal(chainPageOf({ txId: '4be1' }, { explorer }), 'https://explorer.example/tx/4be1');
  assert.equal(
    chainPageOf({ txId: '$&/../x?y' }, { explorer }),
    'https://explorer.example/tx/%24%26%2F..%2Fx%3Fy',
  );
  assert.equal(chainPageOf({ txId: null }, { explorer }), null);
  assert.equal(chainPageOf({ txId: '4be1' }, { explorer: null }), null, 'a chain of its own');
});
