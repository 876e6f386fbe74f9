import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '#platform/database.ts';
import { embeddedDatabaseUrls } from '#platform/database-roles.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { freePort } from '../test/free-port.ts';

/**
 * Starts the real program for one bench, in a separate process, with an empty data directory and durable defaults.
 * Only the limits on calls are raised.
 */
export type Site = {
  origin: string;
  port: number;
  pid: number;
  dataDir: string;
  urls: { superuserUrl: string; ownerUrl: string; appUrl: string };
  /** A pool of the superuser, for bulk rows, counts and the audit. */
  superuser: Database;
  /** Stops the program and removes its data. */
  close(): Promise<void>;
};

const root = resolve(import.meta.dirname, '..');
const READY_MS_MAX = 120_000;

export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'earnest-bench-'));

export const removeDataDir = (dataDir: string): void => rmSync(dataDir, { recursive: true, force: true });

export type Program = { child: ChildProcess; port: number; readyMs: number };

/** The flags of Node that `npm start` sets, with those that an experiment adds. */
function nodeFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const own = /^exec node (.*)server\/start\.ts$/.exec(scripts.start)?.[1] ?? '';
  return `${own} ${process.env.BENCH_NODE_FLAGS ?? ''}`.split(' ').filter((flag) => flag !== '');
}

/** Starts `server/main.ts` as `npm start` does, without the web, and waits until it reports that it is ready. */
export async function startProgram(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<Program> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, [...nodeFlags(), 'server/main.ts'], {
    cwd: root,
    stdio: ['ignore', process.env.BENCH_STDOUT === undefined ? 'ignore' : 'inherit', 'inherit'],
    env: {
      PATH: process.env.PATH,
      NODE_NO_WARNINGS: '1',
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      MODE: 'sandbox',
      PORT: String(port),
      SANDBOX_PORT: '0',
      DATA_DIR: dataDir,
      LIMIT_FACTOR: '999999999',
      LOG_LEVEL: 'warn',
      ...environment,
    },
  });
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`The program stopped with ${child.exitCode}`);
    if (performance.now() - started > READY_MS_MAX) throw new Error('The program was not ready in time');
    await sleep(5);
  }
  return { child, port, readyMs: performance.now() - started };
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}

export async function stopProgram({ child }: Program): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

export async function startSite(dataDir: string = newDataDir()): Promise<Site> {
  const program = await startProgram(dataDir);
  // Connects to the PostgreSQL server that the program has started.
  const { superuserUrl } = await startEmbeddedPostgres({ dataDir });
  const { ownerUrl, appUrl } = embeddedDatabaseUrls({ superuserUrl, dataDir, databaseName: 'earnest' });
  const inProduct = new URL(superuserUrl);
  inProduct.pathname = '/earnest';
  const superuser = openDatabase({
    url: inProduct.href,
    connectionsMax: 2,
    idleTimeoutMs: 0,
  });
  return {
    origin: `http://127.0.0.1:${program.port}`,
    port: program.port,
    pid: program.child.pid as number,
    dataDir,
    urls: { superuserUrl, ownerUrl, appUrl },
    superuser,
    close: async () => {
      await superuser.close();
      await stopProgram(program);
      if (process.env.BENCH_KEEP === undefined) removeDataDir(dataDir);
    },
  };
}

/** Runs `work` on a new site. */
export async function withSite<T>(work: (site: Site) => Promise<T>, dataDir?: string): Promise<T> {
  const site = await startSite(dataDir);
  try {
    return await work(site);
  } finally {
    await site.close();
  }
}
