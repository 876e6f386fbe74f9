import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pino from 'pino';
import { ConfigFault } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import type { Log } from '#platform/log.ts';
import { createNode } from '../server/node.ts';
import { buildWeb } from './built-web.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { freePort } from './free-port.ts';
import { silentLog } from './site.ts';

/** Runs the site as `npm start` does, in its real process or in this one. */
const root = resolve(import.meta.dirname, '..');

type Lifetime = { after: (callback: () => Promise<void>) => void };
export type Account = { email: string; password: string };
export type RunningSite = {
  origin: string;
  /** The number of its process. */
  pid: number;
  operator: Account;
  member: Account;
  /** The folder that the start names to begin anew. */
  freshWithout: string | undefined;
  /** The log of the process so far. */
  log: () => string;
  /** The exit code at its end, or null if a signal ended it. */
  ended: Promise<number | null>;
  /** Sends a signal and waits for the end. Returns the exit code, or null if the signal itself ended the process. */
  stop: (signal: NodeJS.Signals) => Promise<number | null>;
};

const READY_MS_MAX = 240_000;

function readyLines(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`Not ready in time:\n${output()}`)), READY_MS_MAX);
    child.stdout?.on('data', () => {
      if (!/^Member: /m.test(output())) return;
      clearTimeout(timer);
      done(output());
    });
    child.on('exit', (code) => {
      clearTimeout(timer);
      fail(new Error(`The site ended with ${code}:\n${output()}`));
    });
  });
}

/** Starts the process on this folder, without waiting until it is ready. */
async function spawnSite(dataDir: string, environment: Record<string, string> = {}) {
  const port = String(await freePort());
  const child = spawn(process.execPath, ['server/start.ts'], {
    cwd: root,
    env: { ...process.env, PORT: port, SANDBOX_PORT: '0', DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let logged = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += String(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    logged += String(chunk);
  });
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  const lines = readyLines(child, () => said + logged);
  return { pid: child.pid ?? 0, log: () => logged, ended, stop, lines };
}

/** Names the demo world that `holdDemoWorld` holds: the folder and the database of a stopped site, as JSON. */
const DEMO_WORLD = 'EARNEST_TEST_DEMO_WORLD';
type DemoWorld = { folder: string; database: string };

/** Ends parts in the reverse order of their start, so that a site stops while its database still answers. */
function lastFirst(): Lifetime & { end: () => Promise<void> } {
  const ends: (() => Promise<void>)[] = [];
  return {
    after: (end) => void ends.push(end),
    end: async () => {
      for (const end of ends.reverse()) await end();
    },
  };
}

function temporaryFolder(lifetime: Lifetime): string {
  const folder = mkdtempSync(join(tmpdir(), 'earnest-e2e-'));
  lifetime.after(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const urlsOf = ({ appUrl, ownerUrl }: TestDatabase) => ({
  DATABASE_URL: appUrl,
  DATABASE_OWNER_URL: ownerUrl,
});

/**
 * Makes the demo world once for all test files that this process starts: their sites begin with a copy of it. Returns
 * the function that removes it.
 */
export async function holdDemoWorld(): Promise<() => Promise<void>> {
  const lifetime = lastFirst();
  const folder = temporaryFolder(lifetime);
  const database = await testDatabase(lifetime);
  const { stop, lines } = await spawnSite(folder, urlsOf(database));
  try {
    await lines;
  } finally {
    await stop('SIGTERM');
  }
  process.env[DEMO_WORLD] = JSON.stringify({ folder, database: database.name } satisfies DemoWorld);
  return lifetime.end;
}

function findHeldWorld(): DemoWorld | undefined {
  const held = process.env[DEMO_WORLD];
  return held === undefined ? undefined : JSON.parse(held);
}

/**
 * Makes a database of its own in the test cluster and a data folder. They have the demo world if it is held; else the
 * first start makes it.
 */
async function worldParts(parts: Lifetime) {
  const world = findHeldWorld();
  const database = await testDatabase(parts, world?.database);
  const folder = temporaryFolder(parts);
  if (world !== undefined) cpSync(world.folder, folder, { recursive: true });
  return { database, folder };
}

/** Makes the demo world for the tests of a file, unless it is held. */
export async function needDemoWorld(lifetime: Lifetime): Promise<void> {
  if (findHeldWorld() === undefined) lifetime.after(await holdDemoWorld());
}

/**
 * A copy of the held demo world, without a site that runs. `site` is the environment of all its nodes, each with a data
 * folder of its own, and `node` that of the one whose folder is a copy too.
 */
export async function demoWorld(lifetime: Lifetime) {
  assert.ok(findHeldWorld());
  const parts = lastFirst();
  lifetime.after(parts.end);
  const { database, folder } = await worldParts(parts);
  const secret = readFileSync(join(folder, 'site/secrets/app-secret'), 'utf8').trim();
  const site = { ...urlsOf(database), APP_SECRET: secret };
  return { database, site, node: { ...site, DATA_DIR: folder } };
}

/** `owner` has the rights of the database's owner. */
export type DemoSite = Pick<RunningSite, 'origin' | 'operator' | 'member'> & { owner: Database };

/**
 * Starts a site in sandbox mode in this process, as `npm start` composes it, on a database of its own in the test
 * cluster. It has the demo world: a copy of the held one, or one that it makes. It is silent unless it gets a log.
 */
export async function demoSite(
  lifetime: Lifetime,
  environment: Record<string, string> = {},
  log = silentLog(),
): Promise<DemoSite> {
  const parts = lastFirst();
  lifetime.after(parts.end);
  const { database, folder } = await worldParts(parts);
  if (findHeldWorld() === undefined) await buildWeb();
  const given = { DATA_DIR: folder, ...urlsOf(database), ...environment };
  const { origin, operator, member } = await startedNode(parts, given, log);
  return { origin, operator, member, owner: database.owner };
}

/** Composes a node as the process does, in this one. Its folder is one of its own, unless the environment names it. */
async function nodeOf(lifetime: Lifetime, environment: Record<string, string>, log: Log) {
  const node = createNode({
    environment: {
      ...process.env,
      PORT: String(await freePort()),
      SANDBOX_PORT: '0',
      DATA_DIR: temporaryFolder(lifetime),
      ...environment,
    },
    log,
    onFailed: (reason) => {
      throw new Error(`The site failed: ${reason}`);
    },
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= node.close();
    return closed;
  };
  lifetime.after(close);
  return { start: node.start, close };
}

export type StartedNode = Pick<RunningSite, 'origin' | 'operator' | 'member' | 'log'> & {
  close: () => Promise<void>;
};

/** Starts a node in sandbox mode in this process. By default its log is kept for the test. */
export async function startedNode(
  lifetime: Lifetime,
  environment: Record<string, string>,
  given?: Log,
): Promise<StartedNode> {
  const parts = lastFirst();
  lifetime.after(parts.end);
  const logged: string[] = [];
  const keep = { write: (line: string) => void logged.push(line) };
  const log = given ?? pino({ level: 'info', serializers: { error: pino.stdSerializers.err } }, keep);
  const { start, close } = await nodeOf(parts, environment, log);
  const { address, accounts } = await start();
  assert.ok(accounts);
  return { origin: address, ...accounts, log: () => logged.join(''), close };
}

/** Starts a node in live mode in this process. */
export async function liveNode(
  lifetime: Lifetime,
  environment: Record<string, string>,
): Promise<{ close: () => Promise<void> }> {
  const { start, close } = await nodeOf(lifetime, environment, silentLog());
  await start();
  return { close };
}

/** The lines with which a start in this process is refused. `main.ts` prints them. */
export async function refusalLines(environment: Record<string, string>): Promise<readonly string[]> {
  const parts = lastFirst();
  try {
    const { start } = await nodeOf(parts, environment, silentLog());
    await start();
  } catch (error) {
    if (error instanceof ConfigFault) return error.lines;
    throw error;
  } finally {
    await parts.end();
  }
  return assert.fail('it started');
}

/** Starts the site in sandbox mode on a free port, by default with an own folder and the embedded PostgreSQL. */
export async function startedSite(
  lifetime: Lifetime,
  environment: Record<string, string> = {},
): Promise<RunningSite> {
  const parts = lastFirst();
  lifetime.after(parts.end);
  const { lines, ...site } = await spawnSite(temporaryFolder(parts), environment);
  parts.after(async () => void (await site.stop('SIGTERM')));
  const ready = await lines;
  const account = (who: string): Account => {
    const [, email = '', password = ''] = new RegExp(`^${who}: (\\S+) (\\S+)$`, 'm').exec(ready) ?? [];
    return { email, password };
  };
  return {
    origin: /^Address: (\S+)$/m.exec(ready)?.[1] ?? '',
    operator: account('Operator'),
    member: account('Member'),
    freshWithout: /^To begin anew: stop it and delete (.+)$/m.exec(ready)?.[1],
    ...site,
  };
}
