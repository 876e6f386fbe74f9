import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { after, it } from 'node:test';
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws';
import type { ServerEvent } from '#contract/events.ts';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/ws' });
await once(server, 'listening');
after(() => void server.close());

// What a browser has.
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
const page = Object.assign(new EventTarget(), { location: { protocol: 'http:', host } });
const network = { onLine: true };
Object.assign(globalThis, { window: page });
Object.defineProperty(globalThis, 'navigator', { value: network });
const setNetwork = (isThere: boolean) => {
  network.onLine = isThere;
  page.dispatchEvent(new Event(isThere ? 'online' : 'offline'));
};

type Line = { send(frame: { type: string; channelId: string }): void; tryNow(): void; end(): void };

// The types of browsers are not there for tests, so they are loaded by their URL.
const { openSocket, waitBefore } = (await import(new URL('./socket.ts', import.meta.url).href)) as {
  openSocket(
    listener: { onOpen(): void; onClose(): void; onEvent(event: ServerEvent): void },
    times: { reconnectMs: number; quietMsMax?: number },
  ): Line;
  waitBefore(failures: number, reconnectMs: number, random: number): number;
};
const { onLineOpen, onLiveEvent, sendFrame, startLine } = (await import(
  new URL('./live-line.ts', import.meta.url).href
)) as {
  onLineOpen(listener: () => void): () => void;
  onLiveEvent(listener: (event: ServerEvent) => void): () => void;
  sendFrame(frame: { type: string; channelId: string }): void;
  startLine(): () => void;
};

async function until(isTrue: () => boolean, told: readonly string[]): Promise<void> {
  for (const endMs = performance.now() + 10_000; !isTrue(); await new Promise((done) => setTimeout(done, 10)))
    assert.ok(performance.now() < endMs, told.join(' '));
}

it('keeps a line with pings, and leaves one that went silent without waiting for its close', async () => {
  const told: string[] = [];
  const lines: { socket: Socket; ping: () => void }[] = [];
  const take = (line: ServerSocket, { socket }: { socket: Socket }) => {
    const ping = () => line.send('{"type":"ping"}');
    lines.push({ socket, ping });
  };
  server.on('connection', take);
  const telling = (what: string) => () => void told.push(what);
  const { end } = openSocket(
    { onOpen: telling('open'), onClose: telling('close'), onEvent: ({ type }) => void told.push(type) },
    { quietMsMax: 600, reconnectMs: 20 },
  );
  await until(() => told.length === 1, told);
  const startedAtMs = performance.now();
  while (performance.now() - startedAtMs < 1_200) {
    lines[0]?.ping();
    await new Promise((done) => setTimeout(done, 100));
  }
  assert.ok(!told.includes('close'), told.join(' '));
  // From now on the server neither reads nor answers a close.
  lines[0]?.socket.pause();
  await until(() => told.slice(-2).join() === 'close,open', told);
  assert.equal(lines.length, 2);
  lines[0]?.ping();
  lines[1]?.ping();
  await until(() => told.at(-1) === 'ping', told);
  lines[1]?.ping();
  await until(() => told.slice(told.lastIndexOf('open')).length === 3, told);
  assert.deepEqual(
    told.slice(told.indexOf('close')),
    ['close', 'open', 'ping', 'ping'],
    'nothing of the lost line',
  );
  end();
  server.off('connection', take);
  for (const { socket } of lines) socket.destroy();
});

it('§1-4 live connection: opens anew after 3 seconds, and only after a failure after longer, random times', () => {
  for (const random of [0, 0.5, 1]) assert.equal(waitBefore(0, 3_000, random), 3_000);
  assert.deepEqual(
    [1, 2, 3, 4, 5, 50].map((failures) => [waitBefore(failures, 3_000, 0), waitBefore(failures, 3_000, 1)]),
    [
      [3_000, 6_000],
      [6_000, 9_000],
      [12_000, 15_000],
      [24_000, 27_000],
      [27_000, 30_000],
      [27_000, 30_000],
    ],
  );
});

it('waits the same time again after each opening, and leaves the line with the network until it is back', async () => {
  const told: string[] = [];
  const note = (line: ServerSocket) => line.on('message', (frame) => void told.push(String(frame)));
  server.on('connection', note);
  const telling = (what: string) => () => void told.push(what);
  const line = openSocket(
    { onOpen: telling('open'), onClose: telling('close'), onEvent: () => {} },
    { reconnectMs: 50 },
  );
  await until(() => told.length === 1, told);
  for (const socket of server.clients) socket.terminate();
  await until(() => told.length === 3, told);
  setNetwork(false);
  assert.deepEqual(told, ['open', 'close', 'open', 'close']);
  line.send({ type: 'user_typing', channelId: '1' });
  line.tryNow();
  await new Promise((done) => setTimeout(done, 200));
  assert.equal(told.length, 4, 'no attempt without a network');
  setNetwork(true);
  await until(() => told.length === 5, told);
  line.send({ type: 'stop_typing', channelId: '1' });
  await until(() => told.length === 6, told);
  assert.equal(
    told.at(-1),
    '{"type":"stop_typing","channelId":"1"}',
    'what was sent without a line is dropped',
  );
  line.end();
  setNetwork(false);
  setNetwork(true);
  await new Promise((done) => setTimeout(done, 200));
  assert.equal(told.length, 6, 'an ended line stays ended');
  server.off('connection', note);
});

it('is one line for all parts of a page, whose opening is told before its events', async () => {
  const told: string[] = [];
  const lines: ServerSocket[] = [];
  const take = (line: ServerSocket) => {
    lines.push(line);
    // In the same packet as the answer to the opening.
    for (const id of ['1', '2']) line.send(JSON.stringify({ type: 'ticket', id }));
    line.on('message', (frame) => void told.push(String(frame)));
    line.on('close', () => void told.push('closed'));
  };
  server.on('connection', take);
  const endListening = onLiveEvent(
    (event) => void told.push(event.type === 'ticket' ? event.id : event.type),
  );
  const endOpening = onLineOpen(() => void told.push('open'));
  const ends = [startLine(), startLine()];
  await until(() => told.length === 3, told);
  assert.deepEqual(told, ['open', '1', '2']);
  ends[0]?.();
  ends[0]?.();
  sendFrame({ type: 'user_typing', channelId: '7' });
  await until(() => told.length === 4, told);
  endListening();
  lines[0]?.send('{"type":"chat"}');
  ends[1]?.();
  await until(() => told.length === 5, told);
  assert.deepEqual(told.slice(3), ['{"type":"user_typing","channelId":"7"}', 'closed']);
  assert.equal(lines.length, 1);
  endOpening();
  server.off('connection', take);
});
