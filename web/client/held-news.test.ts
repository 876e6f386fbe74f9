import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdNews, isNewsHeld, whenNewsIsFree } from './held-news.ts';

test('news is heard at once, and in its order after the last holder let go', () => {
  const heard: number[] = [];
  const tell = (news: number) => whenNewsIsFree(() => heard.push(news));
  tell(1);
  assert.deepEqual(heard, [1]);
  const [first, second] = [holdNews(), holdNews()];
  tell(2);
  first();
  first();
  tell(3);
  assert.deepEqual([heard, isNewsHeld()], [[1], true]);
  second();
  assert.deepEqual([heard, isNewsHeld()], [[1, 2, 3], false]);
});
