import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goalAfter } from './next-goal.ts';

test('the next goal is above the balance, and a round sum from the smallest withdrawal', () => {
  const goals = [-20n, 0n, 999n, 1_000n, 4_999n, 5_000n, 12_480n, 50_000n].map(goalAfter);
  assert.deepEqual(goals, [1_000n, 1_000n, 1_000n, 5_000n, 5_000n, 10_000n, 50_000n, 100_000n]);
});
