import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paginationOf } from '#contract/pages.ts';
import { readInPages, readRowByRow } from './pages.ts';

const listOf = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

async function read(count: number, limit: number) {
  const asked: (number | undefined)[] = [];
  const readAfter = async (last: number | undefined, rows: number) => {
    asked.push(last);
    return listOf(count).slice(last ?? 0, (last ?? 0) + rows);
  };
  const pages = await Array.fromAsync(readInPages(readAfter, limit));
  assert.deepEqual(await Array.fromAsync(readRowByRow(readAfter, limit)), listOf(count));
  return { pages, asked: asked.slice(0, asked.length / 2) };
}

test('reads all rows in order, and stops at the first page that is not full', async () => {
  assert.deepEqual(await read(0, 2), { pages: [], asked: [undefined] });
  assert.deepEqual(await read(1, 2), { pages: [[1]], asked: [undefined] });
  assert.deepEqual(await read(2, 2), { pages: [[1, 2]], asked: [undefined, 2] });
  assert.deepEqual(await read(5, 2), { pages: [[1, 2], [3, 4], [5]], asked: [undefined, 2, 4] });
});

test('counts pages, at least one', () => {
  const pagesOf = (totalCount: number) => paginationOf({ page: 1, limit: 10 }, totalCount).totalPages;
  assert.deepEqual([0, 1, 10, 11].map(pagesOf), [1, 1, 1, 2]);
  assert.deepEqual(paginationOf({ page: 2, limit: 10 }, 11), {
    page: 2,
    totalPages: 2,
    totalCount: 11,
    limit: 10,
  });
});
