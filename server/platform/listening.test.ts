import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, it } from 'node:test';
import { whenListening } from './listening.ts';
import { createMetrics, listenForMetrics } from './metrics.ts';

const metrics = createMetrics();
const listen = (host: string, port: number) =>
  whenListening(
    { host, port, portName: 'METRICS_PORT', hostName: 'METRICS_HOST' },
    listenForMetrics(metrics, host, port),
  );

it('says in one line which variable names a port that is taken, or an address of another machine', async () => {
  const first = await listen('127.0.0.1', 0);
  after(() => first.close());
  const { port } = first.address() as AddressInfo;
  await assert.rejects(listen('127.0.0.1', port), {
    name: 'ConfigFault',
    message: `METRICS_PORT: ${port} is taken by another program; end that one, or name another port`,
  });
  await assert.rejects(listen('203.0.113.1', 0), {
    name: 'ConfigFault',
    message:
      'METRICS_HOST: this machine has no address 203.0.113.1; name one that it has, or 0.0.0.0 for all',
  });
});

it('passes on any other fault as it is', async () => {
  const fault = new Error('another fault');
  const at = { host: '127.0.0.1', port: 1, portName: 'PORT', hostName: 'HOST' };
  await assert.rejects(whenListening(at, Promise.reject(fault)), fault);
});
