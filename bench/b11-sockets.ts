import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../test/free-port.ts';
import { type Bench, type BenchOptions, interleave, type Outcome, ratioFigure } from './figure.ts';
import { type Site, withSite } from './site.ts';
import type { ClientOrder, ServerOrder } from './socket-orders.ts';
import { addMembers, openSessions } from './world.ts';

/**
 * B11 to B13: messages of 200 bytes to every socket of the general channel, through the bus of the whole application,
 * beside the library `ws` alone with a loop that sends. Each server has a process, and so have the readers of each.
 * Deliveries: from the first message of a burst until the last has arrived at the last socket. Memory: what the server
 * uses, after freeing what it can, with 5,000 idle sockets, less the same with the first 1,000 of them.
 */
const SOCKETS = 5_000;
const FEWER_SOCKETS = 1_000;
const DELIVERIES = 200_000;
const DELIVERIES_FULL = 1_000_000;
const RATE_PER_SECOND = 20;
const RATE_SECONDS = 10;
type Side = {
  /** Opens sockets, or closes the last ones, until there are so many. */
  hold(count: number): Promise<void>;
  /** The messages that arrive each second when many are sent to all sockets. */
  deliver(deliveries: number): Promise<number>;
  /** 99 of 100 messages are under way at most so long, in ms, at a constant rate. */
  p99(): Promise<number>;
  bytesInUse(): Promise<number>;
  close(): Promise<void>;
};

function start(program: string, args: string[], environment: Record<string, string> = {}): ChildProcess {
  return fork(join(import.meta.dirname, program), args, {
    execArgv: ['--expose-gc'],
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...environment },
  });
}

/** Gives an order, and waits for the answer that has this field. */
async function ask<Answer>(child: ChildProcess, order: ClientOrder | ServerOrder, field: string) {
  const answered = answerOf<Answer>(child, field);
  child.send(order);
  return answered;
}

function answerOf<Answer>(child: ChildProcess, field: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const take = (answer: object) => {
      if (!(field in answer)) return;
      child.off('message', take);
      child.off('exit', end);
      resolve(answer as Answer);
    };
    const end = (code: number) => reject(new Error(`A process of the bench ended with ${code}`));
    child.on('message', take);
    child.once('exit', end);
  });
}

async function startSide(server: ChildProcess, cookies: readonly string[]): Promise<Side> {
  const clients = start('socket-clients.ts', []);
  const { port } = await answerOf<{ port: number }>(server, 'port');
  let held = 0;
  const burst = async (order: Extract<ServerOrder, { kind: 'send' }>, notesDelays: boolean) => {
    await ask(clients, { kind: 'await', count: order.count * held, notesDelays }, 'awaited');
    const arrived = answerOf(clients, 'received');
    const startedAtMs = performance.now();
    await Promise.all([ask(server, order, 'isSent'), arrived]);
    return performance.now() - startedAtMs;
  };
  return {
    hold: async (count) => {
      if (count > held)
        await ask(clients, { kind: 'open', port, cookies: cookies.slice(held, count) }, 'open');
      else await ask(clients, { kind: 'leave', count }, 'open');
      held = count;
    },
    deliver: async (deliveries) => {
      const count = Math.round(deliveries / held);
      return (count * held * 1_000) / (await burst({ kind: 'send', count, perSecond: null }, false));
    },
    p99: async () => {
      await burst({ kind: 'send', count: RATE_SECONDS * RATE_PER_SECOND, perSecond: RATE_PER_SECOND }, true);
      return (await ask<{ p99Ms: number }>(clients, { kind: 'delays' }, 'p99Ms')).p99Ms;
    },
    bytesInUse: async () => (await ask<{ bytes: number }>(server, { kind: 'memory' }, 'bytes')).bytes,
    close: async () => {
      for (const child of [clients, server]) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
    },
  };
}

async function startProduct(site: Site, cookies: readonly string[]): Promise<Side> {
  const server = start('socket-server.ts', [String(await freePort())], {
    BENCH_DATA_DIR: site.dataDir,
    BENCH_DATABASE_URL: site.urls.appUrl,
    BENCH_OWNER_URL: site.urls.ownerUrl,
  });
  return startSide(server, cookies);
}

/**
 * The memory of an idle socket in kB. What the first sockets make the server load is not counted. Leaves all sockets
 * open.
 */
async function memoryOf(side: Side): Promise<number> {
  await side.hold(FEWER_SOCKETS);
  const before = await side.bytesInUse();
  await side.hold(SOCKETS);
  return ((await side.bytesInUse()) - before) / (SOCKETS - FEWER_SOCKETS) / 1_024;
}

async function measure(sides: { product: Side; bare: Side }, options: BenchOptions): Promise<Outcome> {
  const { product, bare } = sides;
  const memory = { product: await memoryOf(product), bare: await memoryOf(bare) };
  options.log(`  idle socket: ${memory.product.toFixed(1)} kB, bare ${memory.bare.toFixed(1)} kB`);
  const deliveries = options.isFull ? DELIVERIES_FULL : DELIVERIES;
  const measured = async (sockets: number) => {
    for (const side of [product, bare]) {
      await side.hold(sockets);
      await side.deliver(deliveries / 4);
    }
    return interleave(
      { deliveries: () => product.deliver(deliveries), 'bare ws': () => bare.deliver(deliveries) },
      { unit: '/s', log: options.log },
    );
  };
  const many = await measured(SOCKETS);
  const few = await measured(FEWER_SOCKETS);
  const delays = await interleave(
    { p99: product.p99, 'bare ws p99': bare.p99 },
    { unit: 'ms', log: options.log },
  );
  const one = (name: string, value: number) => ({ name, unit: 'kB', values: [value] });
  const kB = { product: one('idle socket', memory.product), bare: one('bare ws, idle socket', memory.bare) };
  const b11 = { id: 'B11', target: { min: 0.8 }, aim: { min: 1 } };
  const title = (sockets: number) => `Deliveries, ${sockets.toLocaleString('en')} sockets ÷ bare ws`;
  return {
    figures: [
      ratioFigure({ ...b11, title: title(FEWER_SOCKETS) }, few.deliveries, few['bare ws']),
      ratioFigure({ ...b11, title: title(SOCKETS) }, many.deliveries, many['bare ws']),
      ratioFigure(
        {
          id: 'B12',
          title: 'p99 delivery, 1,000 sockets, 20 messages/s ÷ bare ws',
          target: { max: 2 },
          aim: { max: 1.3 },
        },
        delays.p99,
        delays['bare ws p99'],
      ),
      ratioFigure(
        {
          id: 'B13',
          title: 'Memory per idle socket, 5,000 ÷ bare ws',
          target: { max: 2 },
          aim: { max: 1.5 },
        },
        kB.product,
        kB.bare,
      ),
    ],
    series: [...Object.values(few), ...Object.values(many), ...Object.values(delays), ...Object.values(kB)],
    notes: [],
  };
}

const run = (options: BenchOptions): Promise<Outcome> =>
  withSite(async (site) => {
    await addMembers(site);
    const cookies = await openSessions(site, SOCKETS);
    const product = await startProduct(site, cookies);
    const bare = await startSide(start('socket-server.ts', ['0']), cookies);
    try {
      return await measure({ product, bare }, options);
    } finally {
      await product.close();
      await bare.close();
    }
  });

export const socketsBench: Bench = { name: 'b11', ids: ['B11', 'B12', 'B13'], run };
