import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wall } from './wall.ts';

test('sends credits and rejections with each generation’s own parameters', () => {
  for (const [form, names] of [
    ['new', { user_id: true, subId: false }],
    ['old', { user_id: false, uuid: true }],
  ] as const)
    for (const action of ['complete', 'reverse'] as const) {
      const { query } = wall.postback(
        'https://h/p',
        {
          action,
          form,
          memberRef: '123456789',
          transactionId: 'W-1',
          points: 300n,
          offer: { id: '5104', title: 'Recipe Box' },
          memberAddress: '203.0.113.24',
        },
        'secret',
      );
      for (const [name, isThere] of Object.entries(names))
        assert.equal(new URLSearchParams(query).has(name), isThere, `${form} ${action} ${name}`);
    }
});
