import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from './free-port.ts';

/** Runs the real process as `npm start` does. */
const root = resolve(import.meta.dirname, '..');

type Lifetime = { after: (callback: () => Promise<void>) => void };
export type Account = { email: string; password: string };
export type RunningSite = {
  origin: string;
  /** The number of its process. */
  pid: number;
  operator: Account;
  member: Account;
  /** The log of the process so far. */
  log: () => string;
  /** The exit code at its end, or null if a signal ended it. */
  ended: Promise<number | null>;
  /** Sends a signal and waits for the end. Returns the exit code, or null if the signal itself ended the process. */
  stop: (signal: NodeJS.Signals) => Promise<number | null>;
};

const READY_MS_MAX = 90_000;

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

/** Names the folder of a stopped site, while `holdDemoFolder` holds it. */
const DEMO_FOLDER = 'EARNEST_TEST_DEMO_FOLDER';

/**
 * Makes the demo world once for all test files that this process starts: their sites begin with a copy of its folder.
 * Returns the function that removes it.
 */
export async function holdDemoFolder(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'earnest-demo-'));
  const { stop, lines } = await spawnSite(folder);
  try {
    await lines;
  } finally {
    await stop('SIGTERM');
  }
  process.env[DEMO_FOLDER] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Copies the held folder with the owners of its files, because the database may run as another user. */
function copyDemoFolder(dataDir: string): void {
  const folder = process.env[DEMO_FOLDER];
  if (folder === undefined) return;
  assert.equal(spawnSync('cp', ['-a', `${folder}/.`, dataDir], { stdio: 'inherit' }).status, 0);
}

/** Starts the site in sandbox mode on a free port, with an own folder: an empty one, or a copy of the held one. */
export async function startedSite(
  lifetime: Lifetime,
  environment: Record<string, string> = {},
): Promise<RunningSite> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earnest-e2e-'));
  // The folder belongs to the database in it.
  if (environment.DATABASE_URL === undefined) copyDemoFolder(dataDir);
  const { lines, ...site } = await spawnSite(dataDir, environment);
  lifetime.after(async () => {
    await site.stop('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  });
  const ready = await lines;
  const account = (who: string): Account => {
    const [, email = '', password = ''] = new RegExp(`^${who}: (\\S+) (\\S+)$`, 'm').exec(ready) ?? [];
    return { email, password };
  };
  return {
    origin: /^Address: (\S+)$/m.exec(ready)?.[1] ?? '',
    operator: account('Operator'),
    member: account('Member'),
    ...site,
  };
}
