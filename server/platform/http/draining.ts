import type { ServerResponse } from 'node:http';
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
  // Of each connection the answer to its last call: noting the end of each call would cost a listener per call.
  const answers = new Map<Socket, ServerResponse | undefined>();
  app.server.on('connection', (socket: Socket) => {
    answers.set(socket, undefined);
    socket.once('close', () => answers.delete(socket));
  });
  app.server.on('request', (request, response) => void answers.set(request.socket, response));
  const cutOff = (isKept: (answer: ServerResponse | undefined) => boolean) => {
    for (const [socket, answer] of answers) if (!isKept(answer)) socket.destroy();
  };
  const answersWholeCall = (answer: ServerResponse | undefined) =>
    answer !== undefined && !answer.closed && answer.req.complete;

  app.addHook('onRequest', (_request, reply, done) => {
    if (draining.has(app)) reply.header('connection', 'close');
    done();
  });
  // Repeats, because a connection that is busy at the first close would become idle and keep the process running.
  app.addHook('preClose', async () => {
    setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS).unref();
    setTimeout(() => cutOff(answersWholeCall), UNFINISHED_MS_MAX).unref();
    setTimeout(() => cutOff(() => false), CALL_MS_MAX).unref();
  });
}

/** Drains, then closes the server. */
export async function drain(app: FastifyInstance): Promise<void> {
  draining.add(app);
  await new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
  await app.close();
}
