import { EventEmitter } from 'node:events';
import type { ServerEvent } from '#contract/events.ts';
import type { Log } from './log.ts';

/**
 * Carries news of committed changes between the parts of one node and, if REDIS_URL is set, between nodes. News can
 * be lost: a browser then sees the change at its next read. Nothing that must arrive is sent here.
 */
export type News = { memberId: number; event: ServerEvent };

/** The member whose sessions or stored profile changed; null, after an outage, means all members. */
export type SessionChange = { memberId: number | null };

/** Loads the client only if Redis is used, because it takes a tenth of an idle node's memory. */
const connectTo = async (url: string, disableOfflineQueue: boolean) =>
  (await import('redis')).createClient({ url, disableOfflineQueue });
export type Redis = Awaited<ReturnType<typeof connectTo>>;

export type Bus = {
  announce(news: News): void;
  onNews(listener: (news: News) => void): void;
  /**
   * Makes every node read the sessions of a member again: it empties its cache and closes the sockets of ended ones.
   * Ends no session itself.
   */
  announceSessionChange(change: SessionChange): void;
  onSessionChange(listener: (change: SessionChange) => void): void;
  /** The connection for shared limits; null without REDIS_URL. */
  redis: Redis | null;
  close(): Promise<void>;
};

const CHANNEL = 'earnest';

type Envelope = { news: News } | { sessionChange: SessionChange };

function localBus(emitter: EventEmitter): Bus {
  return {
    announce: (news) => emitter.emit('news', news),
    onNews: (listener) => emitter.on('news', listener),
    announceSessionChange: (change) => emitter.emit('session-change', change),
    onSessionChange: (listener) => emitter.on('session-change', listener),
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
  subscriber.on('ready', () => emitter.emit('session-change', { memberId: null } satisfies SessionChange));
  await subscriber.subscribe(CHANNEL, (message) => {
    const envelope = JSON.parse(message) as Envelope;
    if ('news' in envelope) emitter.emit('news', envelope.news);
    else emitter.emit('session-change', envelope.sessionChange);
  });
  const publish = (envelope: Envelope) => {
    redis
      .publish(CHANNEL, JSON.stringify(envelope))
      .catch((error: Error) => log.warn({ error }, 'news not delivered'));
  };
  return {
    announce: (news) => publish({ news }),
    onNews: (listener) => emitter.on('news', listener),
    announceSessionChange: (change) => publish({ sessionChange: change }),
    onSessionChange: (listener) => emitter.on('session-change', listener),
    redis,
    close: async () => {
      await subscriber.close();
      await redis.close();
    },
  };
}
