import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { clusterFolderOf, nodeFolderOf, secretsFolderOf } from './data-folders.ts';
import { openDatabase, sql, sqlText } from './database.ts';
import { prepareDatabase, prepareEmbeddedDatabase } from './database-roles.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

const START_MODULE = path.join(import.meta.dirname, 'embedded-postgres.ts');

function dataDirectory(t: { after: (work: () => Promise<void>) => void }, parent = os.tmpdir()): string {
  const directory = fs.mkdtempSync(path.join(parent, 'embedded-'));
  t.after(async () => {
    if (fs.existsSync(path.join(clusterFolderOf(directory), 'postmaster.pid'))) {
      await (await startEmbeddedPostgres({ dataDir: directory, durable: false })).close();
    }
    fs.rmSync(directory, { recursive: true, force: true });
  });
  return directory;
}

/** A new cluster that was stopped. Tests that are about something else than its making begin with a copy. */
const newCluster = dataDirectory({ after });
await (await startEmbeddedPostgres({ dataDir: newCluster, durable: false })).close();

function copiedDirectory(t: TestContext): string {
  const directory = dataDirectory(t);
  execFileSync('cp', ['-a', `${newCluster}/.`, directory]);
  return directory;
}

async function query<Row>(url: string, statement = sql`select 1 as one`): Promise<Row> {
  const database = openDatabase({ url, connectionsMax: 1 });
  try {
    return await database.one<Row>(statement);
  } finally {
    await database.close();
  }
}

const serverPid = (dataDir: string) =>
  Number(fs.readFileSync(path.join(clusterFolderOf(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0]);

test('creates a UTF-8 cluster with checksums, and keeps its rows for the next start', async (t) => {
  const dataDir = dataDirectory(t);
  const first = await startEmbeddedPostgres({ dataDir });
  const { passwords, encoding, locale, sync } = await query<Record<string, string>>(
    first.superuserUrl,
    sql`select current_setting('server_encoding') as encoding, current_setting('password_encryption') as passwords,
          current_setting('fsync') || current_setting('synchronous_commit') as sync,
          (select datlocprovider::text || datlocale from pg_database where datname = current_database()) as locale`,
  );
  assert.deepEqual([encoding, passwords, sync, locale], ['UTF8', 'scram-sha-256', 'onon', 'bC.UTF-8']);
  const urls = await prepareEmbeddedDatabase({ superuserUrl: first.superuserUrl, dataDir });
  const owner = openDatabase({ url: urls.ownerUrl });
  await owner.rows(sqlText('create table kept as select 7 as seven'));
  await owner.close();
  await first.close();
  assert.equal(fs.existsSync(path.join(clusterFolderOf(dataDir), 'postmaster.pid')), false);

  const second = await startEmbeddedPostgres({ dataDir });
  const again = await prepareEmbeddedDatabase({ superuserUrl: second.superuserUrl, dataDir });
  assert.deepEqual(await query(again.ownerUrl, sql`select seven from kept`), { seven: 7 });
  await second.close();
});

test('makes its secrets readable only by their owner, and refuses connections without them', async (t) => {
  const dataDir = dataDirectory(t);
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  const { appUrl } = await prepareEmbeddedDatabase({ superuserUrl: server.superuserUrl, dataDir });
  for (const name of fs.readdirSync(secretsFolderOf(dataDir))) {
    assert.equal(fs.statSync(path.join(secretsFolderOf(dataDir), name)).mode & 0o777, 0o600);
  }
  for (const url of [server.superuserUrl, appUrl]) {
    const wrong = new URL(url);
    wrong.password = 'guess';
    await assert.rejects(query(wrong.href), /password authentication failed/);
  }
  const files = ['site', 'node'].flatMap((folder) => fs.readdirSync(path.join(dataDir, folder)));
  assert.deepEqual(
    files.filter((name) => /password|partial|lock/.test(name)),
    [],
  );
});

test('adopts the server of a killed program, with all committed rows', async (t) => {
  const dataDir = copiedDirectory(t);
  const program = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(START_MODULE)});
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false });
    console.log('started');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const pid = serverPid(dataDir);
  child.kill('SIGKILL');
  await once(child, 'exit');

  const adopted = await startEmbeddedPostgres({ dataDir, durable: false });
  assert.equal(serverPid(dataDir), pid);
  await query(adopted.superuserUrl);
  const shared = await startEmbeddedPostgres({ dataDir, durable: false });
  assert.equal(shared.superuserUrl, adopted.superuserUrl);
  await adopted.close();
  await assert.rejects(query(adopted.superuserUrl), /ECONNREFUSED/);
  await shared.close();
});

test('shares one server between concurrent starts', async (t) => {
  const dataDir = dataDirectory(t);
  const [one, two] = await Promise.all([
    startEmbeddedPostgres({ dataDir, durable: false }),
    startEmbeddedPostgres({ dataDir, durable: false }),
  ]);
  assert.equal(one.superuserUrl, two.superuserUrl);
  await one.close();
});

test('starts after a killed server whose process id now belongs to another process', async (t) => {
  const dataDir = copiedDirectory(t);
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  const pid = serverPid(dataDir);
  process.kill(pid, 'SIGKILL');
  for (let waited = 0; fs.existsSync(`/proc/${pid}`) && waited < 5000; waited += 20) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await server.close();
  const file = path.join(clusterFolderOf(dataDir), 'postmaster.pid');
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  fs.writeFileSync(file, [String(process.pid), ...lines.slice(1)].join('\n'));
  const again = await startEmbeddedPostgres({ dataDir, durable: false });
  await query(again.superuserUrl);
  await again.close();
});

test('creates the cluster again after an interrupted first start', async (t) => {
  const dataDir = dataDirectory(t);
  fs.mkdirSync(`${clusterFolderOf(dataDir)}.partial`, { recursive: true });
  fs.mkdirSync(nodeFolderOf(dataDir));
  fs.writeFileSync(`${clusterFolderOf(dataDir)}.partial/PG_VERSION`, '18');
  fs.writeFileSync(path.join(nodeFolderOf(dataDir), 'postgres.lock'), '999999999 gone');
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  await query(server.superuserUrl);
  await server.close();
});

test('refuses a cluster of another PostgreSQL release, with instructions', async (t) => {
  const dataDir = dataDirectory(t);
  fs.mkdirSync(clusterFolderOf(dataDir), { recursive: true });
  fs.writeFileSync(path.join(clusterFolderOf(dataDir), 'PG_VERSION'), '12\n');
  await assert.rejects(
    startEmbeddedPostgres({ dataDir, durable: false }),
    /written by PostgreSQL 12, this release brings \d+/,
  );
});

test('reports the output of a server that can not start', async (t) => {
  const dataDir = copiedDirectory(t);
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  await server.close();
  fs.rmSync(path.join(clusterFolderOf(dataDir), 'global/pg_control'));
  await assert.rejects(startEmbeddedPostgres({ dataDir, durable: false }), /did not start[\s\S]*pg_control/);
});

test('works as root below a directory that is closed to others', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root has this difficulty');
  const closed = dataDirectory(t);
  fs.chmodSync(closed, 0o700);
  const dataDir = path.join(closed, 'below');
  const server = await startEmbeddedPostgres({ dataDir });
  assert.notEqual(fs.statSync(clusterFolderOf(dataDir)).uid, 0);
  const database = openDatabase({ url: server.superuserUrl });
  await database.rows(sqlText('create table written as select generate_series(1, 1000) as number'));
  await database.rows(sqlText('checkpoint'));
  await database.close();
  await server.close();
  assert.equal(fs.statSync(closed).mode & 0o777, 0o700);
  const again = await startEmbeddedPostgres({ dataDir });
  const { count } = await query<{ count: bigint }>(
    again.superuserUrl,
    sql`select count(*) as count from written`,
  );
  assert.equal(count, 1000n);
  await again.close();
});

test('detects a database with one role for everything', async (t) => {
  const dataDir = copiedDirectory(t);
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  const { ownerUrl, appUrl } = await prepareEmbeddedDatabase({ superuserUrl: server.superuserUrl, dataDir });
  assert.equal((await prepareDatabase({ ownerUrl, appUrl })).appOwnsLedger, false);
  assert.equal((await prepareDatabase({ ownerUrl, appUrl: ownerUrl })).appOwnsLedger, true);
  const superuser = new URL(ownerUrl);
  superuser.username = 'postgres';
  superuser.password = new URL(server.superuserUrl).password;
  assert.equal((await prepareDatabase({ ownerUrl, appUrl: superuser.href })).appOwnsLedger, true);
});

test('gives the application’s role time limits, also those of its connections', async (t) => {
  const dataDir = copiedDirectory(t);
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  const { appUrl } = await prepareEmbeddedDatabase({ superuserUrl: server.superuserUrl, dataDir });
  const app = openDatabase({ url: appUrl, connectionsMax: 1 });
  const shown = await app.rows<{ name: string; setting: string }>(sql`
    select name, setting from pg_settings
    where name ~ '^tcp_' or name in ('statement_timeout', 'idle_in_transaction_session_timeout') order by name`);
  assert.deepEqual(Object.fromEntries(shown.map(({ name, setting }) => [name, setting])), {
    idle_in_transaction_session_timeout: '10000',
    statement_timeout: '10000',
    tcp_keepalives_count: '3',
    tcp_keepalives_idle: '5',
    tcp_keepalives_interval: '2',
    tcp_user_timeout: '10000',
  });
  await app.close();
});

test('uses the owner as worker if it may not create roles, and needs no right to read the cluster', async (t) => {
  const dataDir = copiedDirectory(t);
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  const admin = openDatabase({ url: server.superuserUrl });
  await admin.rows(sqlText("create role modest login password 'modest'"));
  await admin.rows(sqlText("create role modest_app login password 'modest'"));
  await admin.rows(sqlText('create database modest owner modest'));
  await admin.close();
  const inModest = new URL(server.superuserUrl);
  inModest.pathname = '/modest';
  const inside = openDatabase({ url: inModest.href });
  await inside.rows(sqlText('revoke execute on function pg_control_system() from public'));
  await inside.close();
  const urlFor = (user: string) => {
    const url = new URL(server.superuserUrl);
    [url.username, url.password, url.pathname] = [user, 'modest', '/modest'];
    return url.href;
  };
  const urls = await prepareDatabase({ ownerUrl: urlFor('modest'), appUrl: urlFor('modest_app') });
  assert.equal(urls.workerUrl, urls.ownerUrl);
  assert.equal(urls.appRole, 'modest_app');
  assert.equal(urls.appOwnsLedger, false);
});
