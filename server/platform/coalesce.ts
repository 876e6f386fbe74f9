import { isDatabaseOutage, sqlState } from './database.ts';
import { refuse } from './refusal.ts';

/**
 * Runs concurrent items in batches: items that arrive while a batch is running form the next one. Each caller gets its
 * own result. A single item runs at the end of the current turn of the event loop, so it does not wait. Under load this
 * turns many round trips and commits into one.
 *
 * When a batch fails, its items run one by one, so that a bad item fails only its own caller. When the database is
 * down, all items are rejected at once, because retrying each one would only wait for the same time-out.
 */
export type CoalesceOptions<Item, Result> = {
  run: Run<Item, Result>;
  itemsMax: number;
  /** Items that may wait. Further items are refused with `overloaded`. */
  waitingMax: number;
  /** Batches that may run at the same time. */
  batchesMax: number;
  /**
   * A batch starts beside a running one only with at least this many items, because small batches cost almost as much
   * as large ones. Fewer items wait until the running batch ends, at most `HELD_BACK_MS` in case it is stuck.
   */
  besideItemsMin?: number;
};

type Run<Item, Result> = (items: Item[]) => Promise<Result[]>;

/** The bounds of every kind of statement that takes items of several callers. */
export const BATCHES = { itemsMax: 64, waitingMax: 5_000, batchesMax: 2 };

/** Options for reads. A read joins only a statement that starts after it was asked for, so it is never stale. */
export const READS = { ...BATCHES, besideItemsMin: 8 };

/**
 * A batch starts beside running ones only if it has this share of their average size. Smaller batches cost almost as
 * much as large ones.
 */
const BESIDE_SHARE = 0.8;

const HELD_BACK_MS = 10;

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/**
 * Whether an error of a batch would meet each of its items. A lock that can't be had does not: it belongs to one item,
 * so the others succeed alone.
 */
const isFailureOfAll = (error: unknown): boolean =>
  isDatabaseOutage(error) && !/^(55P03|40)/.test(sqlState(error) ?? '');

async function runAlone<Item, Result>(run: Run<Item, Result>, one: Waiting<Item, Result>): Promise<void> {
  try {
    const [result] = await run([one.item]);
    one.resolve(result as Result);
  } catch (error) {
    one.reject(error);
  }
}

/** Runs a batch and resolves or rejects each item's promise. Never rejects itself. */
async function runBatch<Item, Result>(
  run: Run<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  if (batch.length === 1) return runAlone(run, batch[0] as Waiting<Item, Result>);
  try {
    const results = await run(batch.map((one) => one.item));
    for (const [index, one] of batch.entries()) one.resolve(results[index] as Result);
  } catch (error) {
    if (isFailureOfAll(error)) for (const one of batch) one.reject(error);
    else for (const one of batch) await runAlone(run, one);
  }
}

/** Makes a function that runs each item in a batch with concurrent ones and returns its result. */
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
  /** Waits for the end of this turn of the event loop, so that all items of the turn join the batch. */
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
