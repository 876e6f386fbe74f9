import type { Server } from 'node:http';
import fastifyWebsocket from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import { Counter, Gauge } from 'prom-client';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { clientFrameTypes, type ServerEvent } from '#contract/events.ts';
import type { Config } from './config.ts';
import { callerKey, callsOfCaller, callsOfSource, memberKey } from './http/admission.ts';
import { sessionCookieName } from './http/caller.ts';
import type { Limits } from './http/limits.ts';
import { ownOrigins } from './http/same-origin.ts';
import { admitUpgrades } from './http/upgrades.ts';
import { metricOf } from './metric-names.ts';
import type { Metrics } from './metrics.ts';
import type { Platform } from './platform.ts';
import { hintOperators, isOperator } from './realtime-hints.ts';
import { Refusal, refuse } from './refusal.ts';

/**
 * The WebSocket at `/ws` pushes news to a member's browsers, and hints to operators' (`realtime-hints.ts`). The upgrade
 * needs the session cookie and an exact origin. Frames from clients change nothing. Upgrades and frames, also pings and
 * pongs, count like calls. When a session is ended, each node hears of it and closes its sockets. Sessions also expire,
 * so those of all sockets are checked again every minute. A socket whose client does not answer the close, or does not
 * read, is cut off.
 */
const PATH = '/ws';
const FRAME_BYTES_MAX = 16 * 1024;
const FRAMES_PER_SECOND_MAX = 20;
const SOCKETS_PER_MEMBER_MAX = 20;
const RECHECK_MS = 60_000;
/** Shorter than the time after which a proxy cuts a silent connection, usually 60 s. */
const PINGED_EVERY_MS = 25_000;
/** Concurrent checks are read in one statement. More of them could take all database connections. */
const CHECKED_AT_ONCE_MAX = 16;
const BUFFERED_BYTES_MAX = 1024 * 1024;
const CLOSE_MS_MAX = 3_000;

/** Suspended members hear of their tickets. */
const forMembers = { access: 'member', whileSuspended: true } as const;

const frame = z.object({ type: z.enum(clientFrameTypes) });

type Open = {
  socket: WebSocket;
  token: string;
  memberId: number;
  address: string;
  /** Whether the session may make operators' calls, by its last check. */
  isOperator: boolean;
  /** Whether a ping was sent that the client has not answered. */
  isPinged: boolean;
};
type Parts = Pick<Platform, 'app' | 'config' | 'bus' | 'limits' | 'metrics' | 'authenticate'>;

export async function registerRealtime(
  platform: Parts,
  { pingedEveryMs = PINGED_EVERY_MS }: { pingedEveryMs?: number } = {},
): Promise<void> {
  const { app, config, bus, authenticate } = platform;
  const sockets = createSockets(platform.metrics);

  const stopHints = pushNews(bus, sockets);
  const endIfSignedOut = async (open: Open) => {
    const caller = await authenticate(open.token, 'fresh');
    open.isOperator = isOperator(config, caller);
    if (caller?.id !== open.memberId && sockets.has(open)) sockets.end(open, 1008, 'session ended');
  };
  const recheck = async (memberId: number | null) => {
    const opens = memberId === null ? sockets.all() : sockets.of(memberId);
    for (let start = 0; start < opens.length; start += CHECKED_AT_ONCE_MAX)
      await Promise.all(opens.slice(start, start + CHECKED_AT_ONCE_MAX).map(endIfSignedOut));
  };
  const startRecheck = (memberId: number | null) =>
    recheck(memberId).catch((error: Error) => app.log.warn({ error }, 'sessions of sockets not checked'));
  bus.onSessionChange(({ memberId }) => void startRecheck(memberId));
  const timer = setInterval(() => void startRecheck(null), RECHECK_MS).unref();
  const pings = setInterval(() => pingAll(sockets), pingedEveryMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    clearInterval(pings);
    stopHints();
  });
  app.addHook('preClose', async () => {
    for (const open of sockets.all()) sockets.end(open, 1012, 'restarting');
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
  await app.register(async (scope) => {
    scope.get(
      PATH,
      { websocket: true, config: forMembers, onRequest: (request) => admitSocket(request, platform) },
      (socket, request) => accept(platform, sockets, socket, request),
    );
  });
}

/** Takes an admitted socket among those of its member, and receives its frames. */
function accept(platform: Parts, sockets: Sockets, socket: WebSocket, request: FastifyRequest): void {
  const { app, config } = platform;
  const token = tokenOf(request, config);
  const { caller } = request;
  if (caller === undefined || token === undefined) throw new Error('A socket opened without admission');
  const { id: memberId } = caller;
  const open = {
    socket,
    token,
    memberId,
    address: request.ip,
    isOperator: isOperator(config, caller),
    isPinged: false,
  };
  const [oldest, ...others] = sockets.of(caller.id);
  if (oldest !== undefined && others.length + 1 >= SOCKETS_PER_MEMBER_MAX)
    sockets.end(oldest, 1008, 'too many sockets');
  sockets.add(open);
  socket.on('close', () => sockets.remove(open));
  const receive = createReceiver(platform.limits, open, sockets);
  const start = (text: string | null) =>
    receive(text).catch((error: Error) => app.log.error({ error }, 'a frame failed'));
  socket.on('message', (raw) => start(String(raw)));
  socket.on('ping', () => start(null));
  socket.on('pong', () => {
    // An answer to a ping costs its member nothing. A pong without one is a frame like others.
    if (open.isPinged) open.isPinged = false;
    else void start(null);
  });
  sockets.push(open, textOf({ type: 'auth_success' }));
}

/**
 * Pings every socket, in the way of the protocol, which the client must answer, and by an event, which a browser can
 * notice. Cuts off those that have not answered since the last time.
 */
function pingAll(sockets: Sockets): void {
  const text = textOf({ type: 'ping' });
  for (const open of sockets.all()) {
    if (open.isPinged) {
      sockets.faults.inc({ fault: 'answers-no-ping' });
      sockets.remove(open);
      open.socket.terminate();
      continue;
    }
    open.isPinged = true;
    open.socket.ping();
    sockets.push(open, text);
  }
}

/** Pushes the news of members to their sockets, and to all of them that the site has changed. */
function pushNews(bus: Parts['bus'], sockets: Sockets): () => void {
  bus.onNews(({ memberId, event }) => {
    const theirs = sockets.of(memberId);
    if (theirs.length === 0) return;
    const text = textOf(event);
    for (const open of theirs) sockets.push(open, text);
  });
  bus.onSiteChange(() => {
    const text = textOf({ type: 'site' });
    for (const open of sockets.all()) sockets.push(open, text);
  });
  return hintOperators(bus, (event) => {
    const text = textOf(event);
    for (const open of sockets.all()) if (open.isOperator) sockets.push(open, text);
  });
}

const textOf = (event: ServerEvent): string => JSON.stringify(event);

type Sockets = ReturnType<typeof createSockets>;

/** The open sockets by member, the oldest first. One that is being closed is not among them. */
function createSockets({ registry }: Metrics) {
  const byMember = new Map<number, Set<Open>>();
  const all = (): Open[] => [...byMember.values()].flatMap((theirs) => [...theirs]);
  const add = (open: Open) => {
    const theirs = byMember.get(open.memberId) ?? new Set<Open>();
    byMember.set(open.memberId, theirs.add(open));
  };
  const remove = (open: Open) => {
    const theirs = byMember.get(open.memberId);
    theirs?.delete(open);
    if (theirs?.size === 0) byMember.delete(open.memberId);
  };
  new Gauge({
    ...metricOf('earnest_sockets'),
    registers: [registry],
    collect() {
      this.set(all().length);
    },
  });
  const faults = new Counter({
    ...metricOf('earnest_socket_faults_total'),
    registers: [registry],
  });
  return {
    of: (memberId: number): Open[] => [...(byMember.get(memberId) ?? [])],
    has: (open: Open): boolean => byMember.get(open.memberId)?.has(open) === true,
    all,
    add,
    remove,
    faults,
    push: (open: Open, text: string) => {
      if (open.socket.bufferedAmount <= BUFFERED_BYTES_MAX) return open.socket.send(text);
      // The browser does not read. It fetches the missed changes when it reconnects.
      faults.inc({ fault: 'reads-too-slowly' });
      remove(open);
      open.socket.terminate();
    },
    /** Closes a socket, and cuts off a client that does not answer. */
    end: (open: Open, code: number, reason: string) => {
      remove(open);
      open.socket.close(code, reason);
      const timer = setTimeout(() => open.socket.terminate(), CLOSE_MS_MAX).unref();
      open.socket.once('close', () => clearTimeout(timer));
    },
  };
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
function createReceiver(limits: Limits, open: Open, sockets: Sockets) {
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
    sockets.push(open, textOf({ type: 'error', code, detail }));
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
    const parsed = frame.safeParse(jsonOf(text));
    if (!parsed.success) return refuseFrame('invalid-request', 'Unknown frame');
    if (parsed.data.type === 'auth') sockets.push(open, textOf({ type: 'auth_success' }));
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
