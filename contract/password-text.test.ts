import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSamePassword, isShortPassword } from './password-text.ts';

test('counts and compares a password in one form of its characters', () => {
  assert.equal(isShortPassword('조용한강'.normalize('NFD')), true);
  assert.equal(isShortPassword('조용한 강가'.normalize('NFD')), false);
  assert.equal(isSamePassword('조용한 강가'.normalize('NFD'), '조용한 강가'), true);
  assert.equal(isSamePassword('조용한 강가', '조용한  강가'), false);
});
