import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Failpoint } from '../server/withdrawals/failpoint.ts';
import type { World } from './withdrawals-world.ts';

/**
 * A node that pays, in a process of its own with its own DATA_DIR: it sweeps all the time with short limits, and takes
 * requests and approvals. It can be killed or stopped at a named step, and a stopped one goes on when it is thawed.
 */
export type NodeTask = { silenceMs: number; rpcTimeoutMs: number; leaseMs: number; pauseMs: number };

export type NodeOrder =
  | { act: 'arm'; failpoint: string }
  | { act: 'disarm' }
  | { act: 'look' }
  | { act: 'request'; memberId: number; amountPoints: string; address: string; requestKey: string }
  | { act: 'approve'; operatorId: number; id: string };

export type NodeLook = { turnCount: number; troubles: string[] };
export type NodeAnswer = { number: number; result: string | NodeLook | null; error: string | null };

export type PayoutNode = {
  /** At its next arrival at the step the process is killed, or stops. */
  arm: (name: Failpoint, act: 'kill' | 'stop') => Promise<void>;
  disarm: () => Promise<void>;
  /** Runs a request or an approval. Fails if the process ends before. */
  run: (order: NodeOrder) => Promise<NodeAnswer['result']>;
  look: () => Promise<NodeLook>;
  isStopped: () => boolean;
  hasEnded: () => boolean;
  thaw: () => void;
  kill: () => void;
  /** Starts the process again after its end. */
  start: () => Promise<void>;
};

type Lifetime = { after: (work: () => Promise<void>) => void };

export const nodeLimits: NodeTask = { silenceMs: 800, rpcTimeoutMs: 1_000, leaseMs: 600, pauseMs: 50 };
const ANSWERED_MS_MAX = 60_000;

/** Starts a node on the world's database, or on the same one by another URL. */
export async function startPayoutNode(
  t: Lifetime,
  world: World,
  url = world.appUrl,
  limits: NodeTask = nodeLimits,
): Promise<PayoutNode> {
  const dataDir = mkdtempSync(join(tmpdir(), 'payout-node-'));
  let child: ChildProcess | undefined;
  let orderCount = 0;
  t.after(async () => {
    if (child && !hasEnded(child)) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(dataDir, { recursive: true });
  });

  const ask = (order: NodeOrder) => {
    orderCount += 1;
    return answerOf(child as ChildProcess, orderCount, order);
  };
  const look = async () => (await ask({ act: 'look' })) as NodeLook;
  const start = async () => {
    child = fork(new URL('./payout-node-process.ts', import.meta.url), [JSON.stringify(limits)], {
      execArgv: [],
      env: {
        PATH: process.env.PATH,
        ...world.environment,
        DATA_DIR: dataDir,
        TEST_DATABASE_URL: url,
        ...(process.env.LOG_LEVEL ? { LOG_LEVEL: process.env.LOG_LEVEL } : {}),
        ...(process.env.NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } : {}),
      },
    });
    // After its first turn the node has its marker.
    while ((await look()).turnCount === 0) await sleep(20);
  };
  await start();
  return {
    arm: async (name, act) => void (await ask({ act: 'arm', failpoint: `${name}:${act}` })),
    disarm: async () => void (await ask({ act: 'disarm' })),
    run: ask,
    look,
    isStopped: () => child !== undefined && !hasEnded(child) && stateOf(child) === 'T',
    hasEnded: () => child === undefined || hasEnded(child),
    thaw: () => void child?.kill('SIGCONT'),
    kill: () => void child?.kill('SIGKILL'),
    start,
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** The state of a process as the kernel tells it, `T` for a stopped one. */
const stateOf = ({ pid }: ChildProcess): string =>
  /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';

/** Sends an order and waits for its answer. A stopped process gives it when it goes on. */
async function answerOf(
  child: ChildProcess,
  number: number,
  order: NodeOrder,
): Promise<NodeAnswer['result']> {
  const answered = Promise.withResolvers<NodeAnswer['result']>();
  const hear = (answer: NodeAnswer) => {
    if (answer.number !== number) return;
    if (answer.error === null) answered.resolve(answer.result);
    else answered.reject(new Error(`${order.act}: ${answer.error}`));
  };
  const giveUp = () => answered.reject(new Error(`${order.act}: the process ended before its answer`));
  const timer = setTimeout(giveUp, ANSWERED_MS_MAX);
  child.on('message', hear).once('exit', giveUp);
  try {
    child.send({ number, order }, (error) => void (error && giveUp()));
    return await answered.promise;
  } finally {
    clearTimeout(timer);
    child.off('message', hear).off('exit', giveUp);
  }
}
