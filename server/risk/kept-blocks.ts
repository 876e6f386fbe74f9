import type { Platform } from '#platform/platform.ts';
import { sourceOf } from './blocked-values.ts';
import { readBlockedAddresses } from './queries.ts';

/**
 * The blocked addresses, which each node keeps, because every call is held against them. They are read at the start,
 * after each change, and every ten seconds, because a block also ends by its time and news of another node can be lost.
 */
const READ_EVERY_MS = 10_000;

export type KeptBlocks = {
  isBlocked: (address: string) => boolean;
  /** Calls `listener` after the addresses were read and some are new. */
  onNewBlock: (listener: () => void) => void;
  close: () => void;
};

export async function keepBlocks({
  database,
  bus,
  log,
}: Pick<Platform, 'database' | 'bus' | 'log'>): Promise<KeptBlocks> {
  let blocked: ReadonlySet<string> = new Set();
  let reads = 0;
  const listeners: (() => void)[] = [];
  const read = async () => {
    reads += 1;
    const own = reads;
    const found = new Set((await readBlockedAddresses(database)).map(({ value }) => value));
    if (own !== reads) return;
    const isNew = [...found].some((value) => !blocked.has(value));
    blocked = found;
    if (isNew) for (const listener of listeners) listener();
  };
  const readQuietly = () =>
    read().catch((error: Error) => log.warn({ error }, 'the blocked addresses were not read'));
  bus.onWaiting((topics) => {
    if (topics.includes('blocks')) void readQuietly();
  });
  const timer = setInterval(() => void readQuietly(), READ_EVERY_MS).unref();
  await read();
  return {
    isBlocked: (address) => blocked.size > 0 && blocked.has(sourceOf(address) ?? ''),
    onNewBlock: (listener) => void listeners.push(listener),
    close: () => clearInterval(timer),
  };
}
