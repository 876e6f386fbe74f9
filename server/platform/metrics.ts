import { statfs } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from './database.ts';
import type { Health } from './health.ts';
import { readLeases } from './leases.ts';
import { readJobCounts } from './listed-jobs.ts';
import { type Log, lostLinesOf } from './log.ts';
import { type MetricName, metricOf } from './metric-names.ts';
import { Refusal } from './refusal.ts';

/** Metrics for Prometheus, served on a separate port that is not public. */
export type Metrics = { registry: Registry; postbacks: Counter<'provider' | 'verdict'> };

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const postbacks = new Counter({
    ...metricOf('earnest_postbacks_total'),
    registers: [registry],
  });
  return { registry, postbacks };
}

/** Shows each part that ever reported: 1 while it is not well, else 0. What operators stop by choice is apart. */
export function observeHealth(health: Health, { registry }: Metrics): void {
  new Gauge({
    ...metricOf('earnest_degraded'),
    registers: [registry],
    collect() {
      for (const name of health.names()) this.set({ name }, 0);
      for (const { name } of health.troubles()) this.set({ name }, 1);
    },
  });
  new Gauge({
    ...metricOf('earnest_stopped'),
    registers: [registry],
    collect() {
      for (const name of health.names(true)) this.set({ name }, 0);
      for (const { name } of health.stops()) this.set({ name }, 1);
    },
  });
}

/** One value of a metric, with its labels. */
export type Sample = { labels?: Record<string, string>; value: number };
type ReadMetric = { name: MetricName; read: () => Promise<Sample[]> };

/**
 * Adds metrics that are read when they are asked for. `earnest_metric_unread` is 1 for one that can't be read now, for
 * example without the database. It then has no values, and the others are shown all the same.
 */
export function readAtScrape(
  { registry, log }: { registry: Registry; log: Log },
  metrics: ReadMetric[],
): void {
  const unread = registry.getSingleMetric('earnest_metric_unread') as Gauge | undefined;
  const failures =
    unread ??
    new Gauge({
      ...metricOf('earnest_metric_unread'),
      registers: [registry],
    });
  for (const { name, read } of metrics) {
    const declared = metricOf(name);
    new Gauge({
      ...declared,
      registers: [registry],
      async collect() {
        try {
          const samples = await read();
          empty(this, declared.labelNames);
          for (const { labels = {}, value } of samples) this.set(labels, value);
          failures.set({ name }, 0);
        } catch (error) {
          empty(this, declared.labelNames);
          failures.set({ name }, 1);
          log.warn({ error, metric: name }, 'a metric could not be read');
        }
      },
    });
  }
}

/** Removes all values. `reset` alone leaves a metric without labels at 0, which would be a wrong value. */
function empty(gauge: Gauge, labelNames: readonly string[]): void {
  gauge.reset();
  if (labelNames.length === 0) gauge.remove();
}

type NodeParts = { database: Database; health: Health; log: Log; config: { dataDir: string } };

/** Shows the leases, the sweeps and the disk of this node, and the log lines that it lost. */
export function observeNode({ database, health, log, config }: NodeParts, { registry }: Metrics): void {
  readAtScrape({ registry, log }, [
    {
      name: 'earnest_data_dir_free_bytes',
      read: async () => {
        const { bavail, bsize } = await statfs(config.dataDir);
        return [{ value: bavail * bsize }];
      },
    },
    {
      name: 'earnest_lease_held',
      read: async () =>
        (await readLeases(database)).map(({ name, isHeld }) => ({ labels: { name }, value: isHeld ? 1 : 0 })),
    },
    {
      name: 'earnest_sweep_age_seconds',
      read: async () =>
        health
          .lastWell()
          .filter(({ name }) => name.startsWith('sweep-'))
          .map(({ name, at }) => ({
            labels: { name: name.slice('sweep-'.length) },
            value: (Date.now() - at.getTime()) / 1000,
          })),
    },
    {
      name: 'earnest_database_connections',
      read: async () =>
        Object.entries(database.connectionCounts()).map(([state, value]) => ({ labels: { state }, value })),
    },
    {
      name: 'earnest_jobs',
      read: async () => {
        const { waiting, retrying, failed } = await readJobCounts(database);
        return [
          { labels: { state: 'waiting' }, value: Number(waiting) },
          { labels: { state: 'retrying' }, value: Number(retrying) },
          { labels: { state: 'failed' }, value: Number(failed) },
        ];
      },
    },
    {
      name: 'earnest_job_age_seconds',
      read: async () => [{ value: (await readJobCounts(database)).oldestS }],
    },
    {
      name: 'earnest_log_lost_lines',
      read: async () => [{ value: lostLinesOf(log) }],
    },
  ]);
}

/**
 * Records the duration of each answer, as measured by Fastify, by method, route and status. Counts refusals by route
 * and code: wrong passwords, wrong keys, used up limits.
 */
export function observeRequests(app: FastifyInstance, { registry }: Metrics): void {
  const refusals = new Counter({
    ...metricOf('earnest_refusals_total'),
    registers: [registry],
  });
  app.addHook('onError', async (request, _reply, error) => {
    if (error instanceof Refusal)
      refusals.inc({ route: request.routeOptions.url ?? 'none', code: error.code });
  });
  const requests = new Histogram({
    ...metricOf('earnest_http_request_seconds'),
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
