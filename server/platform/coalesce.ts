import { isDatabaseOutage, sqlState } from './database.ts';
import { refuse } from './refusal.ts';

/**
 * Collects concurrent items while a batch is under way and runs them together next, each caller getting its own
 * result. A lone item runs at once, so nothing waits that need not. Under load this turns many round trips and
 * commits into one.
 *
 * When a batch raises, its items run one by one, so that one bad item costs only its own caller. Where the database is
 * away all are told at once: each would wait as long again to find out.
 */
export type CoalesceOptions<Item, Result> = {
  run: (items: Item[]) => Promise<Result[]>;
  itemsMax: number;
  /** Items that may wait; beyond it a caller is refused with `overloaded`. */
  waitingMax: number;
  /** Batches under way at once. */
  batchesMax: number;
  /**
   * With fewer items than this no batch starts beside another: a small batch costs almost as much as a large one.
   * They wait for the other to end, but not for long, should it be stuck.
   */
  besideItemsMin?: number;
};

const HELD_BACK_MS = 10;

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/** Locks are the items' own: of those that run alone only one waits for it. */
const concernsAll = (error: unknown): boolean =>
  isDatabaseOutage(error) && !/^(55P03|40)/.test(sqlState(error) ?? '');

export function coalesce<Item, Result>(
  options: CoalesceOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const { run, itemsMax, waitingMax, batchesMax, besideItemsMin = 1 } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let batchesUnderWay = 0;
  let isHeldBack = false;

  const runAlone = async (one: Waiting<Item, Result>) => {
    try {
      const [result] = await run([one.item]);
      one.resolve(result as Result);
    } catch (error) {
      one.reject(error);
    }
  };
  const runBatch = async (batch: Waiting<Item, Result>[]) => {
    batchesUnderWay += 1;
    try {
      if (batch.length === 1) {
        await runAlone(batch[0] as Waiting<Item, Result>);
        return;
      }
      const results = await run(batch.map((one) => one.item));
      for (const [index, one] of batch.entries()) one.resolve(results[index] as Result);
    } catch (error) {
      if (concernsAll(error)) for (const one of batch) one.reject(error);
      else for (const one of batch) await runAlone(one);
    } finally {
      batchesUnderWay -= 1;
      next();
    }
  };
  const next = () => {
    while (waiting.length > 0 && batchesUnderWay < batchesMax) {
      if (batchesUnderWay > 0 && waiting.length < besideItemsMin) {
        if (!isHeldBack) setTimeout(startHeldBack, HELD_BACK_MS);
        isHeldBack = true;
        return;
      }
      start();
    }
  };
  const start = () => {
    const batch = waiting.slice(0, itemsMax);
    waiting = waiting.slice(itemsMax);
    void runBatch(batch);
  };
  const startHeldBack = () => {
    isHeldBack = false;
    if (waiting.length > 0 && batchesUnderWay < batchesMax) start();
  };
  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= waitingMax) {
        reject(refuse('overloaded'));
        return;
      }
      waiting.push({ item, resolve, reject });
      next();
    });
}
