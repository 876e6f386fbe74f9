import type { FastifyInstance } from 'fastify';

/**
 * The way down. First readiness says no, so that a balancer sends no more, and every answer ends its
 * connection, so that no client is about to send on one when it closes. Only then the server stops listening
 * and finishes what is under way.
 */
const DRAIN_MS = 500;
const IDLE_CHECK_MS = 50;

const draining = new WeakSet<FastifyInstance>();

export const isDraining = (app: FastifyInstance): boolean => draining.has(app);

export function registerDraining(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (draining.has(app)) reply.header('connection', 'close');
    done();
  });
  // Closing the idle connections once is not enough: one that was busy just then would be kept alive, and the
  // process with it.
  app.addHook('preClose', async () => {
    setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS).unref();
  });
}

/** Drains and closes. */
export async function drain(app: FastifyInstance): Promise<void> {
  draining.add(app);
  await new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
  await app.close();
}
