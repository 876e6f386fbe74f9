/**
 * Attempts at a secret. They count before they are made, so that concurrent ones on any number of nodes can't exceed a
 * limit. `Count` names a limit and what it counts by.
 */
type Counting<Count> = {
  /** @throws Refusal `rate-limited` */
  count(one: Count): Promise<void>;
  giveBack(one: Count): Promise<void>;
  reset(one: Count): Promise<void>;
};

/**
 * Runs an attempt; `attempt` returns undefined if it failed. It counts by `first` and `others`. Only failures stay
 * counted: an error is given back, and a success also resets `first`. A node runs the attempts of one first count in
 * turn, so that concurrent right ones do not exceed its limit.
 * @throws Refusal `rate-limited`
 */
export type Attempt<Count> = <T>(
  first: Count,
  others: readonly Count[],
  attempt: () => Promise<T | undefined>,
) => Promise<T | undefined>;

export function createAttempts<Count>({ count, giveBack, reset }: Counting<Count>): Attempt<Count> {
  const runSerially = serializeByKey();
  return (first, others, attempt) =>
    runSerially(JSON.stringify(first), async () => {
      const counted: Count[] = [];
      try {
        for (const one of [first, ...others]) {
          await count(one);
          counted.push(one);
        }
        const result = await attempt();
        if (result === undefined) return undefined;
        await reset(first);
        for (const one of others) await giveBack(one);
        return result;
      } catch (error) {
        for (const one of counted) await giveBack(one);
        throw error;
      }
    });
}

/** Makes a function that runs work of the same key one after the other, in the order of the calls. */
function serializeByKey(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lastByKey = new Map<string, Promise<void>>();
  return async (key, work) => {
    const result = (lastByKey.get(key) ?? Promise.resolve()).then(work);
    // The next work waits for the end of this one, whether it succeeds or fails.
    const end = result.then(
      () => undefined,
      () => undefined,
    );
    lastByKey.set(key, end);
    try {
      return await result;
    } finally {
      if (lastByKey.get(key) === end) lastByKey.delete(key);
    }
  };
}
