import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitDescription } from './describe.ts';

test('an earning names its provider and its offer', () => {
  assert.deepEqual(splitDescription({ description: 'CPX Research: Grocery: habits', provider: 'cpx' }), {
    provider: 'CPX Research',
    subject: 'Grocery: habits',
  });
});

test('a chargeback names who took back and why', () => {
  assert.deepEqual(
    splitDescription({ description: 'Chargeback: BitLabs: duplicate answer', provider: 'bitlabs' }),
    {
      provider: 'BitLabs',
      subject: 'duplicate answer',
    },
  );
});

test('a description without parts is all there is to say', () => {
  assert.deepEqual(splitDescription({ description: 'Welcome gift', provider: null }), {
    provider: 'Welcome gift',
    subject: '',
  });
});
