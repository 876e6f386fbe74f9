/**
 * A real PostgreSQL database for every test file, cloned from a migrated template. All test processes of this
 * checkout share one cluster, which lies in `.cache/` and runs without fsync. The first process starts it and the
 * last one stops it. Under `npm test` the run starts and stops it; a whole run has one of its own, in memory.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {
  type Database,
  openDatabase,
  sql,
  sqlState,
  sqlText,
  withUnnamedStatements,
} from '#platform/database.ts';
import { migrate, schemaDigest } from '#platform/database-migrations.ts';
import { embeddedDatabaseUrls, prepareEmbeddedDatabase } from '#platform/database-roles.ts';
import { appSettingStatements } from '#platform/database-sessions.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { isProcessAlive, withFileLock } from '#platform/file-lock.ts';
import { type Pgbouncer, startPgbouncer } from './pgbouncer.ts';
import { testPostgresBinaries } from './postgres-binaries.ts';

export type TestDatabase = {
  name: string;
  /** A pool with the application's role. */
  database: Database;
  /** A pool with the role of the owner. */
  owner: Database;
  appUrl: string;
  ownerUrl: string;
  workerUrl: string;
  /** Copies the database as it is now. Ends its connections, which pools open again. */
  copy: (lifetime: Lifetime) => Promise<TestDatabase>;
};

/**
 * The context of a test; or `{ after }` of node:test, called at the top level, for all tests of a file. Inside a
 * hook, `after` would run at the end of that hook.
 */
type Lifetime = { after: (callback: () => Promise<void>) => void };

type Cluster = {
  admin: Database;
  template: string;
  urlsOf: (databaseName: string) => { appUrl: string; ownerUrl: string; workerUrl: string };
};

const CACHE_DIRECTORY = path.resolve(import.meta.dirname, '../.cache');
const BINARIES = testPostgresBinaries();
const NAME = `test-postgres-${BINARIES.majorVersion}`;
/** Names another folder for the cluster. */
export const CLUSTER = 'EARNEST_TEST_CLUSTER';
const ON_DISK = process.env[CLUSTER] ?? path.join(CACHE_DIRECTORY, NAME);
/** Linux keeps the files of this folder in memory. Each checkout has a folder of its own there. */
const MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
const ROOM_BYTES_MIN = 4 * 1024 ** 3;
const IN_MEMORY = path.join(
  MEMORY,
  `earnest-${createHash('sha256').update(CACHE_DIRECTORY).digest('hex').slice(0, 12)}`,
  NAME,
);
const OBJECT_IN_USE = '55006';
const LOCK_TIMEOUT_MS = 120_000;
/** Many tests share the machine, so a connection may take longer than on a site. */
export const CONNECT_TIMEOUT_MS = 30_000;
/** The folder of the cluster that another process will stop. */
export const HELD_BY_RUN = 'EARNEST_TEST_CLUSTER_HELD';
const dataDirectory = (): string => process.env[HELD_BY_RUN] ?? ON_DISK;

let shared: Promise<Cluster> | undefined;
let openCount = 0;
let madeCount = 0;

/**
 * Makes a database for the caller and drops it at the end of `lifetime`. It is a copy of `template`, by default of the
 * migrated one. Nobody may be connected to a template.
 */
export async function testDatabase(lifetime: Lifetime, template?: string): Promise<TestDatabase> {
  openCount += 1;
  shared ??= joinCluster();
  return cloneDatabase(lifetime, template ?? (await shared).template);
}

async function copyDatabase(lifetime: Lifetime, name: string): Promise<TestDatabase> {
  assert(shared);
  openCount += 1;
  const { admin } = await shared;
  // A connection would prevent the copy. New ones may come between the two statements.
  for (let attempt = 1; ; attempt += 1) {
    await admin.rows(sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`);
    try {
      return await cloneDatabase(lifetime, name);
    } catch (error) {
      if (sqlState(error) !== OBJECT_IN_USE || attempt === 20) throw error;
    }
  }
}

async function cloneDatabase(lifetime: Lifetime, template: string): Promise<TestDatabase> {
  assert(shared);
  const { admin, urlsOf } = await shared;
  madeCount += 1;
  const name = `test_${process.pid}_${madeCount}`;
  await admin.rows(
    sqlText(`create database ${name} template ${template} owner earnest_owner strategy file_copy`),
  );
  await admin.rows(sqlText(`grant create on database ${name} to earnest_worker`));
  for (const statement of appSettingStatements('earnest_app', name)) await admin.rows(sqlText(statement));
  // Many tests share the machine, so a lock may be held longer than on a site.
  await admin.rows(sqlText(`alter role earnest_app in database ${name} set lock_timeout = '30s'`));
  const { appUrl: directUrl, ownerUrl, workerUrl } = urlsOf(name);
  const appUrl = process.env.TEST_PGBOUNCER === undefined ? directUrl : await pooled(directUrl);
  const database = openDatabase({
    url: appUrl,
    connectionsMax: 20,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  });
  const owner = openDatabase({
    url: ownerUrl,
    connectionsMax: 5,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  });
  lifetime.after(async () => {
    await Promise.all([database.close(), owner.close()]);
    await admin.rows(sqlText(`drop database ${name} with (force)`));
    openCount -= 1;
    if (openCount === 0) await leaveCluster();
  });
  return {
    name,
    database,
    owner,
    appUrl,
    ownerUrl,
    workerUrl,
    copy: (copyLifetime) => copyDatabase(copyLifetime, name),
  };
}

let pooler: Promise<Pgbouncer> | undefined;

/** With TEST_PGBOUNCER set, the application's connections of a test file go through a PgBouncer of its process. */
async function pooled(appUrl: string): Promise<string> {
  pooler ??= startPgbouncer({ after: (work) => process.once('exit', () => void work()) }, [appUrl]);
  return withUnnamedStatements((await pooler).through(appUrl));
}

/**
 * Starts the cluster for a run of many test files. A whole run makes and drops hundreds of databases; in memory that
 * takes a third of the time, where there is room.
 */
export async function holdTestCluster(isWholeRun: boolean): Promise<void> {
  process.env[HELD_BY_RUN] = isWholeRun && hasRoomInMemory() ? IN_MEMORY : ON_DISK;
  await withClusterLock(startCluster);
}

function hasRoomInMemory(): boolean {
  if (!fs.existsSync(MEMORY)) return false;
  const { type, bavail, bsize } = fs.statfsSync(MEMORY);
  return type === TMPFS && bavail * bsize >= ROOM_BYTES_MIN;
}

/** Stops what `holdTestCluster` started, and frees its memory. */
export async function stopTestCluster(): Promise<void> {
  await withClusterLock(async () => (await startCluster()).close());
  if (dataDirectory() === IN_MEMORY) fs.rmSync(path.dirname(IN_MEMORY), { recursive: true, force: true });
}

function withClusterLock<T>(work: () => Promise<T>): Promise<T> {
  const directory = dataDirectory();
  fs.mkdirSync(path.dirname(directory), { recursive: true });
  return withFileLock(`${directory}.lock`, LOCK_TIMEOUT_MS, work);
}

/** Connects under the lock and stays connected: the connection shows other processes that the cluster is in use. */
function joinCluster(): Promise<Cluster> {
  return withClusterLock(async () => {
    const { superuserUrl } = await startCluster();
    const admin = openDatabase({
      url: superuserUrl,
      applicationName: 'earnest test',
      connectionsMax: 1,
      idleTimeoutMs: 0,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
    });
    const template = await makeTemplate(admin, superuserUrl);
    const urlsOf = (databaseName: string) =>
      embeddedDatabaseUrls({ superuserUrl, dataDir: dataDirectory(), databaseName });
    return { admin, template, urlsOf };
  });
}

async function leaveCluster(): Promise<void> {
  const joined = shared;
  shared = undefined;
  if (!joined) return;
  await withClusterLock(async () => {
    const { admin } = await joined;
    const others = await countOthers(admin);
    await admin.close();
    if (others === 0 && !process.env[HELD_BY_RUN]) await (await startCluster()).close();
  });
}

/** After a crash of the machine a cluster without fsync may be broken. Then it is made anew. */
async function startCluster(): Promise<EmbeddedPostgres> {
  const options = { dataDir: dataDirectory(), durable: false, binaries: BINARIES };
  try {
    return await startEmbeddedPostgres(options);
  } catch (error) {
    console.error(`The test cluster is made anew, because it did not start: ${error}`);
    fs.rmSync(dataDirectory(), { recursive: true, force: true });
    return startEmbeddedPostgres(options);
  }
}

async function countOthers(admin: Database): Promise<number> {
  const { others } = await admin.one<{ others: number }>(sql`
    select count(*)::integer as others from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`);
  return others;
}

/** The template's name is the digest of all migrations and functions. It gets this name when it is complete. */
async function makeTemplate(admin: Database, superuserUrl: string): Promise<string> {
  const template = `template_${schemaDigest().slice(0, 16)}`;
  const found = await admin.rows<{ name: string }>(sql`select datname as name from pg_database`);
  const names = found.map(({ name }) => name);
  if (names.includes(template)) return template;
  const isAlone = (await countOthers(admin)) === 0;
  for (const name of names.filter((name) => isAbandoned(name, isAlone))) {
    await admin.rows(sqlText(`drop database ${name} with (force)`));
  }
  const { ownerUrl, workerUrl, appRole } = await prepareEmbeddedDatabase({
    superuserUrl,
    dataDir: dataDirectory(),
    databaseName: 'template_draft',
  });
  await migrate(ownerUrl);
  // Loaded here, because most test files find the template complete.
  const [{ prepareJobs }, { createLog }] = await Promise.all([
    import('#platform/jobs.ts'),
    import('#platform/log.ts'),
  ]);
  await prepareJobs(workerUrl, appRole, createLog('silent'));
  await admin.rows(sqlText(`alter database template_draft rename to ${template}`));
  return template;
}

/** Templates of other digests may be in use by a run that started before the last edit. */
function isAbandoned(databaseName: string, isAlone: boolean): boolean {
  if (databaseName === 'template_draft') return true;
  if (/^template_[0-9a-f]{16}$/.test(databaseName)) return isAlone;
  const pid = /^test_(\d+)_\d+$/.exec(databaseName)?.[1];
  return pid !== undefined && !isProcessAlive(Number(pid));
}
