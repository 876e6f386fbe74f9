import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, it } from 'node:test';
import { z } from 'zod';
import { readRateSource } from './rate-source.ts';

const prices = z.object({ litecoin: z.object({ usd: z.number() }) });

it('gives up a source after 5 s in all, also one that goes on to send', async () => {
  const source = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    const timer = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(timer));
  });
  source.listen(0, '127.0.0.1');
  await once(source, 'listening');
  after(() => {
    source.closeAllConnections();
    source.close();
  });
  const { port } = source.address() as AddressInfo;
  const startedAtMs = performance.now();
  const read = await readRateSource(`http://127.0.0.1:${port}/`, prices, JSON.parse);
  const tookMs = performance.now() - startedAtMs;
  assert.match(String(read), /timeout/);
  assert.ok(tookMs > 4_900 && tookMs < 7_000, `${tookMs} ms`);
});
