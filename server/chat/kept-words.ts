import type { Platform } from '#platform/platform.ts';
import { countBlocked, readWords } from './queries.ts';
import { createWordFilter, type WordFilter } from './words.ts';

/**
 * The filter of banned words, kept by each node for a second, because making one costs more than a message. A change
 * of this node counts at once, one of another node within the second.
 */
const KEPT_MS = 1_000;

export type KeptWords = {
  /** Finds a banned word in a message, and how the message was read. */
  find(message: string): Promise<ReturnType<WordFilter['find']>>;
  /** Finds one as `find` does, and counts that it stopped a message. */
  stop(message: string): Promise<ReturnType<WordFilter['find']>>;
  /** Makes this node read the words again, because it has changed them. */
  forget(): void;
};

export function keepWords(
  { database }: Pick<Platform, 'database'>,
  now: () => number = () => performance.now(),
): KeptWords {
  let filter = createWordFilter([]);
  let knownIds = '';
  let readAtMs = Number.NEGATIVE_INFINITY;
  const fresh = async (): Promise<WordFilter> => {
    if (now() - readAtMs < KEPT_MS) return filter;
    const startedAtMs = now();
    const words = await readWords(database);
    // A word never changes, so the ids tell whether the list did.
    const ids = words.map(({ id }) => id).join();
    if (ids !== knownIds) filter = createWordFilter(words);
    knownIds = ids;
    readAtMs = startedAtMs;
    return filter;
  };
  const find = async (message: string) => (await fresh()).find(message);
  return {
    find,
    stop: async (message) => {
      const found = await find(message);
      if (found !== null) await countBlocked(database, found.word.id);
      return found;
    },
    forget: () => {
      readAtMs = Number.NEGATIVE_INFINITY;
    },
  };
}
