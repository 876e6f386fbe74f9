import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullNameOf } from './full-name.ts';

test('writes a Korean name family name first without a space, and others first name first', () => {
  assert.equal(fullNameOf({ firstName: '하은', lastName: '최' }), '최하은');
  assert.equal(fullNameOf({ firstName: 'Mina', lastName: 'Kim' }), 'Mina Kim');
  assert.equal(fullNameOf({ firstName: '하은', lastName: 'Choi' }), '하은 Choi');
  assert.equal(fullNameOf({ firstName: 'Mina', lastName: '김' }), 'Mina 김');
});

test('shows a single name as it is', () => {
  assert.equal(fullNameOf({ firstName: '하은', lastName: null }), '하은');
  assert.equal(fullNameOf({ firstName: 'Mina', lastName: '' }), 'Mina');
});
