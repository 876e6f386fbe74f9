import type { readOnlineUsers } from '#contract/chat.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Platform } from '#platform/platform.ts';
import { readFirstNames } from './queries.ts';

type OnlineUsers = ReplyOf<typeof readOnlineUsers>;

/** Every open panel asks each five seconds, so a node reads the names once in this time. */
const KEPT_MS = 2_000;

/** Makes a function that reads who is online, by first name. */
export function onlineReader(
  { database, presence }: Pick<Platform, 'database' | 'presence'>,
  now: () => number = () => performance.now(),
): () => Promise<OnlineUsers> {
  let reading: Promise<OnlineUsers> | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  const read = async () =>
    (await readFirstNames(database, presence.online())).map(({ id, firstName }) => ({
      id: String(id),
      firstName,
    }));
  return () => {
    if (reading !== undefined && now() - readAtMs < KEPT_MS) return reading;
    readAtMs = now();
    reading = read();
    // A failed read is not kept: the next caller reads again.
    reading.catch(() => {
      readAtMs = Number.NEGATIVE_INFINITY;
    });
    return reading;
  };
}
