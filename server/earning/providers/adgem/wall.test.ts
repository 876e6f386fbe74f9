import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wall } from './wall.ts';

test('signs the URL of a GET, and sends a POST without a query', () => {
  for (const action of ['complete', 'reverse'] as const) {
    const call = {
      action,
      memberRef: '123456789',
      transactionId: 'tx-1',
      points: 300n,
      offer: { id: '9021', title: 'Dune Settlers' },
      memberAddress: '203.0.113.24',
    };
    const { query } = wall.postback('https://h/p', { ...call, form: 'get' }, 'secret');
    assert.equal(new URLSearchParams(query).get('verifier')?.length, 64);
    const posted = wall.postback('https://h/p', { ...call, form: 'post' }, 'secret');
    assert.deepEqual([posted.method, posted.query], ['POST', '']);
  }
});
