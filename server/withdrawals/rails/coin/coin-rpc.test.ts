import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, it } from 'node:test';
import { coinRpc } from './coin-rpc.ts';

it('gives up a call to a coin node after 10 s in all, also to one that goes on to send', async () => {
  const node = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    const timer = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(timer));
  });
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
  after(() => {
    node.closeAllConnections();
    node.close();
  });
  const { port } = node.address() as AddressInfo;
  const call = coinRpc({ host: '127.0.0.1', port, user: 'user', password: 'password' });
  const startedAtMs = performance.now();
  const reply = await call('getblockcount', {});
  const tookMs = performance.now() - startedAtMs;
  assert.equal(reply.kind, 'unknown');
  assert.ok(tookMs > 9_900 && tookMs < 13_000, `${tookMs} ms`);
});
