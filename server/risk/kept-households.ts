import type { Platform } from '#platform/platform.ts';
import { listAllMembers } from './household-queries.ts';

/**
 * Who is in a household, which each node keeps, so that the credits of all others ask nothing. It only chooses who is
 * asked: the database decides. Another node knows of a new member after ten seconds.
 */
const READ_EVERY_MS = 10_000;

export type KeptHouseholds = {
  has: (memberId: number) => boolean;
  /** Somebody joined on this node. */
  add: (memberId: number) => void;
  close: () => void;
};

export async function keepHouseholds({
  database,
  log,
}: Pick<Platform, 'database' | 'log'>): Promise<KeptHouseholds> {
  let members: ReadonlySet<number> = new Set();
  const joined = new Set<number>();
  const read = async () => {
    const before = [...joined];
    members = new Set((await listAllMembers(database)).map(({ id }) => id));
    for (const id of before) joined.delete(id);
  };
  const readQuietly = () =>
    read().catch((error: Error) => log.warn({ error }, 'the households were not read'));
  const timer = setInterval(() => void readQuietly(), READ_EVERY_MS).unref();
  await read();
  return {
    has: (memberId) => members.has(memberId) || joined.has(memberId),
    add: (memberId) => void joined.add(memberId),
    close: () => clearInterval(timer),
  };
}
