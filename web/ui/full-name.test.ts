import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullNameOf } from './full-name.ts';

test('puts the family name first in Korean, and the first name first otherwise', () => {
  assert.equal(fullNameOf({ firstName: '하은', lastName: '최' }), '최하은');
  assert.equal(fullNameOf({ firstName: 'Mina', lastName: 'Kim' }), 'Mina Kim');
  assert.equal(fullNameOf({ firstName: '하은', lastName: null }), '하은');
});
