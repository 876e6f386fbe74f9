import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isEmail } from './email-text.ts';

it('is an address also for a form in a browser, which asks no schema', () => {
  assert.deepEqual(
    ['kim@예시.한국', ' Kim@Example.com ', 'kim@', 'kim@예시', '김@example.com'].map(isEmail),
    [true, true, false, false, false],
  );
});
