import type { Server } from 'node:http';
import fastifyWebsocket from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { clientFrameTypes, type ServerEvent } from '#contract/events.ts';
import type { Config } from './config.ts';
import { callerKey, callsOfCaller, callsOfSource, memberKey } from './http/admission.ts';
import { sessionCookieName } from './http/caller.ts';
import type { Limits } from './http/limits.ts';
import { ownOrigins } from './http/same-origin.ts';
import { admitUpgrades } from './http/upgrades.ts';
import type { Platform } from './platform.ts';
import { hintOperators, isOperator } from './realtime-hints.ts';
import { CLOSE_MS_MAX, createSockets, frameOf, type Open, type Sockets } from './realtime-sockets.ts';
import { createTyping, type FindTypist } from './realtime-typing.ts';
import { Refusal, refuse } from './refusal.ts';

/**
 * The WebSocket at `/ws` pushes news to a member's browsers, that of channels to their readers, and hints to operators'
 * (`realtime-hints.ts`). The upgrade needs the session cookie and an exact origin. A client's frame only says that its
 * member writes (`realtime-typing.ts`). Upgrades and frames, also pings and pongs, count like calls. When a session is ended, each node hears of it and closes its sockets. Sessions also expire,
 * so those of all sockets are checked again every minute. A socket whose client does not answer the close, or does not
 * read, is cut off.
 */
const PATH = '/ws';
const FRAME_BYTES_MAX = 16 * 1024;
const FRAMES_PER_SECOND_MAX = 20;
const RECHECK_MS = 60_000;
/** Shorter than the time after which a proxy cuts a silent connection, usually 60 s. */
const PINGED_EVERY_MS = 25_000;
/** Concurrent checks are read in one statement. More of them could take all database connections. */
const CHECKED_AT_ONCE_MAX = 16;

/** Suspended members hear of their tickets. */
const forMembers = { access: 'member', whileSuspended: true } as const;

const clientFrame = z.object({ type: z.enum(clientFrameTypes) });

type Parts = Pick<Platform, 'app' | 'config' | 'bus' | 'presence' | 'limits' | 'metrics' | 'authenticate'>;
type Options = {
  /** Without it a typing frame has no effect. */
  findTypist?: FindTypist;
  pingedEveryMs?: number;
};

export async function registerRealtime(
  platform: Parts,
  { findTypist, pingedEveryMs = PINGED_EVERY_MS }: Options = {},
): Promise<void> {
  const { app, config, bus, presence, authenticate } = platform;
  const sockets = createSockets(platform.metrics, presence);

  const stopHints = pushNews(platform, sockets);
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
  const pings = setInterval(() => pingAll(sockets), pingedEveryMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
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
      const fault = clientFaultOf(error);
      if (fault === undefined) app.log.error({ error }, 'a socket failed');
      else {
        sockets.faults.inc({ fault });
        app.log.debug({ error }, 'a client broke off or broke the protocol');
      }
      setTimeout(() => socket.terminate(), CLOSE_MS_MAX).unref();
    },
  });
  const type = findTypist && createTyping(bus, findTypist);
  /** The number of session changes before the session of an upgrade was read. */
  const changesBefore = new WeakMap<FastifyRequest, number>();
  const admit = (request: FastifyRequest) => {
    changesBefore.set(request, sessionChanges);
    return admitSocket(request, platform);
  };
  await app.register(async (scope) => {
    scope.get(PATH, { websocket: true, config: forMembers, onRequest: admit }, (socket, request) => {
      const open = accept(platform, sockets, socket, request);
      receiveFrames(platform, sockets, open, type);
      // The session may have ended between its check and the opening, when its sockets were looked for.
      if (changesBefore.get(request) !== sessionChanges) void startRecheck(open.memberId);
    });
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
  };
  sockets.add(open);
  socket.on('close', () => sockets.remove(open));
  return open;
}

type Type = ReturnType<typeof createTyping> | undefined;

/** Receives the frames of a socket, from its confirmation on. */
function receiveFrames({ app, limits }: Parts, sockets: Sockets, open: Open, type: Type): void {
  const { socket } = open;
  const receive = createReceiver(limits, open, sockets, type);
  const start = (text: string | null) =>
    receive(text).catch((error: Error) => app.log.error({ error }, 'a frame failed'));
  socket.on('message', (raw) => start(String(raw)));
  socket.on('ping', () => start(null));
  socket.on('pong', () => {
    // An answer to a ping costs its member nothing. A pong without one is a frame like others.
    if (open.isPinged) open.isPinged = false;
    else void start(null);
  });
  sockets.push(open, confirmed);
}

const confirmed = frameOf({ type: 'auth_success' });

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
  bus.onSiteChange(() => pushTo(sockets.all, { type: 'site' }, toAll));
  presence.onCount((count) => pushTo(sockets.all, { type: 'presence', count }, toAll));
  return hintOperators(bus, (event) => pushTo(sockets.all, event, ({ isOperator }) => isOperator));
}

/** Names the fault if it is the client's: a frame against the protocol, or a connection that broke off. */
function clientFaultOf(error: Error): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  const isClients = code.startsWith('WS_ERR_') || ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code);
  return isClients ? code.toLowerCase() : undefined;
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

/** Makes a function that receives the frames of one socket; null is a ping or pong, which is only counted. */
function createReceiver(limits: Limits, open: Open, sockets: Sockets, type: Type) {
  let second = 0;
  let frames = 0;
  const count = async () => {
    const now = Math.trunc(performance.now() / 1000);
    if (now !== second) {
      second = now;
      frames = 0;
    }
    frames += 1;
    if (frames > FRAMES_PER_SECOND_MAX) throw refuse('rate-limited');
    limits.countHere(callsOfSource, open.address);
    await limits.countCall(callsOfCaller, memberKey(open.memberId));
  };
  const refuseFrame = (code: string, detail: string) => {
    if (!sockets.has(open)) return;
    sockets.push(open, frameOf({ type: 'error', code, detail }));
    sockets.end(open, 1008, detail);
  };
  return async (text: string | null): Promise<void> => {
    // A socket that is being closed may still send.
    if (!sockets.has(open)) return;
    try {
      await count();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return refuseFrame(error.code, 'Too many frames');
    }
    if (text === null) return;
    const given = jsonOf(text);
    const parsed = clientFrame.safeParse(given);
    if (!parsed.success) return refuseFrame('invalid-request', 'Unknown frame');
    const isTyping = parsed.data.type === 'user_typing' || parsed.data.type === 'stop_typing';
    if (parsed.data.type === 'auth') sockets.push(open, confirmed);
    else if (isTyping) await type?.(open, given);
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The frame's schema refuses undefined.
    return undefined;
  }
}
