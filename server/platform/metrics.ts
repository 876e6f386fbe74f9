import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Health } from './health.ts';

/** Metrics for Prometheus, served on a separate port that is not public. */
export type Metrics = { registry: Registry; postbacks: Counter<'provider' | 'verdict'> };

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const postbacks = new Counter({
    name: 'earnest_postbacks_total',
    help: 'Postbacks by provider and verdict',
    labelNames: ['provider', 'verdict'],
    registers: [registry],
  });
  return { registry, postbacks };
}

/** Shows each part that ever reported: 1 while it is not well, else 0. */
export function observeHealth(health: Health, { registry }: Metrics): void {
  new Gauge({
    name: 'earnest_degraded',
    help: 'Parts of this node that are not well',
    labelNames: ['name'],
    registers: [registry],
    collect() {
      for (const name of health.names()) this.set({ name }, 0);
      for (const { name } of health.troubles()) this.set({ name }, 1);
    },
  });
}

/** Records the duration of each answer, as measured by Fastify, by method, route and status. */
export function observeRequests(app: FastifyInstance, { registry }: Metrics): void {
  const requests = new Histogram({
    name: 'earnest_http_request_seconds',
    help: 'Answers by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.5, 2],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    requests.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
  });
}

/** Serves `GET /metrics` on its own port. */
export async function listenForMetrics({ registry }: Metrics, host: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
