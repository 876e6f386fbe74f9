import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { ServerEvent, WaitingTopic } from '#contract/events.ts';
import { sentence } from '#contract/operator-sentences.ts';
import type { Log } from './log.ts';
import { type CountingClient, countingClient, openRedis, type RedisClient } from './redis.ts';

/**
 * Carries news of committed changes between the parts of one node and, if REDIS_URL is set, between nodes. A node's own
 * parts hear its news at once, so an outage of Redis only hides the news of other nodes. News can be lost: a browser
 * then sees the change at its next read. Nothing that must arrive is sent here.
 */
export type News = { memberId: number; event: ServerEvent };

/** An event of a chat channel, for its readers. `ownerId`: whose ticket it belongs to; null: the general channel. */
export type ChannelNews = { ownerId: number | null; event: ServerEvent };

/** What one node tells the others of who is online at it. `presence.ts` makes and reads it. */
export type PresenceNews = {
  node: string;
  /** `came` is everybody who is online there, and whoever is not in it is not. */
  isWhole: boolean;
  came: number[];
  went: number[];
  /** Who said to be offline, and who is online again by a call or a new socket. */
  hidden: number[];
  shown: number[];
};

/** The member whose sessions or stored profile changed; null, after an outage, means all members. */
export type SessionChange = { memberId: number | null };

export type Bus = {
  announce(news: News): void;
  onNews(listener: (news: News) => void): void;
  announceChannel(news: ChannelNews): void;
  onChannel(listener: (news: ChannelNews) => void): void;
  /** Tells it to all members. */
  announceToAll(event: ServerEvent): void;
  onNewsForAll(listener: (event: ServerEvent) => void): void;
  /** Tells it to the other nodes alone. */
  tellPresence(news: PresenceNews): void;
  /** Tells it to the parts of this node alone. */
  hearPresence(news: PresenceNews): void;
  onPresence(listener: (news: PresenceNews) => void): void;
  /** Says, after the commit, that something of these topics changed, which waits for operators. */
  announceWaiting(topics: readonly WaitingTopic[]): void;
  /** Tells it to the parts of this node alone. */
  hearWaiting(topics: readonly WaitingTopic[]): void;
  onWaiting(listener: (topics: readonly WaitingTopic[]) => void): void;
  /**
   * Makes every node read the sessions of a member again: it empties its cache and closes the sockets of ended ones.
   * Ends no session itself.
   */
  announceSessionChange(change: SessionChange): void;
  /** Tells it to the parts of this node alone. */
  hearSessionChange(change: SessionChange): void;
  onSessionChange(listener: (change: SessionChange) => void): void;
  /** What members see of the site's settings has changed. Open pages read it again. */
  announceSiteChange(): void;
  onSiteChange(listener: () => void): void;
  /** The commands for shared limits; null without REDIS_URL. */
  redis: CountingClient | null;
  close(): Promise<void>;
};

/** Called with what is wrong with Redis, and with undefined when it is well again. */
export type ReportRedis = (trouble: string | undefined) => void;

const PROBE_KEPT_S = 60;
/** A start waits this long for Redis, so that a node usually joins the others before its first call. */
const START_MS_MAX = 1_000;

type Message =
  | { news: News }
  | { channel: ChannelNews }
  | { toAll: ServerEvent }
  | { presence: PresenceNews }
  | { sessionChange: SessionChange }
  | { siteChange: true }
  | { waiting: readonly WaitingTopic[] };
type Envelope = Message & { from: string };

function localBus(emitter: EventEmitter): Bus {
  const hearSessionChange = (change: SessionChange) => void emitter.emit('session-change', change);
  const hearWaiting = (topics: readonly WaitingTopic[]) => void emitter.emit('waiting', topics);
  return {
    announce: (news) => emitter.emit('news', news),
    onNews: (listener) => emitter.on('news', listener),
    announceChannel: (news) => emitter.emit('channel', news),
    onChannel: (listener) => emitter.on('channel', listener),
    announceToAll: (event) => void emitter.emit('to-all', event),
    onNewsForAll: (listener) => emitter.on('to-all', listener),
    tellPresence: () => {},
    hearPresence: (news) => emitter.emit('presence', news),
    onPresence: (listener) => emitter.on('presence', listener),
    announceWaiting: hearWaiting,
    hearWaiting,
    onWaiting: (listener) => emitter.on('waiting', listener),
    announceSessionChange: hearSessionChange,
    hearSessionChange,
    onSessionChange: (listener) => emitter.on('session-change', listener),
    announceSiteChange: () => void emitter.emit('site-change'),
    onSiteChange: (listener) => emitter.on('site-change', listener),
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

/** Tells a message of another node to the parts of this node. */
function hearFrom(local: Bus, envelope: Envelope, ownId: string): void {
  if (envelope.from === ownId) return;
  if ('news' in envelope) local.announce(envelope.news);
  else if ('channel' in envelope) local.announceChannel(envelope.channel);
  else if ('toAll' in envelope) local.announceToAll(envelope.toAll);
  else if ('presence' in envelope) local.hearPresence(envelope.presence);
  else if ('waiting' in envelope) local.hearWaiting(envelope.waiting);
  else if ('siteChange' in envelope) local.announceSiteChange();
  else local.hearSessionChange(envelope.sessionChange);
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

  /** A write, because a Redis that only reads can't count, and no longer is the one that hears the other nodes. */
  const writeProbe = (client: RedisClient) => client.set(`${channel}:probe`, '', { EX: PROBE_KEPT_S });
  /** Whether another node may not have heard that a session changed. */
  let hasMissedChange = false;
  const commands = await openRedis(url, {
    log,
    probe: writeProbe,
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

  const hear = (text: string) => hearFrom(local, JSON.parse(text) as Envelope, from);
  let isSubscribed = false;
  const listening = await openRedis(url, {
    log,
    probe: async (client) => {
      // After a lost connection the client subscribes again by itself.
      if (!isSubscribed) await client.subscribe(channel, hear);
      isSubscribed = true;
      await writeProbe(client);
    },
    onChange: (isAnswering, reason) => {
      noteChange(isAnswering && commands.isAnswering() && listening.isAnswering(), reason);
      // News sent during an outage is lost, so any cached session may be stale. Drop all of them.
      if (isAnswering) local.hearSessionChange(everyMember);
    },
  });

  const tell = <Told>(hearHere: (told: Told) => void, told: Told, message: Message) => {
    hearHere(told);
    publish(message);
  };
  await Promise.all([commands.start(START_MS_MAX), listening.start(START_MS_MAX)]);
  return {
    ...local,
    announce: (news) => tell(local.announce, news, { news }),
    announceChannel: (channel) => tell(local.announceChannel, channel, { channel }),
    announceToAll: (event) => tell(local.announceToAll, event, { toAll: event }),
    tellPresence: (presence) => publish({ presence }),
    announceWaiting: (waiting) => tell(local.hearWaiting, waiting, { waiting }),
    announceSessionChange: (sessionChange) => tell(local.hearSessionChange, sessionChange, { sessionChange }),
    announceSiteChange: () => tell(local.announceSiteChange, undefined, { siteChange: true }),
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
