/**
 * What the product needs of the sessions of its roles, checked at each start. The application may connect through a
 * pooler in transaction mode, which passes on no startup parameters and keeps no SET. So settings belong to the role in
 * this database: each role writes its own, which every role may do. The owner's sessions hold locks, listen and set
 * their role, so the owner needs the server's own address.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { ConfigFault } from './config.ts';
import { type Database, sql, sqlState, type Tx } from './database.ts';
import { lockNumber } from './lock-number.ts';

export type Session = {
  role: string;
  database: string;
  /** The cluster's identifier. Null where the role may not read it. */
  cluster: string | null;
  /** Whether a pooler stands between that does not keep the names of prepared statements. */
  losesStatementNames: boolean;
  /** The statements that an administrator must run, because the role's settings are not those that it needs. */
  neededStatements: string[];
};

/** Plans of hot functions are made for each connection. Compiling them costs more than a thousand times their run. */
const OWNER_SETTINGS = { jit: 'off' };

/**
 * A session of a node that was killed behind a connection that stays half-open ends within these limits, and with it
 * its locks. Each value is in the server's own unit. The owner's migrations and audits have no limit. Parallel
 * workers would cost the application's small statements more than they read, and take the processors of other calls.
 */
const APP_SETTINGS = {
  ...OWNER_SETTINGS,
  max_parallel_workers_per_gather: '0',
  statement_timeout: '10000',
  lock_timeout: '5000',
  idle_in_transaction_session_timeout: '10000',
  tcp_user_timeout: '10000',
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
};

/** A pooler may have this many connections from before the settings. */
const STALE_SESSIONS_MAX = 100;

/** Prepares the role of DATABASE_URL. @throws ConfigFault if it does not work with READ COMMITTED */
export const prepareAppSession = (appUrl: string): Promise<Session> =>
  prepareSession(appUrl, 'DATABASE_URL', APP_SETTINGS);

/** Prepares the role that migrates. @throws ConfigFault if it comes through a pooler, or without READ COMMITTED */
export async function prepareOwnerSession(ownerUrl: string): Promise<Session> {
  await withClient(ownerUrl, async (client) => {
    if (!(await isPooled(client))) return;
    throw new ConfigFault([
      'DATABASE_OWNER_URL: leads through a connection pooler; migrations and the job queue need the address of the ' +
        'PostgreSQL server itself',
    ]);
  });
  return prepareSession(ownerUrl, 'DATABASE_OWNER_URL', OWNER_SETTINGS);
}

/**
 * Reads a session and corrects the settings of its role. They reach new sessions only, so a pooler's session from
 * before is ended, which no other client uses at this moment.
 */
async function prepareSession(
  url: string,
  variable: string,
  settings: Record<string, string>,
): Promise<Session> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === STALE_SESSIONS_MAX;
    const session = await withClient(url, async (client) => {
      const found = await readSession(client, settings);
      if (found.isolation !== 'read committed') throw isolationFault(variable, found);
      if (found.neededStatements.length === 0) return found;
      if (attempt === 1) return (await runAll(client, found.neededStatements)) ? undefined : found;
      if (isLast || !(await isPooled(client))) return found;
      await endOutdatedSession(client, settings);
      return undefined;
    });
    if (session !== undefined) return session;
  }
}

type Found = Session & { isolation: string };

async function readSession(client: pg.Client, settings: Record<string, string>): Promise<Found> {
  const { rows } = await client.query<{ role: string; database: string; isolation: string }>(
    `select current_user::text as role, current_database()::text as database,
       current_setting('default_transaction_isolation') as isolation`,
  );
  const session = rows[0] as { role: string; database: string; isolation: string };
  const differing = await readDiffering(client, settings);
  return {
    ...session,
    cluster: await findCluster(client),
    losesStatementNames: (await isPooled(client)) && (await passesNamesOn(client)),
    neededStatements: differing.map((name) => alterRole(session, name, settings[name] ?? '')),
  };
}

/** The statements that give the application's role its settings. */
export const appSettingStatements = (role: string, database: string): string[] =>
  Object.entries(APP_SETTINGS).map(([name, value]) => alterRole({ role, database }, name, value));

const alterRole = (
  { role, database }: Pick<Session, 'role' | 'database'>,
  setting: string,
  value: string,
): string =>
  `alter role ${pg.escapeIdentifier(role)} in database ${pg.escapeIdentifier(database)} ` +
  `set ${setting} = ${pg.escapeLiteral(value)}`;

const isolationFault = (variable: string, session: Found): ConfigFault =>
  new ConfigFault([
    `${variable}: transactions of the role "${session.role}" are ${session.isolation} by default and must be read ` +
      `committed; as administrator run: ${alterRole(session, 'default_transaction_isolation', 'read committed')}`,
  ]);

/** The names of the settings that differ in this session. A socket of the same machine has none of TCP. */
async function readDiffering(client: pg.Client, settings: Record<string, string>): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from pg_settings join unnest($1::text[], $2::text[]) as needed (name, value) using (name)
     where setting <> value and not (name ~ '^tcp_' and inet_server_addr() is null)`,
    [Object.keys(settings), Object.values(settings)],
  );
  return rows.map(({ name }) => name);
}

/**
 * Runs the statements, of several starts one after the other, because PostgreSQL refuses two changes of one role at the
 * same time. Returns false if the role may not.
 */
async function runAll(client: pg.Client, statements: string[]): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [lockNumber('earnest role settings')]);
    for (const statement of statements) await client.query(statement);
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback');
    if (sqlState(error) === INSUFFICIENT_PRIVILEGE) return false;
    throw error;
  }
}

/** Looks again, in a transaction, because a pooler gives each one a session, and ends the session if it is outdated. */
async function endOutdatedSession(client: pg.Client, settings: Record<string, string>): Promise<void> {
  await client.query('begin');
  const differing = await readDiffering(client, settings);
  if (differing.length === 0) return void (await client.query('commit'));
  try {
    await client.query('select pg_terminate_backend(pg_backend_pid())');
  } catch (error) {
    // The answer is the end of the session. The pooler reports it in its own words.
    if (!(error instanceof Error)) throw error;
  }
}

/** Whether another program answers in the place of the server. A pooler gives the client a key of its own. */
async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid !== (client as unknown as { processID: number }).processID;
}

/** Whether the server knows a statement by the client's name. A pooler that keeps names gives the server its own. */
async function passesNamesOn(client: pg.Client): Promise<boolean> {
  const name = randomUUID();
  const text = 'select count(*)::integer as found from pg_prepared_statements where name = $1';
  const { rows } = await client.query<{ found: number }>({ name, text, values: [name] });
  return rows[0]?.found === 1;
}

const INSUFFICIENT_PRIVILEGE = '42501';

async function findCluster(client: pg.Client): Promise<string | null> {
  try {
    const { rows } = await client.query<{ cluster: string }>(
      'select system_identifier::text as cluster from pg_control_system()',
    );
    return rows[0]?.cluster ?? null;
  } catch (error) {
    if (sqlState(error) === INSUFFICIENT_PRIVILEGE) return null;
    throw error;
  }
}

/** Reads the version of the server behind a URL. @throws Error after 5 s without an answer */
export async function readServerVersion(url: string): Promise<string> {
  const config = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 };
  const { rows } = await withClient(
    url,
    (client) => client.query(`select current_setting('server_version') as version`),
    config,
  );
  return (rows[0] as { version: string }).version;
}

/**
 * Shows with two transactions that one sees what another commits meanwhile. A server may accept the words READ
 * COMMITTED and work with a snapshot.
 * @throws ConfigFault if it does
 */
export async function requireReadCommitted(database: Database): Promise<void> {
  const isSeen = await database.transaction(async (tx) => {
    const before = await readMark(tx);
    await database.rows(sql`
      insert into platform.settings (key, value) values (${MARK}, to_jsonb(${randomUUID()}::text))
      on conflict (key) do update set value = excluded.value`);
    return (await readMark(tx)) !== before;
  });
  if (isSeen) return;
  throw new ConfigFault([
    'DATABASE_URL: this server does not run transactions in READ COMMITTED, although it accepts the words',
  ]);
}

const MARK = 'database.isolationCheck';

async function readMark(tx: Tx): Promise<string | undefined> {
  const row = await tx.row<{ mark: string }>(
    sql`select value #>> '{}' as mark from platform.settings where key = ${MARK}`,
  );
  return row?.mark;
}

/** Runs the work with a connection of its own. `config` is not for connections that a pooler may pass on. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  config: pg.ClientConfig = {},
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'earnest roles',
    connectionTimeoutMillis: 10_000,
    ...config,
  });
  // A lost connection fails the next query. Without a listener it ends the process, as a session's intended end would.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
