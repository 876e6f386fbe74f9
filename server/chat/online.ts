import type { readOnlineUsers } from '#contract/chat.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Platform } from '#platform/platform.ts';
import { readOperatorsName } from './operators-names.ts';
import { readFirstNames } from './queries.ts';

type OnlineUsers = ReplyOf<typeof readOnlineUsers>;

/** Every open panel asks each five seconds, so a node reads the names once in this time. */
const KEPT_MS = 2_000;

/** Makes a function that reads who is online, by first name. Operators have the name of the site. */
export function onlineReader(
  platform: Pick<Platform, 'database' | 'presence' | 'settings'>,
  now: () => number = () => performance.now(),
): () => Promise<OnlineUsers> {
  let reading: Promise<OnlineUsers> | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  const read = async () => {
    const operatorsName = await readOperatorsName(platform);
    const members = await readFirstNames(platform.database, platform.presence.online());
    return members.map(({ id, firstName, isOperator }) => ({
      id: String(id),
      firstName: isOperator ? operatorsName : firstName,
    }));
  };
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
