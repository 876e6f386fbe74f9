/**
 * The PostgreSQL server that comes with the product in an npm package. Its files are in the folder `postgres` of the
 * site, its password in `secrets`.
 *
 * The server is a process group of its own, so Ctrl-C reaches only the program, which drains and then stops the server.
 * After a `kill -9` of the program the server keeps running and the next start adopts it. `embedded-postgres-user.ts`
 * chooses the system user.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigFault } from './config.ts';
import { clusterFolderOf, nodeFolderOf } from './data-folders.ts';
import { openDatabase, sql } from './database.ts';
import { findPostgresBinaries, type PostgresBinaries } from './embedded-postgres-binaries.ts';
import { type SystemUser, spawnAs, userFor } from './embedded-postgres-user.ts';
import { isProcessAlive, withFileLock } from './file-lock.ts';
import { readOrMakeSecret } from './secret-files.ts';

export type EmbeddedPostgres = {
  superuserUrl: string;
  /** True if the server was already running: another process uses it, or the last one was killed. */
  isAdopted: boolean;
  /** The folder of the cluster. */
  directory: string;
  /** False after a crash, or after another process stopped the server. */
  isRunning(): boolean;
  /** Starts an ended server on the same port, or finds that another process has. Throws with its output. */
  startAgain(): Promise<void>;
  /** Stops the server. Open transactions are rolled back; everything committed is on disk. */
  close(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /** The product's DATA_DIR. */
  dataDir: string;
  /** False only in tests, which accept that a crash of the machine loses the newest commits. */
  durable?: boolean;
  /** Other programs than those of the npm package, in tests. */
  binaries?: PostgresBinaries;
};

const START_TIMEOUT_MS = 60_000;
/** Time for clients to disconnect before their connections are closed. */
const DISCONNECT_TIMEOUT_MS = 1_000;
const STOP_TIMEOUT_MS = 60_000;
const PORT_ATTEMPTS_MAX = 3;

type Cluster = {
  directory: string;
  binaries: PostgresBinaries;
  user: SystemUser | undefined;
  password: string;
  durable: boolean;
};
type Running = { pid: number; port: number };

/** Initialises the cluster at the first start. Adopts the server if it is running, else starts it. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = path.resolve(options.dataDir);
  const folders = { site: path.dirname(clusterFolderOf(dataDir)), node: nodeFolderOf(dataDir) };
  for (const folder of Object.values(folders)) fs.mkdirSync(folder, { recursive: true });
  const locked = <T>(work: () => Promise<T>) =>
    withFileLock(path.join(folders.node, 'postgres.lock'), START_TIMEOUT_MS, work);
  return locked(async () => {
    const binaries = options.binaries ?? findPostgresBinaries();
    const directory = clusterFolderOf(fs.realpathSync(dataDir));
    const user = userFor(directory, binaries.initdb);
    const password = readOrMakeSecret(dataDir, 'postgres-superuser');
    const cluster = { directory, binaries, user, password, durable: options.durable ?? true };
    if (!fs.existsSync(directory)) await initialise(cluster);
    assertSameMajorVersion(cluster);
    const adopted = await adopt(cluster);
    let running = adopted ?? (await start(cluster));
    return {
      superuserUrl: urlOf(cluster, running),
      isAdopted: adopted !== undefined,
      directory,
      isRunning: () => isRunning(cluster, running.pid),
      startAgain: () =>
        locked(async () => {
          running = (await adopt(cluster)) ?? (await startAt(cluster, running.port));
        }),
      close: () => stop(cluster, running.pid),
    };
  });
}

/**
 * Writes the cluster to a directory beside its own and renames it, so that an interrupted start leaves no incomplete
 * cluster.
 */
async function initialise({ directory, binaries, user, password, durable }: Cluster): Promise<void> {
  const partial = `${directory}.partial`;
  const passwordFile = `${directory}.password`;
  fs.rmSync(partial, { recursive: true, force: true });
  fs.mkdirSync(partial, { mode: 0o700 });
  fs.writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user) {
    fs.chownSync(partial, user.uid, user.gid);
    fs.chownSync(passwordFile, user.uid, user.gid);
  }
  const args = [
    `--pgdata=${partial}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The builtin locale is that of the system's C.UTF-8. It came with PostgreSQL 17.
    ...(Number(binaries.majorVersion) < 17
      ? ['--locale=C.UTF-8']
      : ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']),
  ];
  if (!durable) args.push('--no-sync');
  try {
    const child = spawnAs(user, binaries.initdb, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout?.on('data', (text) => {
      output += text;
    });
    child.stderr?.on('data', (text) => {
      output += text;
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`PostgreSQL could not be initialised in ${directory}:\n${output}`);
  } finally {
    fs.rmSync(passwordFile, { force: true });
  }
  fs.renameSync(partial, directory);
  if (durable) syncDirectory(path.dirname(directory));
}

function syncDirectory(directory: string): void {
  const handle = fs.openSync(directory, 'r');
  fs.fsyncSync(handle);
  fs.closeSync(handle);
}

function assertSameMajorVersion({ directory, binaries }: Cluster): void {
  const version = readVersion(directory);
  if (version === binaries.majorVersion) return;
  throw new ConfigFault([
    `DATA_DIR: ${directory} was written by PostgreSQL ${version}, this release brings ${binaries.majorVersion}. ` +
      'Dump it with the former release and restore it with this one, or use DATABASE_URL.',
  ]);
}

/** Reads postmaster.pid: line 1 is the process, line 4 the port, line 8 the state. */
function readPidFile(directory: string): { pid: number; port: number; state: string } | undefined {
  let lines: string[];
  try {
    lines = fs.readFileSync(path.join(directory, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return { pid: Number(lines[0]), port: Number(lines[3]), state: (lines[7] ?? '').trim() };
}

/** Returns a server that is already running on this directory, once it is ready; else undefined. */
async function adopt(cluster: Cluster): Promise<Running | undefined> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const found = readPidFile(cluster.directory);
    if (!found || !isProcessAlive(found.pid)) return undefined;
    if (!mayBeServerOf(found.pid, cluster.directory)) {
      // The process id now belongs to another program. PostgreSQL would not start while this file is there.
      fs.rmSync(path.join(cluster.directory, 'postmaster.pid'));
      return undefined;
    }
    if (found.state === 'ready') {
      await assertServes(cluster, found);
      return found;
    }
    if (Date.now() > deadline) {
      throw new Error(
        `PostgreSQL (process ${found.pid}) is "${found.state}" for too long: ${cluster.directory}`,
      );
    }
    await sleep(20);
  }
}

/** On Linux, compares the process's working directory with the data directory. Elsewhere assumes a match. */
function mayBeServerOf(pid: number, directory: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const hasEnded = /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
    return !hasEnded && fs.readlinkSync(`/proc/${pid}/cwd`) === directory;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

async function assertServes(cluster: Cluster, running: Running): Promise<void> {
  const database = openDatabase({ url: urlOf(cluster, running), connectionsMax: 1 });
  try {
    const { directory } = await database.one<{ directory: string }>(
      sql`select current_setting('data_directory') as directory`,
    );
    assert.equal(directory, cluster.directory, 'Another PostgreSQL answers on the port in postmaster.pid');
  } finally {
    await database.close();
  }
}

async function start(cluster: Cluster): Promise<Running> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startAt(cluster, await findFreePort());
    } catch (error) {
      const isPortTaken = error instanceof Error && error.message.includes('Address already in use');
      if (!isPortTaken || attempt === PORT_ATTEMPTS_MAX) throw error;
    }
  }
}

async function startAt(cluster: Cluster, port: number): Promise<Running> {
  const started = await launch(cluster, port);
  if (typeof started === 'number') return { pid: started, port };
  throw new Error(`PostgreSQL did not start in ${cluster.directory}:\n${started}`);
}

/** Starts the server. Returns its process id once it is ready, or its output if it failed. */
async function launch(cluster: Cluster, port: number): Promise<number | string> {
  const logFile = `${cluster.directory}.start.log`;
  const log = fs.openSync(logFile, 'w', 0o600);
  const child = spawnAs(cluster.user, cluster.binaries.postgres, serverArguments(cluster, port), {
    stdio: ['ignore', log, log],
    detached: true,
  });
  fs.closeSync(log);
  child.unref();
  let hasExited = false;
  child.once('exit', () => {
    hasExited = true;
  });
  child.once('error', () => {
    hasExited = true;
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!hasExited) {
    const found = readPidFile(cluster.directory);
    if (found?.pid === child.pid && found?.state === 'ready') return found.pid;
    if (Date.now() > deadline) {
      child.kill('SIGQUIT');
      break;
    }
    await sleep(10);
  }
  return fs.readFileSync(logFile, 'utf8');
}

/** The major version of the data in a folder. */
const readVersion = (directory: string): string =>
  fs.readFileSync(path.join(directory, 'PG_VERSION'), 'utf8').trim();

function serverArguments({ directory, durable }: Cluster, port: number): string[] {
  const quarterMb = Math.floor(os.totalmem() / 4 / 1024 / 1024);
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    shared_buffers: `${Math.max(16, Math.min(1024, quarterMb))}MB`,
    max_wal_size: '4GB',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    logging_collector: 'on',
    log_directory: 'log',
    log_filename: 'postgresql-%a.log',
    log_truncate_on_rotation: 'on',
    log_rotation_age: '1d',
  };
  // Reading by processes of its own takes a tenth of two processors from an audit of 20 million movements.
  if (Number(readVersion(directory)) >= 18) Object.assign(settings, { io_method: 'sync' });
  if (!durable) {
    Object.assign(settings, {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      shared_buffers: '128MB',
      max_wal_size: '512MB',
      max_connections: 300,
    });
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', directory, ...options];
}

const isRunning = ({ directory }: Cluster, pid: number): boolean =>
  isProcessAlive(pid) && readPidFile(directory)?.pid === pid;

/**
 * Shuts down smart (SIGTERM) first, so that connections that are being closed end without an error, then fast (SIGINT),
 * which ends the others.
 */
async function stop(cluster: Cluster, pid: number): Promise<void> {
  const endsWithin = async (timeoutMs: number) => {
    for (const deadline = Date.now() + timeoutMs; isRunning(cluster, pid) && Date.now() < deadline; )
      await sleep(10);
    return !isRunning(cluster, pid);
  };
  if (!isRunning(cluster, pid)) return;
  process.kill(pid, 'SIGTERM');
  if (await endsWithin(DISCONNECT_TIMEOUT_MS)) return;
  process.kill(pid, 'SIGINT');
  if (!(await endsWithin(STOP_TIMEOUT_MS)))
    throw new Error(`PostgreSQL (process ${pid}) did not stop within ${STOP_TIMEOUT_MS / 1000} s`);
}

async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function urlOf({ password }: Cluster, { port }: Running): string {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
}
