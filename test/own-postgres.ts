import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase, sqlText } from '#platform/database.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { postgresBinariesIn } from './postgres-binaries.ts';

/** A PostgreSQL of the operator's own: the system's, with the defaults of a new server. */
const newestVersionFirst = (one: string, other: string) => other.localeCompare(one, 'en', { numeric: true });
const directory = globSync('/usr/lib/postgresql/*/bin').sort(newestVersionFirst)[0];

/** The reason for leaving a test out, or false. CI must have the programs. */
export const skipWithoutOwnPostgres =
  directory === undefined && process.env.CI === undefined && 'the system has no PostgreSQL';

type Lifetime = { after: (callback: () => Promise<void>) => void };
export type OwnPostgres = { superuserUrl: string; appUrl: string; ownerUrl: string };

/** Starts a server. An administrator makes two roles and the owner's empty database, and no more. */
export async function startOwnPostgres(lifetime: Lifetime): Promise<OwnPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'own-postgres-'));
  const binaries = postgresBinariesIn(directory ?? '');
  const server = await startEmbeddedPostgres({ dataDir, durable: false, binaries });
  lifetime.after(async () => {
    await server.close();
    rmSync(dataDir, { recursive: true });
  });
  const { superuserUrl } = server;
  const administrator = openDatabase({ url: superuserUrl, connectionsMax: 1 });
  for (const statement of [
    'alter role all set jit = on',
    "create role site_owner login createrole password 'owner'",
    "create role site_app login password 'app'",
    'create database site owner site_owner',
  ])
    await administrator.rows(sqlText(statement));
  await administrator.close();
  const urlOf = (user: string, password: string) => {
    const url = new URL(superuserUrl);
    [url.username, url.password, url.pathname] = [user, password, '/site'];
    return url.href;
  };
  return { superuserUrl, appUrl: urlOf('site_app', 'app'), ownerUrl: urlOf('site_owner', 'owner') };
}

/** Runs a program of the server's package, such as pg_dump. */
export async function runPostgresProgram(name: string, args: string[]): Promise<void> {
  await promisify(execFile)(join(directory ?? '', name), args);
}
