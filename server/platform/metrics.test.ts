import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { testDatabase } from '../../test/database.ts';
import { createHealth } from './health.ts';
import { takeLease } from './leases.ts';
import { createLog } from './log.ts';
import { createMetrics, observeNode, readAtScrape } from './metrics.ts';

const log = createLog('silent');

describe('metrics that are read when they are asked for', () => {
  it('show the others while one can’t be read, and say which', async () => {
    const registry = new Registry();
    let isBroken = true;
    readAtScrape({ registry, log }, [
      { name: 'well', help: 'well', read: async () => [{ value: 1 }] },
      {
        name: 'broken',
        help: 'broken',
        read: async () => {
          if (isBroken) throw new Error('no database');
          return [{ value: 2 }];
        },
      },
    ]);
    await registry.metrics();
    const broken = await registry.metrics();
    assert.match(broken, /^well 1$/m);
    assert.match(broken, /^earnest_metric_unread\{name="broken"\} 1$/m);
    isBroken = false;
    await registry.metrics();
    const mended = await registry.metrics();
    assert.match(mended, /^broken 2$/m);
    assert.match(mended, /^earnest_metric_unread\{name="broken"\} 0$/m);
  });

  it('show the leases and the sweeps of a node', async () => {
    const { database } = await testDatabase({ after });
    const health = createHealth(log);
    const metrics = createMetrics();
    observeNode({ database, health, log }, metrics);
    const lease = await takeLease({ database, log, health }, 'payouts-of-a-test');
    health.report('sweep-payouts', undefined);
    assert.match(await metrics.registry.metrics(), /^earnest_lease_held\{name="payouts-of-a-test"\} 1$/m);
    await lease?.release();
    const text = await metrics.registry.metrics();
    assert.match(text, /^earnest_lease_held\{name="payouts-of-a-test"\} 0$/m);
    assert.match(text, /^earnest_sweep_age_seconds\{name="payouts"\} 0\.\d+/m);
    assert.match(text, /^earnest_log_lost_lines 0$/m);
  });
});
