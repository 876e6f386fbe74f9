import fastifyWebsocket from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { clientFrameTypes, type ServerEvent } from '#contract/events.ts';
import type { Bus } from './bus.ts';
import type { Config } from './config.ts';
import { type Authenticate, sessionCookieName } from './http/caller.ts';
import { ownOrigins } from './http/same-origin.ts';
import { refuse } from './refusal.ts';

/**
 * The WebSocket at `/ws` pushes news to a member's browsers. The upgrade needs the session cookie and an exact origin.
 * Frames from clients change nothing. When a session ends, the bus makes each node close its sockets; every minute
 * the sessions of all sockets are checked again.
 */
const FRAME_BYTES_MAX = 16 * 1024;
const FRAMES_PER_SECOND_MAX = 20;
const SOCKETS_PER_MEMBER_MAX = 20;
const RECHECK_MS = 60_000;
const BUFFERED_BYTES_MAX = 1024 * 1024;

const frame = z.object({ type: z.enum(clientFrameTypes) });

type Open = { socket: WebSocket; token: string };

export async function registerRealtime(
  app: FastifyInstance,
  config: Config,
  bus: Bus,
  authenticate: Authenticate,
): Promise<void> {
  const byMember = new Map<number, Set<Open>>();
  const frameOf = (event: ServerEvent) => JSON.stringify(event);

  bus.onNews(({ memberId, event }) => {
    const sockets = byMember.get(memberId);
    if (sockets === undefined) return;
    const text = frameOf(event);
    for (const { socket } of sockets) {
      // Disconnect a browser that does not read. It fetches the missed changes when it reconnects.
      if (socket.bufferedAmount > BUFFERED_BYTES_MAX) socket.terminate();
      else socket.send(text);
    }
  });
  const recheck = (memberId: number | null) => {
    const members = memberId === null ? [...byMember.keys()] : [memberId];
    closeEnded(byMember, members, authenticate).catch((error: Error) =>
      app.log.warn({ error }, 'sessions of sockets not checked'),
    );
  };
  bus.onSessionChange(({ memberId }) => recheck(memberId));
  const timer = setInterval(() => recheck(null), RECHECK_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  app.addHook('preClose', async () => {
    for (const sockets of byMember.values())
      for (const { socket } of sockets) socket.close(1012, 'restarting');
  });

  await app.register(fastifyWebsocket, {
    options: { maxPayload: FRAME_BYTES_MAX, perMessageDeflate: false },
  });
  await app.register(async (scope) => {
    scope.get(
      '/ws',
      { websocket: true, onRequest: (request) => admitSocket(request, config, authenticate) },
      (socket, request) => {
        const token = tokenOf(request, config);
        const { caller } = request;
        if (caller === undefined || token === undefined) throw new Error('A socket opened without admission');
        const sockets = byMember.get(caller.id) ?? new Set<Open>();
        byMember.set(caller.id, sockets);
        const open = { socket, token };
        if (sockets.size >= SOCKETS_PER_MEMBER_MAX) [...sockets][0]?.socket.close(1008, 'too many sockets');
        sockets.add(open);
        socket.on('close', () => {
          sockets.delete(open);
          if (sockets.size === 0 && byMember.get(caller.id) === sockets) byMember.delete(caller.id);
        });
        // Protocol errors of the client (a frame too large, invalid UTF-8) have closed the socket already.
        socket.on('error', (error) => app.log.debug({ error }, 'socket error'));
        listen(socket, frameOf);
        socket.send(frameOf({ type: 'auth_success' }));
      },
    );
  });
}

/**
 * Closes the sockets whose session has ended. Checks one after the other, because concurrent checks could take all
 * database connections.
 */
async function closeEnded(
  byMember: ReadonlyMap<number, ReadonlySet<Open>>,
  members: readonly number[],
  authenticate: Authenticate,
): Promise<void> {
  for (const memberId of members)
    for (const open of [...(byMember.get(memberId) ?? [])]) {
      const caller = await authenticate(open.token, 'fresh');
      if (caller?.id !== memberId) open.socket.close(1008, 'session ended');
    }
}

async function admitSocket(
  request: FastifyRequest,
  config: Config,
  authenticate: Authenticate,
): Promise<void> {
  const origin = request.headers.origin;
  if (origin === undefined || !ownOrigins(config).includes(origin)) throw refuse('cross-site');
  const token = tokenOf(request, config);
  request.caller = token === undefined ? undefined : await authenticate(token, 'fresh');
  if (request.caller === undefined) throw refuse('unauthenticated');
}

const tokenOf = ({ cookies }: FastifyRequest, { publicUrl }: Config): string | undefined =>
  cookies[sessionCookieName(publicUrl)];

function listen(socket: WebSocket, frameOf: (event: ServerEvent) => string): void {
  let second = 0;
  let frames = 0;
  const refuseFrame = (code: string, detail: string) => {
    socket.send(frameOf({ type: 'error', code, detail }));
    socket.close(1008, detail);
  };
  socket.on('message', (raw) => {
    const now = Math.trunc(performance.now() / 1000);
    if (now !== second) {
      second = now;
      frames = 0;
    }
    frames += 1;
    if (frames > FRAMES_PER_SECOND_MAX) return refuseFrame('rate-limited', 'Too many frames');
    const parsed = frame.safeParse(jsonOf(String(raw)));
    if (!parsed.success) return refuseFrame('invalid-request', 'Unknown frame');
    if (parsed.data.type === 'auth') socket.send(frameOf({ type: 'auth_success' }));
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The frame's schema refuses undefined.
    return undefined;
  }
}
