import type { FastifyInstance } from 'fastify';

/**
 * Stops the server without refusing calls. First `/readyz` fails, so that load balancers send no more calls, and every
 * answer closes its connection, so that no client sends on a closing one. Then the server stops listening and finishes
 * the running calls.
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
  // Repeats, because a connection that is busy at the first close would become idle and keep the process running.
  app.addHook('preClose', async () => {
    setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS).unref();
  });
}

/** Drains, then closes the server. */
export async function drain(app: FastifyInstance): Promise<void> {
  draining.add(app);
  await new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
  await app.close();
}
