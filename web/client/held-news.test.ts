import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliverNews, holdNews, isNewsHeld } from './held-news.ts';

test('delivers news at once, or in order after the last release', () => {
  const delivered: number[] = [];
  const announce = (news: number) => deliverNews(() => delivered.push(news));
  announce(1);
  assert.deepEqual(delivered, [1]);
  const [first, second] = [holdNews(), holdNews()];
  announce(2);
  first();
  first();
  announce(3);
  assert.deepEqual([delivered, isNewsHeld()], [[1], true]);
  second();
  assert.deepEqual([delivered, isNewsHeld()], [[1, 2, 3], false]);
});
