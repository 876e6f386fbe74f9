import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pagesShown } from './pages.ts';

test('§1-9 sizes of lists: returns the first, the last and the current page plus or minus two', () => {
  assert.deepEqual(pagesShown(7, 20), [1, 'gap', 5, 6, 7, 8, 9, 'gap', 20]);
  assert.deepEqual(pagesShown(1, 20), [1, 2, 3, 'gap', 20]);
  assert.deepEqual(pagesShown(20, 20), [1, 'gap', 18, 19, 20]);
  assert.deepEqual(pagesShown(1, 1), [1]);
  assert.deepEqual(pagesShown(3, 5), [1, 2, 3, 4, 5]);
});
