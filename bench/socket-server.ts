import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ServerEvent } from '#contract/events.ts';
import { configureClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { createHealth } from '#platform/health.ts';
import { createLog } from '#platform/log.ts';
import { createApp } from '../server/app.ts';
import { messageEvent, type ServerOrder } from './socket-orders.ts';

/**
 * A server of the benches of sockets, a separate process: the whole application, whose messages go through its bus, or
 * the baseline, the library `ws` alone with a loop that sends. The parent says which, and when to send.
 */
type Server = { port: number; announce: (event: ServerEvent) => void };

/** The baseline has the same library with the same options, and makes the text of a message once. */
async function startBare(): Promise<Server> {
  const server = createHttpServer();
  const sockets = new WebSocketServer({
    server,
    path: '/ws',
    perMessageDeflate: false,
    maxPayload: 16 * 1024,
  });
  const open = new Set<WebSocket>();
  sockets.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('message', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    announce: (event) => {
      const text = JSON.stringify(event);
      for (const socket of open) socket.send(text);
    },
  };
}

async function startProduct(port: number): Promise<Server> {
  const config = readConfig({
    MODE: 'sandbox',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SANDBOX_PORT: '0',
    DATA_DIR: process.env.BENCH_DATA_DIR ?? '',
    LIMIT_FACTOR: '999999999',
  });
  const log = createLog('warn');
  const database = openDatabase({ url: process.env.BENCH_DATABASE_URL ?? '', connectionsMax: 8 });
  await configureClock(process.env.BENCH_OWNER_URL ?? '', {
    siteTimezone: config.siteTimezone,
    mode: config.mode,
  });
  const platform = await createApp({ config, database, log, health: createHealth(log) });
  await platform.app.listen({ host: '127.0.0.1', port });
  return { port, announce: (event) => platform.bus.announceChannel({ ownerId: null, event }) };
}

/**
 * The memory in use after everything that nobody needs was freed. Not the resident memory: a heap that has grown for
 * something else takes thousands of sockets without growing.
 */
async function bytesInUse(): Promise<number> {
  for (let turn = 0; turn < 4; turn += 1) {
    // An ordinary collection keeps what only weak references hold until a later one.
    await globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'async' });
    await sleep(1_000);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const givenPort = Number(process.argv[2]);
const { port, announce } = givenPort === 0 ? await startBare() : await startProduct(givenPort);

async function send({ count, perSecond }: Extract<ServerOrder, { kind: 'send' }>): Promise<void> {
  const startedAtMs = performance.now();
  for (let seq = 1; seq <= count; seq += 1) {
    if (perSecond !== null)
      await sleep(Math.max(0, startedAtMs + (seq * 1_000) / perSecond - performance.now()));
    announce(messageEvent(seq));
    // As between two calls that write messages.
    if (perSecond === null) await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

process.on('message', async (order: ServerOrder) => {
  if (order.kind === 'memory') process.send?.({ bytes: await bytesInUse() });
  else {
    await send(order);
    process.send?.({ isSent: true });
  }
});
process.on('SIGTERM', () => process.exit(0));
process.send?.({ port });
