import { EventEmitter } from 'node:events';
import type { ServerEvent } from '#contract/events.ts';
import type { Log } from './log.ts';

/**
 * Carries news of committed changes between the parts of one node and, if REDIS_URL is set, between nodes. News can
 * be lost: a browser then sees the change at its next read. Nothing that must arrive is sent here.
 */
export type News = { memberId: number; event: ServerEvent };

/** Nodes drop their cached sessions of this member; null, after an outage, means of all members. */
export type SessionEnd = { memberId: number | null };

/** Loads the client only if Redis is used, because it takes a tenth of an idle node's memory. */
const connectTo = async (url: string, disableOfflineQueue: boolean) =>
  (await import('redis')).createClient({ url, disableOfflineQueue });
export type Redis = Awaited<ReturnType<typeof connectTo>>;

export type Bus = {
  announce(news: News): void;
  onNews(listener: (news: News) => void): void;
  /** Makes every node drop its cached sessions of a member and close the sockets of ended sessions. */
  endSessions(end: SessionEnd): void;
  onSessionEnd(listener: (end: SessionEnd) => void): void;
  /** The connection for shared limits; null without REDIS_URL. */
  redis: Redis | null;
  close(): Promise<void>;
};

const CHANNEL = 'earnest';

type Envelope = { news: News } | { sessionEnd: SessionEnd };

function localBus(emitter: EventEmitter): Bus {
  return {
    announce: (news) => emitter.emit('news', news),
    onNews: (listener) => emitter.on('news', listener),
    endSessions: (end) => emitter.emit('session-end', end),
    onSessionEnd: (listener) => emitter.on('session-end', listener),
    redis: null,
    close: async () => {},
  };
}

/** The bus of this node: in process, or through Redis or Valkey by `redisUrl`. */
export async function createBus(redisUrl: string | null, log: Log): Promise<Bus> {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(100);
  if (redisUrl === null) return localBus(emitter);

  const redis = await connectTo(redisUrl, true);
  const subscriber = await connectTo(redisUrl, false);
  for (const client of [redis, subscriber]) {
    client.on('error', (error: Error) => log.warn({ error }, 'Redis does not answer'));
    await client.connect();
  }
  // News sent during an outage is lost, so any cached session may be stale. Drop all of them.
  subscriber.on('ready', () => emitter.emit('session-end', { memberId: null } satisfies SessionEnd));
  await subscriber.subscribe(CHANNEL, (message) => {
    const envelope = JSON.parse(message) as Envelope;
    if ('news' in envelope) emitter.emit('news', envelope.news);
    else emitter.emit('session-end', envelope.sessionEnd);
  });
  const publish = (envelope: Envelope) => {
    redis
      .publish(CHANNEL, JSON.stringify(envelope))
      .catch((error: Error) => log.warn({ error }, 'news not delivered'));
  };
  return {
    announce: (news) => publish({ news }),
    onNews: (listener) => emitter.on('news', listener),
    endSessions: (end) => publish({ sessionEnd: end }),
    onSessionEnd: (listener) => emitter.on('session-end', listener),
    redis,
    close: async () => {
      await subscriber.close();
      await redis.close();
    },
  };
}
