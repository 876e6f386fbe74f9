import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { coalesce } from './coalesce.ts';
import { Refusal } from './refusal.ts';

describe('coalesce', () => {
  it('runs items that arrive during a batch together, each with its own result', async () => {
    const sizes: number[] = [];
    const double = coalesce<number, number>({
      itemsMax: 8,
      waitingMax: 100,
      batchesMax: 1,
      run: async (items) => {
        sizes.push(items.length);
        await sleep(5);
        return items.map((item) => item * 2);
      },
    });
    const results = await Promise.all(Array.from({ length: 20 }, (_, index) => double(index)));
    assert.deepEqual(
      results,
      Array.from({ length: 20 }, (_, index) => index * 2),
    );
    assert.deepEqual(sizes, [8, 8, 4], 'what one turn brings goes together');
  });
  it('holds few items back while a batch runs, but not behind a stuck one', async () => {
    const sizes: number[] = [];
    const stuck = Promise.withResolvers<void>();
    const echo = coalesce<number, number>({
      itemsMax: 8,
      waitingMax: 100,
      batchesMax: 2,
      besideItemsMin: 4,
      run: async (items) => {
        sizes.push(items.length);
        if (items.includes(0)) await stuck.promise;
        return items;
      },
    });
    const first = echo(0);
    await turn();
    const few = [1, 2, 3].map(echo);
    await turn();
    assert.deepEqual(sizes, [1]);
    await Promise.all(few);
    assert.deepEqual(sizes, [1, 3]);
    await Promise.all([4, 5, 6, 7].map(echo));
    assert.deepEqual(sizes, [1, 3, 4]);
    stuck.resolve();
    await first;
  });
  it('holds items back while they are far fewer than the running ones', async () => {
    const sizes: number[] = [];
    const ends: (() => void)[] = [];
    const echo = coalesce<number, number>({
      itemsMax: 64,
      waitingMax: 100,
      batchesMax: 2,
      run: async (items) => {
        sizes.push(items.length);
        await new Promise<void>((done) => ends.push(done));
        return items;
      },
    });
    const first = Array.from({ length: 10 }, (_, index) => echo(index));
    await turn();
    const seven = Array.from({ length: 7 }, (_, index) => echo(index));
    await turn();
    assert.deepEqual(sizes, [10]);
    const eighth = echo(8);
    await turn();
    assert.deepEqual(sizes, [10, 8]);
    for (const end of ends) end();
    await Promise.all([...first, ...seven, eighth]);
  });
  it('rejects only the bad item of a batch', async () => {
    const run = async (items: number[]) => {
      await sleep(1);
      if (items.includes(3)) throw new Error('bad item');
      return items;
    };
    const one = coalesce<number, number>({ itemsMax: 10, waitingMax: 100, batchesMax: 1, run });
    const settled = await Promise.allSettled([0, 1, 2, 3, 4].map((item) => one(item)));
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    );
  });
  it('rejects all items of a batch when the database is down', async () => {
    let runs = 0;
    const run = async (): Promise<number[]> => {
      runs += 1;
      await sleep(1);
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    };
    const one = coalesce<number, number>({ itemsMax: 10, waitingMax: 100, batchesMax: 1, run });
    const first = one(0);
    await turn();
    const settled = await Promise.allSettled([first, ...[1, 2, 3, 4].map((item) => one(item))]);
    assert.ok(settled.every((each) => each.status === 'rejected' && each.reason.code === 'ECONNREFUSED'));
    assert.equal(runs, 2, 'the first, and the batch of those that waited for it');
  });
  it('refuses items when too many wait, with Retry-After', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const one = coalesce<number, number>({
      itemsMax: 1,
      waitingMax: 2,
      batchesMax: 1,
      run: async (items) => {
        await promise;
        return items;
      },
    });
    const first = one(1);
    await turn();
    const waiting = [first, one(2), one(3)];
    await assert.rejects(one(4), (error) => {
      assert.ok(error instanceof Refusal && error.code === 'overloaded');
      return error.retryAfterS !== null && error.retryAfterS > 0;
    });
    resolve();
    assert.deepEqual(await Promise.all(waiting), [1, 2, 3]);
  });
});
