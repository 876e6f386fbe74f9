import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, describe, it } from 'node:test';
import fastify from 'fastify';
import { Registry } from 'prom-client';
import { testDatabase } from '../../test/database.ts';
import { createHealth } from './health.ts';
import { takeLease } from './leases.ts';
import { createLog } from './log.ts';
import { createMetrics, observeNode, observeRequests, readAtScrape } from './metrics.ts';
import { refuse } from './refusal.ts';

const log = createLog('silent');

describe('metrics that are read when they are asked for', () => {
  it('show the others while one can’t be read, and say which', async () => {
    const registry = new Registry();
    let isBroken = true;
    readAtScrape({ registry, log }, [
      { name: 'earnest_sockets', read: async () => [{ value: 1 }] },
      {
        name: 'earnest_audit_findings',
        read: async () => {
          if (isBroken) throw new Error('no database');
          return [{ value: 2 }];
        },
      },
    ]);
    await registry.metrics();
    const broken = await registry.metrics();
    assert.match(broken, /^earnest_sockets 1$/m);
    assert.match(broken, /^earnest_metric_unread\{name="earnest_audit_findings"\} 1$/m);
    isBroken = false;
    await registry.metrics();
    const mended = await registry.metrics();
    assert.match(mended, /^earnest_audit_findings 2$/m);
    assert.match(mended, /^earnest_metric_unread\{name="earnest_audit_findings"\} 0$/m);
  });

  it('count refusals by route and code, and no other errors', async () => {
    const metrics = createMetrics();
    const app = fastify();
    observeRequests(app, metrics);
    app.get('/refused', async () => {
      throw refuse('wrong-key');
    });
    app.get('/broken', async () => {
      throw new Error('broken');
    });
    for (const url of ['/refused', '/refused', '/broken']) await app.inject(url);
    const lines = (await metrics.registry.metrics()).split('\n');
    assert.deepEqual(
      lines.filter((line) => line.startsWith('earnest_refusals_total{')),
      ['earnest_refusals_total{route="/refused",code="wrong-key"} 2'],
    );
  });

  it('show the leases and the sweeps of a node', async () => {
    const { database } = await testDatabase({ after });
    const health = createHealth(log);
    const metrics = createMetrics();
    observeNode({ database, health, log, config: { dataDir: tmpdir() } }, metrics);
    const lease = await takeLease({ database, log, health }, 'payouts-of-a-test');
    health.report('sweep-payouts', undefined);
    assert.match(await metrics.registry.metrics(), /^earnest_lease_held\{name="payouts-of-a-test"\} 1$/m);
    await lease?.release();
    const text = await metrics.registry.metrics();
    assert.match(text, /^earnest_lease_held\{name="payouts-of-a-test"\} 0$/m);
    assert.match(text, /^earnest_sweep_age_seconds\{name="payouts"\} 0\.\d+/m);
    assert.match(text, /^earnest_log_lost_lines 0$/m);
    assert.match(text, /^earnest_data_dir_free_bytes [1-9]\d{6,}$/m);
    assert.match(text, /^earnest_database_connections\{state="waiting"\} \d+$/m);
  });
});
