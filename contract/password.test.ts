import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPassword, typedPassword } from './password.ts';
import { isSamePassword, isShortPassword } from './password-text.ts';

test('counts and compares a password in one form of its characters', () => {
  assert.equal(isShortPassword('조용한강'.normalize('NFD')), true);
  assert.equal(isShortPassword('조용한 강가'.normalize('NFD')), false);
  assert.equal(isSamePassword('조용한 강가'.normalize('NFD'), '조용한 강가'), true);
  assert.equal(isSamePassword('조용한 강가', '조용한  강가'), false);
});

test('takes 256 characters in any form, and refuses a letter with thousands of accents at once', () => {
  const longest = '강'.repeat(256).normalize('NFD');
  const marks = `a${'\u0301'.repeat(15_000)}${'\u0316'.repeat(15_000)}`;
  for (const schema of [newPassword, typedPassword]) {
    assert.equal(schema.safeParse(longest).success, true);
    assert.equal(schema.safeParse(`${longest}x`).success, false);
    const { user } = process.cpuUsage();
    assert.equal(schema.safeParse(marks).error?.issues[0]?.message, 'At most 256 characters');
    assert.ok(process.cpuUsage({ user, system: 0 }).user < 200_000, 'sorting the accents takes seconds');
  }
});
