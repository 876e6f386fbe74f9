import type { Server } from 'node:http';
import fastifyWebsocket from '@fastify/websocket';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { ServerEvent } from '#contract/events.ts';
import type { Config } from './config.ts';
import { callerKey, callsOfCaller } from './http/admission.ts';
import { sessionCookieName } from './http/caller.ts';
import { ownOrigins } from './http/same-origin.ts';
import { admitUpgrades } from './http/upgrades.ts';
import type { Platform } from './platform.ts';
import { TICK_MS } from './presence.ts';
import { confirmed, createReceiver } from './realtime-frames.ts';
import { hintOperators, isOperator } from './realtime-hints.ts';
import { createSockets, frameOf, type Open, type Sockets } from './realtime-sockets.ts';
import { createTyping, type FindTypist } from './realtime-typing.ts';
import { refuse } from './refusal.ts';

/**
 * The WebSocket at `/ws` pushes news to a member's browsers, that of channels to their readers, and hints to operators'
 * (`realtime-hints.ts`). The upgrade needs the session cookie and an exact origin. A client's frame only says that its
 * member writes (`realtime-typing.ts`). Upgrades and frames, also pings and pongs, count like calls. When a session is
 * ended, each node hears of it and closes its sockets. Sessions also expire, so those of all sockets are checked again
 * every minute. A socket whose client does not answer the close, or does not read, is cut off.
 */
const PATH = '/ws';
const FRAME_BYTES_MAX = 16 * 1024;
const RECHECK_MS = 60_000;
/** Shorter than the time after which a proxy cuts a silent connection, usually 60 s. */
const PINGED_EVERY_MS = 25_000;
/** Concurrent checks are read in one statement. More of them could take all database connections. */
const CHECKED_AT_ONCE_MAX = 16;

/** Suspended members hear of their tickets. */
const forMembers = { access: 'member', whileSuspended: true } as const;

type Parts = Pick<Platform, 'app' | 'config' | 'bus' | 'presence' | 'limits' | 'metrics' | 'authenticate'>;
type Options = {
  /** Without it a typing frame has no effect. */
  findTypist?: FindTypist;
  /** Which addresses are blocked. Their sockets are closed. */
  blocks?: { isBlocked: (address: string) => boolean; onNewBlock: (listener: () => void) => void };
  pingedEveryMs?: number;
};

export async function registerRealtime(
  platform: Parts,
  { findTypist, blocks, pingedEveryMs = PINGED_EVERY_MS }: Options = {},
): Promise<void> {
  const { app, config, bus, presence, authenticate } = platform;
  const sockets = createSockets(platform.metrics, presence);
  const stopHints = pushNews(platform, sockets);
  if (blocks !== undefined) endBlocked(blocks, sockets);
  const endIfSignedOut = async (open: Open) => {
    const caller = await authenticate(open.token, 'fresh');
    open.isOperator = isOperator(config, caller);
    open.isSuspended = caller?.isSuspended === true;
    if (caller?.id !== open.memberId && sockets.has(open)) sockets.end(open, 1008, 'session ended');
  };
  const recheck = async (memberId: number | null) => {
    const opens = [...(memberId === null ? sockets.all : sockets.of(memberId))];
    for (let start = 0; start < opens.length; start += CHECKED_AT_ONCE_MAX)
      await Promise.all(opens.slice(start, start + CHECKED_AT_ONCE_MAX).map(endIfSignedOut));
  };
  const startRecheck = (memberId: number | null) =>
    recheck(memberId).catch((error: Error) => app.log.warn({ error }, 'sessions of sockets not checked'));
  let sessionChanges = 0;
  bus.onSessionChange(({ memberId }) => {
    sessionChanges += 1;
    void startRecheck(memberId);
  });
  const timer = setInterval(() => void startRecheck(null), RECHECK_MS).unref();
  const ticks = setInterval(presence.tick, TICK_MS).unref();
  const pings = setInterval(() => pingAll(sockets), pingedEveryMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    clearInterval(ticks);
    clearInterval(pings);
    stopHints();
  });
  app.addHook('preClose', async () => {
    for (const open of sockets.all) sockets.end(open, 1012, 'restarting');
  });

  // The plugin would upgrade a connection on the path of every page.
  const upgrades = admitUpgrades(app.server, PATH, () =>
    sockets.faults.inc({ fault: 'upgrade-of-another-path' }),
  );
  await app.register(fastifyWebsocket, {
    // The plugin only listens for upgrades on its server.
    options: { server: upgrades as Server, maxPayload: FRAME_BYTES_MAX, perMessageDeflate: false },
    errorHandler: (error, socket) => {
      app.log.error({ error }, 'a socket could not be opened');
      socket.terminate();
    },
  });
  const receive = createReceiver(platform, sockets, findTypist && createTyping(bus, findTypist));
  /** The upgrades under way: the answer, and the number of session changes before the session was read. */
  const upgrading = new WeakMap<FastifyRequest, { reply: FastifyReply; changesBefore: number }>();
  const admit = (request: FastifyRequest, reply: FastifyReply) => {
    upgrading.set(request, { reply, changesBefore: sessionChanges });
    return admitSocket(request, platform);
  };
  await app.register(async (scope) => {
    scope.get(PATH, { websocket: true, config: forMembers, onRequest: admit }, (socket, request) => {
      const open = accept(platform, sockets, socket, request);
      const upgrade = upgrading.get(request);
      freeRequest(socket, request, upgrade?.reply);
      receive(open);
      sockets.push(open, confirmed);
      // The session may have ended between its check and the opening, when its sockets were looked for.
      if (upgrade?.changesBefore !== sessionChanges) void startRecheck(open.memberId);
    });
  });
}

/**
 * Lets go of the upgrade's request and answer, which the connection and the plugin's listener would keep as long as the
 * socket is open. They are half of its memory.
 */
function freeRequest(socket: WebSocket, request: FastifyRequest, reply: FastifyReply | undefined): void {
  reply?.raw.detachSocket(request.raw.socket);
  socket.removeAllListeners('error');
}

/** Closes the sockets of addresses that are blocked while they are open. */
function endBlocked({ isBlocked, onNewBlock }: NonNullable<Options['blocks']>, sockets: Sockets): void {
  onNewBlock(() => {
    for (const open of sockets.all) if (isBlocked(open.address)) sockets.end(open, 1008, 'address blocked');
  });
}

/** Takes an admitted socket among those of its member. */
function accept({ config }: Parts, sockets: Sockets, socket: WebSocket, request: FastifyRequest): Open {
  const token = tokenOf(request, config);
  const { caller } = request;
  if (caller === undefined || token === undefined) throw new Error('A socket opened without admission');
  const open: Open = {
    socket,
    token,
    memberId: caller.id,
    address: request.ip,
    isOperator: isOperator(config, caller),
    isSuspended: caller.isSuspended,
    isPinged: false,
    second: 0,
    frames: 0,
  };
  sockets.add(open);
  return open;
}

/**
 * Pings every socket, in the way of the protocol, which the client must answer, and by an event, which a browser can
 * notice. Cuts off those that have not answered since the last time.
 */
function pingAll(sockets: Sockets): void {
  const frame = frameOf({ type: 'ping' });
  for (const open of sockets.all) {
    if (open.isPinged) {
      sockets.faults.inc({ fault: 'answers-no-ping' });
      sockets.remove(open);
      open.socket.terminate();
      continue;
    }
    open.isPinged = true;
    open.socket.ping();
    sockets.push(open, frame);
  }
}

/** Pushes the news of members to their sockets, that of channels to their readers, and that of the site to all. */
function pushNews({ bus, presence }: Parts, sockets: Sockets): () => void {
  const pushTo = (opens: Iterable<Open>, event: ServerEvent, isWanted: (open: Open) => boolean) => {
    let frame: Buffer | undefined;
    for (const open of opens) {
      if (!isWanted(open)) continue;
      frame ??= frameOf(event);
      sockets.push(open, frame);
    }
  };
  const toAll = () => true;
  bus.onNews(({ memberId, event }) => pushTo(sockets.of(memberId), event, toAll));
  bus.onChannel(({ ownerId, event }) => {
    // Who writes needs not be told.
    const typistId = 'userId' in event ? Number(event.userId) : undefined;
    const reads = (open: Open) =>
      ownerId === null ? !open.isSuspended : open.memberId === ownerId || open.isOperator;
    pushTo(sockets.all, event, (open) => reads(open) && open.memberId !== typistId);
  });
  bus.onNewsForAll((event) => pushTo(sockets.all, event, toAll));
  bus.onSiteChange(() => pushTo(sockets.all, { type: 'site' }, toAll));
  presence.onCount((count) => pushTo(sockets.all, { type: 'presence', count }, toAll));
  return hintOperators(bus, (event) => pushTo(sockets.all, event, ({ isOperator }) => isOperator));
}

async function admitSocket(
  request: FastifyRequest,
  { config, limits, authenticate }: Pick<Parts, 'config' | 'limits' | 'authenticate'>,
): Promise<void> {
  const origin = request.headers.origin;
  if (origin === undefined || !ownOrigins(config).includes(origin)) throw refuse('cross-site');
  const token = tokenOf(request, config);
  request.caller = token === undefined ? undefined : await authenticate(token, 'fresh');
  await limits.countCall(callsOfCaller, callerKey(request.caller, request.ip));
  if (request.caller === undefined) throw refuse('unauthenticated');
}

const tokenOf = ({ cookies }: FastifyRequest, { publicUrl }: Config): string | undefined =>
  cookies[sessionCookieName(publicUrl)];
