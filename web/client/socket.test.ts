import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { after, it } from 'node:test';
import { WebSocketServer } from 'ws';
import type { ServerEvent } from '#contract/events.ts';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/ws' });
await once(server, 'listening');
after(() => void server.close());

// What a browser has.
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
Object.assign(globalThis, {
  window: { location: { protocol: 'http:', host }, removeEventListener: () => {} },
});
Object.defineProperty(globalThis, 'navigator', { value: { onLine: true } });

// The types of browsers are not there for tests, so it is loaded by its URL.
const { openSocket } = (await import(new URL('./socket.ts', import.meta.url).href)) as {
  openSocket(
    listener: { onOpen(): void; onClose(): void; onEvent(event: ServerEvent): void },
    times: { reconnectMs: number; quietMsMax: number },
  ): () => void;
};

it('keeps a line with pings, and leaves one that went silent without waiting for its close', async () => {
  const told: string[] = [];
  const lines: { socket: Socket; ping: () => void }[] = [];
  server.on('connection', (line, { socket }) => {
    const ping = () => line.send('{"type":"ping"}');
    lines.push({ socket, ping });
  });
  const telling = (what: string) => () => void told.push(what);
  const end = openSocket(
    { onOpen: telling('open'), onClose: telling('close'), onEvent: ({ type }) => void told.push(type) },
    { quietMsMax: 600, reconnectMs: 20 },
  );
  after(end);
  const until = async (isTrue: () => boolean) => {
    for (
      const endMs = performance.now() + 10_000;
      !isTrue();
      await new Promise((done) => setTimeout(done, 10))
    )
      assert.ok(performance.now() < endMs, told.join(' '));
  };
  await until(() => told.length === 1);
  const startedAtMs = performance.now();
  while (performance.now() - startedAtMs < 1_200) {
    lines[0]?.ping();
    await new Promise((done) => setTimeout(done, 100));
  }
  assert.ok(!told.includes('close'), told.join(' '));
  // From now on the server neither reads nor answers a close.
  lines[0]?.socket.pause();
  await until(() => told.slice(-2).join() === 'close,open');
  assert.equal(lines.length, 2);
  lines[0]?.ping();
  lines[1]?.ping();
  await until(() => told.at(-1) === 'ping');
  lines[1]?.ping();
  await until(() => told.slice(told.lastIndexOf('open')).length === 3);
  assert.deepEqual(
    told.slice(told.indexOf('close')),
    ['close', 'open', 'ping', 'ping'],
    'nothing of the lost line',
  );
  for (const { socket } of lines) socket.destroy();
});
