import { isDatabaseOutage, sqlState } from './database.ts';
import { refuse } from './refusal.ts';

/**
 * Collects concurrent items while a batch is under way and runs them together next, each caller getting its own
 * result. A lone item runs at the end of the turn that brought it, so nothing waits that need not. Under load this
 * turns many round trips and commits into one.
 *
 * When a batch raises, its items run one by one, so that one bad item costs only its own caller. Where the database is
 * away all are told at once: each would wait as long again to find out.
 */
export type CoalesceOptions<Item, Result> = {
  run: Run<Item, Result>;
  itemsMax: number;
  /** Items that may wait; beyond it a caller is refused with `overloaded`. */
  waitingMax: number;
  /** Batches under way at once. */
  batchesMax: number;
  /**
   * With fewer items than this no batch starts beside another, nor with far fewer than those under way have: a small
   * batch costs almost as much as a large one. They wait for the other to end, but not for long, should it be stuck.
   */
  besideItemsMin?: number;
};

type Run<Item, Result> = (items: Item[]) => Promise<Result[]>;

/** For reads: those that come while others are under way are one statement, which begins after they came. */
export const READS = { itemsMax: 64, waitingMax: 5_000, batchesMax: 2, besideItemsMin: 8 };

/** Of the average batch under way. Two that take turns come out about as large as each other. */
const BESIDE_SHARE = 0.8;

const HELD_BACK_MS = 10;

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/** Locks are the items' own: of those that run alone only one waits for it. */
const concernsAll = (error: unknown): boolean =>
  isDatabaseOutage(error) && !/^(55P03|40)/.test(sqlState(error) ?? '');

async function runAlone<Item, Result>(run: Run<Item, Result>, one: Waiting<Item, Result>): Promise<void> {
  try {
    const [result] = await run([one.item]);
    one.resolve(result as Result);
  } catch (error) {
    one.reject(error);
  }
}

/** Runs a batch and tells each caller. Never rejects. */
async function runBatch<Item, Result>(
  run: Run<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  if (batch.length === 1) return runAlone(run, batch[0] as Waiting<Item, Result>);
  try {
    const results = await run(batch.map((one) => one.item));
    for (const [index, one] of batch.entries()) one.resolve(results[index] as Result);
  } catch (error) {
    if (concernsAll(error)) for (const one of batch) one.reject(error);
    else for (const one of batch) await runAlone(run, one);
  }
}

export function coalesce<Item, Result>(
  options: CoalesceOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const { run, itemsMax, waitingMax, batchesMax, besideItemsMin = 1 } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let batchesUnderWay = 0;
  let itemsUnderWay = 0;
  let isStarting = false;
  let isHeldBack = false;

  const start = async () => {
    const batch = waiting.slice(0, itemsMax);
    waiting = waiting.slice(itemsMax);
    batchesUnderWay += 1;
    itemsUnderWay += batch.length;
    await runBatch(run, batch);
    batchesUnderWay -= 1;
    itemsUnderWay -= batch.length;
    startSoon();
  };
  const mayStart = () => waiting.length > 0 && batchesUnderWay < batchesMax;
  const isEnough = () =>
    batchesUnderWay === 0 ||
    waiting.length >= Math.max(besideItemsMin, (BESIDE_SHARE * itemsUnderWay) / batchesUnderWay);
  const startHeldBack = () => {
    isHeldBack = false;
    if (mayStart()) void start();
  };
  const startReady = () => {
    isStarting = false;
    while (mayStart() && isEnough()) void start();
    if (!mayStart() || isHeldBack) return;
    isHeldBack = true;
    setTimeout(startHeldBack, HELD_BACK_MS);
  };
  /** At the end of this turn of the event loop, so that what the same turn brings goes along. */
  const startSoon = () => {
    if (!isStarting) setImmediate(startReady);
    isStarting = true;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= waitingMax) {
        reject(refuse('overloaded'));
        return;
      }
      waiting.push({ item, resolve, reject });
      startSoon();
    });
}
