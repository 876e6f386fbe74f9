/**
 * Brings the database's schema to this release. Migrations (`server/migrations/NNNN_name.sql`) run once, in order,
 * forward only, each in its own transaction. A file that was changed after it was applied stops the start. Function
 * files (`server/<feature>/functions.sql`, then `functions-<subject>.sql`) hold the current text of each function; when
 * one changes, all are applied again. Concurrent starts wait for each other. A database that a newer release has used
 * is left as it is, if that release works with this one.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { ConfigFault } from './config.ts';
import { lockNumber } from './lock-number.ts';
import { compareVersions, type Release, thisRelease } from './release.ts';

export type MigrateOptions = {
  /** The folder of the migrations. Only tests of the migrator set it. */
  directory?: string;
  /** The folder whose subfolders hold the function files. */
  featuresDirectory?: string;
  /** The role that replaces `earnest_app` in the files. */
  appRole?: string;
  /** The release that migrates. */
  release?: Release;
};

type SqlFile = { name: string; text: string; sha256: string };

const SERVER_DIRECTORY = path.resolve(import.meta.dirname, '..');
/** These features' functions are applied first, in this order, because others call them. The others follow by name. */
const FIRST_FEATURES = [
  'platform',
  'ledger',
  'members',
  'risk',
  'notices',
  'access',
  'earning',
  'withdrawals',
];
const MIGRATION_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;
const LOCK = 'earnest migrations';

/**
 * Applies missing migrations and changed functions. Idempotent. Returns the newer release whose schema was left
 * as it is, else undefined.
 * @throws ConfigFault if database and release do not fit, and an error that names the file if one can't be applied
 */
export async function migrate(ownerUrl: string, options: MigrateOptions = {}): Promise<Release | undefined> {
  const migrations = readMigrations(options.directory);
  const functions = readFunctionFiles(options.featuresDirectory);
  const appRole = options.appRole ?? 'earnest_app';
  const release = options.release ?? thisRelease;
  return withLockedClient(ownerUrl, async (client) => {
    await client.query(BASE_SCHEMA);
    const newer = await findNewerRelease(client, release);
    if (newer === undefined) {
      await applyMigrations(client, migrations, appRole);
      await applyFunctions(client, functions, appRole);
      await recordRelease(client, release);
    }
    await assertAppRole(client, appRole);
    return newer;
  });
}

/** What exists before the first migration. A start takes its lease before it migrates. */
const BASE_SCHEMA = `
  create schema if not exists platform;
  create table if not exists platform.migrations (
    name text primary key,
    sha256 text not null,
    applied_at timestamptz not null default clock_timestamp()
  );
  create table if not exists platform.function_files (
    name text primary key,
    sha256 text not null
  );
  create table if not exists platform.releases (
    version text primary key,
    -- The oldest release whose program works with the schema and the functions of this one.
    oldest text not null,
    first_started_at timestamptz not null default clock_timestamp()
  );
  create table if not exists platform.leases (
    name text primary key check (name ~ '^[a-z]+(-[a-z]+)*$'),
    -- The process that took it last.
    holder text not null,
    -- Grows with each holder, also after a release, so that a former holder's token is never valid again.
    token bigint not null,
    -- Both by the real clock.
    taken_at timestamptz not null,
    expires_at timestamptz not null
  );
  -- Whether a lease ends later than any lease lasts. A wrong clock wrote it, so it holds nothing.
  create or replace function platform.is_lease_ahead(expires_at timestamptz) returns boolean
    language sql stable
    return is_lease_ahead.expires_at - interval '1 minute' > clock_timestamp();
  -- The one rule for whether somebody holds a lease.
  create or replace function platform.is_lease_held(expires_at timestamptz) returns boolean
    language sql stable
    return is_lease_held.expires_at > clock_timestamp() and not platform.is_lease_ahead(is_lease_held.expires_at);`;

/** Creates what exists before the first migration. Idempotent. */
export const prepareMigrations = (ownerUrl: string): Promise<void> =>
  withLockedClient(ownerUrl, async (client) => void (await client.query(BASE_SCHEMA)));

/** Runs the work with the owner's connection. Concurrent starts wait for each other. */
async function withLockedClient<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    application_name: 'earnest migrations',
    connectionTimeoutMillis: 10_000,
    lock_timeout: 60_000,
  });
  await client.connect();
  try {
    // A site for trying may have one role for everything, with the application's limits.
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [lockNumber(LOCK)]);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A digest of all that `migrate` would apply. Equal digests mean equal schemas. */
export function schemaDigest(options: MigrateOptions = {}): string {
  const files = [...readMigrations(options.directory), ...readFunctionFiles(options.featuresDirectory)];
  const hash = createHash('sha256');
  for (const { name, sha256 } of files) hash.update(`${name} ${sha256}\n`);
  return hash.digest('hex');
}

/** The names of this release's migrations, in order. */
export const migrationNames = (): string[] => readMigrations().map(({ name }) => name);

function readMigrations(directory = path.join(SERVER_DIRECTORY, 'migrations')): SqlFile[] {
  const names = fs.readdirSync(directory).filter((name) => name.endsWith('.sql'));
  const numbers = new Set<string>();
  for (const name of names) {
    const number = MIGRATION_NAME.exec(name)?.[1];
    if (number === undefined) throw new Error(`Migration "${name}" is not named NNNN_words.sql`);
    if (numbers.has(number)) throw new Error(`Two migrations have the number ${number}`);
    numbers.add(number);
  }
  return names.sort().map((name) => readSqlFile(directory, name));
}

function readFunctionFiles(directory = SERVER_DIRECTORY): SqlFile[] {
  const filesByFeature = Object.groupBy(
    fs.globSync('*/functions{,-*}.sql', { cwd: directory }),
    path.dirname,
  );
  const rest = Object.keys(filesByFeature).filter((feature) => !FIRST_FEATURES.includes(feature));
  return [...FIRST_FEATURES, ...rest.sort()].flatMap((feature) =>
    // Sorted without the ending, `functions` comes before `functions-<subject>`, which calls it.
    (filesByFeature[feature] ?? [])
      .map((file) => file.replace(/\.sql$/, ''))
      .sort()
      .map((file) => readSqlFile(directory, `${file}.sql`)),
  );
}

function readSqlFile(directory: string, name: string): SqlFile {
  const text = fs.readFileSync(path.join(directory, name), 'utf8');
  return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
}

/** Finds the newest release that used this database, if it is newer. Refuses if it does not work with this one. */
async function findNewerRelease(client: pg.Client, release: Release): Promise<Release | undefined> {
  const { rows } = await client.query<Release>('select version, oldest from platform.releases');
  const newest = rows.sort((one, other) => compareVersions(other.version, one.version))[0];
  if (newest === undefined || compareVersions(newest.version, release.version) <= 0) return undefined;
  if (compareVersions(newest.oldest, release.version) <= 0) return newest;
  throw new ConfigFault([
    `This is release ${release.version}, and the database was used by ${newest.version}, whose schema needs release ` +
      `${newest.oldest} or later: start one of those, or restore a backup from before ${newest.version}`,
  ]);
}

async function recordRelease(client: pg.Client, { version, oldest }: Release): Promise<void> {
  await client.query(
    `insert into platform.releases (version, oldest) values ($1, $2)
     on conflict (version) do update set oldest = excluded.oldest where releases.oldest <> excluded.oldest`,
    [version, oldest],
  );
}

async function applyMigrations(client: pg.Client, files: SqlFile[], appRole: string): Promise<void> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from platform.migrations order by name',
  );
  for (const [index, applied] of rows.entries()) {
    const file = files[index];
    if (file?.name !== applied.name) {
      throw new ConfigFault([
        files.some(({ name }) => name === applied.name)
          ? `Migration ${file?.name} comes before ${applied.name}, which this database already has: number it anew`
          : `This database has migration ${applied.name}, which this release does not know: start a newer release`,
      ]);
    }
    if (file.sha256 !== applied.sha256) {
      throw new ConfigFault([
        `Migration ${file.name} was changed after this database applied it: restore its text, or use an empty database`,
      ]);
    }
  }
  for (const file of files.slice(rows.length)) {
    await inTransaction(client, file.name, async () => {
      await client.query('insert into platform.migrations (name, sha256) values ($1, $2)', [
        file.name,
        file.sha256,
      ]);
      await client.query(withAppRole(file.text, appRole));
    });
  }
}

async function applyFunctions(client: pg.Client, files: SqlFile[], appRole: string): Promise<void> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from platform.function_files',
  );
  const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  if (files.every(({ name, sha256 }) => applied.get(name) === sha256)) return;
  await inTransaction(client, 'functions', async () => {
    await client.query('delete from platform.function_files');
    for (const file of files) {
      await client.query('insert into platform.function_files (name, sha256) values ($1, $2)', [
        file.name,
        file.sha256,
      ]);
      await runNamed(client, file.name, withAppRole(file.text, appRole));
    }
  });
}

async function inTransaction(client: pg.Client, name: string, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback');
    throw cause instanceof MigrationError ? cause : new MigrationError(name, cause);
  }
}

async function runNamed(client: pg.Client, name: string, text: string): Promise<void> {
  try {
    await client.query(text);
  } catch (cause) {
    throw new MigrationError(name, cause);
  }
}

class MigrationError extends Error {
  constructor(name: string, cause: unknown) {
    const place =
      cause instanceof pg.DatabaseError && cause.position ? ` at character ${cause.position}` : '';
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${name} could not be applied: ${reason}${place}`, { cause });
  }
}

function withAppRole(text: string, appRole: string): string {
  return text.replace(/\bearnest_app\b/g, pg.escapeIdentifier(appRole));
}

/** Migrations granted their rights to the role of the first start. Another role must be a member of that one. */
async function assertAppRole(client: pg.Client, appRole: string): Promise<void> {
  await client.query(
    `insert into platform.settings (key, value) values ('database.appRole', to_jsonb($1::text))
     on conflict (key) do nothing`,
    [appRole],
  );
  const { rows } = await client.query<{ granted: string; isGranted: boolean }>(
    `select value #>> '{}' as granted, pg_has_role($1, value #>> '{}', 'usage') as "isGranted"
     from platform.settings where key = 'database.appRole'`,
    [appRole],
  );
  if (rows[0]?.isGranted) return;
  const granted = rows[0]?.granted;
  throw new ConfigFault([
    `DATABASE_URL: this database is granted to the role "${granted}": connect as it, or grant it to "${appRole}"`,
  ]);
}
