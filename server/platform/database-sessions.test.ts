import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { skipWithoutPgbouncer, startPgbouncer } from '../../test/pgbouncer.ts';
import { ConfigFault } from './config.ts';
import { type Database, openDatabase, sql, sqlText } from './database.ts';
import { prepareDatabase } from './database-roles.ts';
import { requireReadCommitted } from './database-sessions.ts';

const { database, owner, appUrl, ownerUrl } = await testDatabase({ after });
const { name } = await owner.one<{ name: string }>(sql`select current_database()::text as name`);
/** Each role may change its own settings, and in PostgreSQL 16 and later the owner may not change the others'. */
const roles = { earnest_app: database, earnest_owner: owner };
const alter = (role: keyof typeof roles, change: string) =>
  roles[role].rows(sqlText(`alter role ${role} in database ${name} ${change}`));

async function settingsOf(url: string): Promise<Record<string, string>> {
  const session = openDatabase({ url, connectionsMax: 1 });
  const rows = await session.rows<{ name: string; setting: string }>(sql`
    select name, setting from pg_settings
    where name = any (${Object.keys(NEEDED)})`);
  await session.close();
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

const NEEDED = {
  jit: 'off',
  idle_in_transaction_session_timeout: '10000',
  lock_timeout: '5000',
  max_parallel_workers_per_gather: '0',
  statement_timeout: '10000',
  tcp_keepalives_count: '3',
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_user_timeout: '10000',
};
const isFault = (pattern: RegExp) => (error: unknown) =>
  error instanceof ConfigFault && error.lines.length === 1 && pattern.test(error.message);

test('gives both roles their settings in this database, whatever the server’s are', async () => {
  for (const role of ['earnest_app', 'earnest_owner'] as const) {
    await alter(role, 'reset all');
    await alter(role, 'set jit = on');
  }
  const { neededStatements } = await prepareDatabase({ appUrl, ownerUrl });
  assert.deepEqual(neededStatements, []);
  assert.deepEqual(await settingsOf(appUrl), NEEDED);
  const { jit, statement_timeout } = await settingsOf(ownerUrl);
  assert.deepEqual([jit, statement_timeout], ['off', '0']);
});

test('gives them to several starts at once', async () => {
  for (const role of ['earnest_app', 'earnest_owner'] as const) {
    await alter(role, 'reset all');
    await alter(role, 'set jit = on');
  }
  const all = await Promise.all(Array.from({ length: 8 }, () => prepareDatabase({ appUrl, ownerUrl })));
  for (const { neededStatements } of all) assert.deepEqual(neededStatements, []);
});

test('names the statement that an administrator must run where the role keeps another setting', async () => {
  const changed = `${appUrl}?options=${encodeURIComponent('-c jit=on')}`;
  const { neededStatements } = await prepareDatabase({ appUrl: changed, ownerUrl });
  assert.deepEqual(neededStatements, [`alter role "earnest_app" in database "${name}" set jit = 'off'`]);
});

test('refuses a role whose transactions are not READ COMMITTED, with the statement that corrects it', async () => {
  for (const [role, variable] of [
    ['earnest_app', 'DATABASE_URL'],
    ['earnest_owner', 'DATABASE_OWNER_URL'],
  ] as const) {
    await alter(role, "set default_transaction_isolation = 'repeatable read'");
    const pattern = new RegExp(`^${variable}: .*"${role}" are repeatable read .*run: (alter role [^;]*)$`);
    await assert.rejects(prepareDatabase({ appUrl, ownerUrl }), isFault(pattern));
    const { message } = (await prepareDatabase({ appUrl, ownerUrl }).catch((error) => error)) as Error;
    await roles[role].rows(sqlText(pattern.exec(message)?.[1] ?? ''));
    await prepareDatabase({ appUrl, ownerUrl });
  }
});

test('refuses a server that takes the words READ COMMITTED and works with a snapshot', async () => {
  await requireReadCommitted(database);
  const withSnapshot: Database = {
    ...database,
    transaction: (work) =>
      database.transaction(async (tx) => {
        await tx.rows(sqlText('set transaction isolation level repeatable read'));
        return work(tx);
      }),
  };
  await assert.rejects(requireReadCommitted(withSnapshot), isFault(/^DATABASE_URL: .*READ COMMITTED/));
});

describe('through PgBouncer in transaction mode', { skip: skipWithoutPgbouncer }, () => {
  test('the application’s role has its settings, also in sessions from before', async () => {
    const { through } = await startPgbouncer({ after }, [appUrl]);
    await alter('earnest_app', 'reset all');
    const before = openDatabase({ url: `${through(appUrl)}?statements=unnamed`, connectionsMax: 5 });
    await Promise.all(Array.from({ length: 5 }, () => before.rows(sql`select pg_sleep(0.1)`)));
    await before.close();
    const { appUrl: url, neededStatements } = await prepareDatabase({ appUrl: through(appUrl), ownerUrl });
    assert.deepEqual(neededStatements, []);
    assert.deepEqual(await settingsOf(url), NEEDED);
  });

  test('statements have no names where PgBouncer loses them', async () => {
    const { through } = await startPgbouncer({ after }, [appUrl]);
    const prepared = await prepareDatabase({ appUrl: through(appUrl), ownerUrl });
    const nodes = Array.from({ length: 2 }, () => openDatabase({ url: prepared.appUrl }));
    const reads = nodes.flatMap((node) =>
      Array.from({ length: 50 }, (_, index) =>
        node.transaction((tx) => tx.one<{ index: number }>(sql`select ${index}::integer as index`)),
      ),
    );
    assert.equal((await Promise.all(reads)).length, 100);
    await Promise.all(nodes.map((node) => node.close()));
  });

  test('the owner is refused, because its sessions hold locks and listen', async () => {
    const { through } = await startPgbouncer({ after }, [appUrl, ownerUrl]);
    await assert.rejects(
      prepareDatabase({ appUrl: through(appUrl), ownerUrl: through(ownerUrl) }),
      isFault(/^DATABASE_OWNER_URL: .*pooler.*server itself$/),
    );
  });
});

describe('an address that nobody answers', () => {
  const nobody = 'postgres://somebody:secret@127.0.0.1:1/earnest';
  test('is named by its variable, in one line without the password', async () => {
    const refused = /^DATABASE_URL: can’t be reached: connect ECONNREFUSED 127.0.0.1:1$/;
    await assert.rejects(prepareDatabase({ ownerUrl, appUrl: nobody }), isFault(refused));
    await assert.rejects(
      prepareDatabase({ ownerUrl: nobody, appUrl }),
      isFault(/^DATABASE_OWNER_URL: can’t be/),
    );
    await assert.rejects(prepareDatabase({ ownerUrl: nobody, appUrl: nobody }), isFault(refused));
  });
  test('is named as well if it takes the connection and stays silent', async (t) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => void sockets.add(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const silent = `postgres://somebody:secret@127.0.0.1:${port}/earnest`;
    await assert.rejects(
      prepareDatabase({ ownerUrl, appUrl: silent }),
      isFault(/^DATABASE_URL: can’t be reached/),
    );
  });
});
