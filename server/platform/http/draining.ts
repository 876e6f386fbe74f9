import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Stops the server without refusing calls. First `/readyz` fails, so that load balancers send no more calls, and every
 * answer closes its connection, so that no client sends on a closing one. Then the server stops listening and finishes
 * the running calls. It cuts off connections that did not send a whole call, such as those that browsers open in
 * advance: a server that stops listening no longer limits their time. A call that runs too long is cut off later.
 */
const DRAIN_MS = 500;
const IDLE_CHECK_MS = 50;
/** The time to send the rest of a call. */
const UNFINISHED_MS_MAX = 2_000;
/** The time to answer a call, and for the client to read the answer. */
const CALL_MS_MAX = 10_000;

const draining = new WeakSet<FastifyInstance>();

export const isDraining = (app: FastifyInstance): boolean => draining.has(app);

export function registerDraining(app: FastifyInstance): void {
  const sockets = new Set<Socket>();
  const calls = new Set<IncomingMessage>();
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.server.on('request', (request, response) => {
    calls.add(request);
    response.once('close', () => calls.delete(request));
  });
  const cutOff = (kept: ReadonlySet<Socket> = new Set()) => {
    for (const socket of sockets) if (!kept.has(socket)) socket.destroy();
  };
  const whole = () => new Set([...calls].filter(({ complete }) => complete).map(({ socket }) => socket));

  app.addHook('onRequest', (_request, reply, done) => {
    if (draining.has(app)) reply.header('connection', 'close');
    done();
  });
  // Repeats, because a connection that is busy at the first close would become idle and keep the process running.
  app.addHook('preClose', async () => {
    setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS).unref();
    setTimeout(() => cutOff(whole()), UNFINISHED_MS_MAX).unref();
    setTimeout(cutOff, CALL_MS_MAX).unref();
  });
}

/** Drains, then closes the server. */
export async function drain(app: FastifyInstance): Promise<void> {
  draining.add(app);
  await new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
  await app.close();
}
