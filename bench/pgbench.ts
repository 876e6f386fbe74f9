import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** PostgreSQL's own load generator. The npm package does not contain it, so the system's is used. */
const run = promisify(execFile);

export function findPgbench(): string {
  const inPath = (process.env.PATH ?? '').split(':').map((folder) => join(folder, 'pgbench'));
  const found = [...inPath, ...globSync('/usr/lib/postgresql/*/bin/pgbench')].find((path) =>
    existsSync(path),
  );
  if (found === undefined)
    throw new Error('pgbench is missing. Debian and Ubuntu: apt-get install postgresql-contrib');
  return found;
}

export type PgbenchOptions = { url: string; script: string; clients: number; seconds: number };

/**
 * Transactions per second of `script` by `clients` at once, without the time to connect.
 * @throws if a transaction failed, because a rate of failures is not a figure
 */
export async function pgbench({ url, script, clients, seconds }: PgbenchOptions): Promise<number> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'earnest-pgbench-'));
  const file = join(folder, 'script.sql');
  writeFileSync(file, script);
  const args = ['-n', '-M', 'prepared', '-c', clients, '-j', Math.min(2, clients), '-T', seconds, '-f', file];
  const place = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)];
  try {
    const { stdout } = await run(findPgbench(), [...args.map(String), ...place], {
      env: { ...process.env, PGPASSWORD: decodeURIComponent(password) },
    });
    const rate = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
    const failed = /^number of failed transactions: (\d+)/m.exec(stdout)?.[1] ?? '0';
    if (rate === undefined || failed !== '0') throw new Error(`pgbench failed:\n${stdout}`);
    return Number(rate);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
