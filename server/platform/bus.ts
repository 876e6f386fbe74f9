import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { ServerEvent } from '#contract/events.ts';
import { sentence } from '#contract/operator-sentences.ts';
import type { Log } from './log.ts';
import { type CountingClient, countingClient, openRedis } from './redis.ts';

/**
 * Carries news of committed changes between the parts of one node and, if REDIS_URL is set, between nodes. A node's own
 * parts hear its news at once, so an outage of Redis only hides the news of other nodes. News can be lost: a browser
 * then sees the change at its next read. Nothing that must arrive is sent here.
 */
export type News = { memberId: number; event: ServerEvent };

/** The member whose sessions or stored profile changed; null, after an outage, means all members. */
export type SessionChange = { memberId: number | null };

export type Bus = {
  announce(news: News): void;
  onNews(listener: (news: News) => void): void;
  /**
   * Makes every node read the sessions of a member again: it empties its cache and closes the sockets of ended ones.
   * Ends no session itself.
   */
  announceSessionChange(change: SessionChange): void;
  onSessionChange(listener: (change: SessionChange) => void): void;
  /** The commands for shared limits; null without REDIS_URL. */
  redis: CountingClient | null;
  close(): Promise<void>;
};

/** Called with what is wrong with Redis, and with undefined when it is well again. */
export type ReportRedis = (trouble: string | undefined) => void;

const PROBE_KEPT_S = 60;
/** A start waits this long for Redis, so that a node usually joins the others before its first call. */
const START_MS_MAX = 1_000;

type Message = { news: News } | { sessionChange: SessionChange };
type Envelope = Message & { from: string };

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

/**
 * Redis or Valkey, and the name of the site. Channel and keys begin with `earnest:` and the name, because several sites
 * may use one Redis. Channels have no number of a database that could keep them apart.
 */
export type SharedRedis = { url: string; site: string };

/** The bus of this node: in process, or also through Redis. */
export async function createBus(
  redis: SharedRedis | null,
  log: Log,
  report: ReportRedis = () => {},
): Promise<Bus> {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(100);
  const local = localBus(emitter);
  return redis === null ? local : connectNodes(redis, local, log, report);
}

const everyMember: SessionChange = { memberId: null };

async function connectNodes(
  { url, site }: SharedRedis,
  local: Bus,
  log: Log,
  report: ReportRedis,
): Promise<Bus> {
  const channel = `earnest:${site}`;
  const from = randomUUID();
  const noteChange = createReporter(log, report);

  /** Whether another node may not have heard that a session changed. */
  let hasMissedChange = false;
  const commands = await openRedis(url, {
    log,
    // A write, because a Redis that only reads can't count.
    probe: (client) => client.set(`${channel}:probe`, '', { EX: PROBE_KEPT_S }),
    onChange: (isAnswering, reason) => {
      noteChange(isAnswering && commands.isAnswering() && listening.isAnswering(), reason);
      if (isAnswering && hasMissedChange) publish({ sessionChange: everyMember });
    },
  });
  const publish = (message: Message) => {
    const text = JSON.stringify({ ...message, from } satisfies Envelope);
    if ('sessionChange' in message) hasMissedChange = false;
    commands
      .ask((client) => client.publish(channel, text))
      .catch((error: Error) => {
        if ('sessionChange' in message) hasMissedChange = true;
        log.debug({ error }, 'other nodes did not get the news');
      });
  };

  const hear = (text: string) => {
    const envelope = JSON.parse(text) as Envelope;
    if (envelope.from === from) return;
    if ('news' in envelope) local.announce(envelope.news);
    else local.announceSessionChange(envelope.sessionChange);
  };
  let isSubscribed = false;
  const listening = await openRedis(url, {
    log,
    probe: async (client) => {
      // After a lost connection the client subscribes again by itself.
      if (!isSubscribed) await client.subscribe(channel, hear);
      isSubscribed = true;
      await client.ping();
    },
    onChange: (isAnswering, reason) => {
      noteChange(isAnswering && commands.isAnswering() && listening.isAnswering(), reason);
      // News sent during an outage is lost, so any cached session may be stale. Drop all of them.
      if (isAnswering) local.announceSessionChange(everyMember);
    },
  });

  await Promise.all([commands.start(START_MS_MAX), listening.start(START_MS_MAX)]);
  return {
    ...local,
    announce: (news) => {
      local.announce(news);
      publish({ news });
    },
    announceSessionChange: (sessionChange) => {
      local.announceSessionChange(sessionChange);
      publish({ sessionChange });
    },
    redis: countingClient(commands, `${channel}:`),
    close: async () => void (await Promise.all([commands.close(), listening.close()])),
  };
}

const TROUBLE = sentence('redis-silent');

/** Makes a function that reports when Redis stops to answer, and when it answers again on both connections. */
function createReporter(log: Log, report: ReportRedis) {
  let wasAnswering: boolean | undefined;
  return (isAnswering: boolean, error?: Error): void => {
    // Without an error one connection answers, and the other does not yet.
    if (wasAnswering === isAnswering || (!isAnswering && error === undefined)) return;
    wasAnswering = isAnswering;
    report(isAnswering ? undefined : TROUBLE);
    if (!isAnswering) log.warn({ error }, 'Redis failed');
  };
}
