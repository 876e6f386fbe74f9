import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, sqlText } from '#platform/database.ts';
import { freePort } from './free-port.ts';

/** The real PgBouncer in transaction mode before a server, with the settings of its package. */
const pgbouncer = '/usr/sbin/pgbouncer';

/** The reason for leaving a test out, or false. CI must have the program. */
export const skipWithoutPgbouncer =
  !existsSync(pgbouncer) && process.env.CI === undefined && 'pgbouncer is not installed';

type Lifetime = { after: (callback: () => Promise<void>) => void };

export type Pgbouncer = {
  /** The same URL by way of the pooler. */
  through: (url: string) => string;
  /** Ends all its connections to the server after their transactions, as its command RECONNECT does. */
  reconnect: () => Promise<void>;
};

/** Starts it for the users of these URLs, which are on one server. */
export async function startPgbouncer(
  lifetime: Lifetime,
  urls: string[],
  settings: Record<string, string | number> = {},
): Promise<Pgbouncer> {
  const directory = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  const port = await freePort();
  const server = new URL(urls[0] ?? '');
  const users = urls.map((url) => new URL(url));
  const config = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(directory, 'users'),
    admin_users: server.username,
    pool_mode: 'transaction',
    default_pool_size: 20,
    max_client_conn: 200,
    logfile: join(directory, 'log'),
    ...settings,
  };
  const lines = Object.entries(config).map(([name, value]) => `${name} = ${value}`);
  const databases = `* = host=${server.hostname} port=${server.port}`;
  const file = join(directory, 'pgbouncer.ini');
  writeFileSync(file, ['[databases]', databases, '[pgbouncer]', ...lines, ''].join('\n'));
  writeFileSync(config.auth_file, users.map((user) => `"${user.username}" "${user.password}"\n`).join(''));
  // PgBouncer refuses to run as root.
  const ids = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (ids.uid !== undefined)
    for (const path of [directory, file, config.auth_file]) chownSync(path, ids.uid, ids.gid);
  const child = spawn(pgbouncer, ['--quiet', file], { ...ids, cwd: '/', stdio: 'ignore' });
  child.unref();
  lifetime.after(async () => {
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true });
  });
  const through = (url: string) => {
    const changed = new URL(url);
    changed.host = `127.0.0.1:${port}`;
    return changed.href;
  };
  await untilListening(port, () => (existsSync(config.logfile) ? readFileSync(config.logfile, 'utf8') : ''));
  const console = new URL(through(server.href));
  console.pathname = '/pgbouncer';
  return { through, reconnect: () => runOnConsole(console.href, 'reconnect') };
}

async function untilListening(port: number, log: () => string): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if (/listening on/.test(log())) return;
    await sleep(10);
  }
  throw new Error(`PgBouncer does not listen on ${port}:\n${log()}`);
}

/** The console takes plain text only. */
async function runOnConsole(url: string, command: string): Promise<void> {
  const database = openDatabase({ url: `${url}?statements=unnamed`, connectionsMax: 1 });
  await database.rows(sqlText(command));
  await database.close();
}
