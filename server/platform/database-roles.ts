/**
 * The three roles of the database. The *owner* runs migrations and owns tables and functions. The *application* has
 * the rights that migrations grant it; it changes movements and wallets only through the ledger's functions. The
 * *worker* owns the job queue's tables, whose row-level security hides jobs from other roles. The worker has no login:
 * the owner connects and sets the role.
 */
import pg from 'pg';
import { ConfigFault } from './config.ts';
import { isDatabaseOutage, sqlState, withUnnamedStatements } from './database.ts';
import { prepareAppSession, prepareOwnerSession, type Session, withClient } from './database-sessions.ts';
import { lockNumber } from './lock-number.ts';
import { readOrMakeSecret } from './secret-files.ts';

export type DatabaseUrls = {
  ownerUrl: string;
  appUrl: string;
  workerUrl: string;
  /** The role of `appUrl`, for `migrate`. */
  appRole: string;
  /** True if the application's role has all rights of the owner. Live mode refuses this. */
  appOwnsLedger: boolean;
  /** The statements that an administrator must run, because a role's settings are not those that it needs. */
  neededStatements: string[];
};

const WORKER = 'earnest_worker';

/** Creates the database and its roles on the embedded server, as its superuser, with passwords from DATA_DIR. */
export async function prepareEmbeddedDatabase(options: {
  superuserUrl: string;
  dataDir: string;
  databaseName?: string;
}): Promise<DatabaseUrls> {
  const { superuserUrl, dataDir, databaseName = 'earnest' } = options;
  const { passwords, ownerUrl, appUrl } = embeddedDatabaseUrls({ superuserUrl, dataDir, databaseName });
  await withLock(superuserUrl, async (client) => {
    await makeLogin(client, 'earnest_owner', passwords.earnest_owner, 'createrole');
    await makeLogin(client, 'earnest_app', passwords.earnest_app, '');
    const found = await client.query('select from pg_database where datname = $1', [databaseName]);
    if (found.rowCount === 0) {
      const name = pg.escapeIdentifier(databaseName);
      await client.query(`create database ${name} owner earnest_owner`);
      await client.query(`revoke all on database ${name} from public`);
      await client.query(`grant connect on database ${name} to earnest_app`);
    }
  });
  return prepareRoles(await prepareOwnerSession(ownerUrl), await prepareAppSession(appUrl), {
    ownerUrl,
    appUrl,
  });
}

/** The connection URLs of a database on the embedded server. The database need not exist. */
export function embeddedDatabaseUrls(options: {
  superuserUrl: string;
  dataDir: string;
  databaseName: string;
}) {
  const passwords = {
    earnest_owner: readOrMakeSecret(options.dataDir, 'postgres-owner'),
    earnest_app: readOrMakeSecret(options.dataDir, 'postgres-app'),
  };
  const urlFor = (role: keyof typeof passwords) => {
    const url = new URL(options.superuserUrl);
    url.username = role;
    url.password = passwords[role];
    url.pathname = `/${options.databaseName}`;
    return url.href;
  };
  const [ownerUrl, appUrl] = [urlFor('earnest_owner'), urlFor('earnest_app')];
  return { ownerUrl, appUrl, workerUrl: withRole(ownerUrl, WORKER), passwords };
}

/**
 * Compares the rights of the two roles of an existing database, prepares their sessions and creates the worker's role.
 * @throws ConfigFault if an address can't be reached, if the two name different databases, or sessions that the
 * product can't work with
 */
export async function prepareDatabase(urls: { ownerUrl: string; appUrl: string }): Promise<DatabaseUrls> {
  const nameOfOwner = urls.ownerUrl === urls.appUrl ? 'DATABASE_URL' : 'DATABASE_OWNER_URL';
  const ofOwner = await reached(nameOfOwner, prepareOwnerSession(urls.ownerUrl));
  const ofApp = await reached('DATABASE_URL', prepareAppSession(urls.appUrl));
  return prepareRoles(ofOwner, ofApp, urls);
}

/** Waits for a session. @throws ConfigFault that names the variable if the database can't be reached or refuses it */
async function reached<T>(variable: string, session: Promise<T>): Promise<T> {
  try {
    return await session;
  } catch (error) {
    const isRefused = /^(28|3D)/.test(sqlState(error) ?? '');
    if (!(error instanceof Error) || !(isRefused || isDatabaseOutage(error))) throw error;
    // A name with several addresses fails with an error that has no text.
    const why = error.message || (error as NodeJS.ErrnoException).code;
    throw new ConfigFault([`${variable}: can’t be reached: ${why}`]);
  }
}

async function prepareRoles(
  ofOwner: Session,
  ofApp: Session,
  urls: { ownerUrl: string; appUrl: string },
): Promise<DatabaseUrls> {
  if (!isSameDatabase(ofApp, ofOwner))
    throw new ConfigFault([
      'DATABASE_URL, DATABASE_OWNER_URL: name different databases; both must name the same',
    ]);
  const appRole = ofApp.role;
  let workerUrl = urls.ownerUrl;
  let appOwnsLedger = true;
  await withLock(urls.ownerUrl, async (client) => {
    const { rows } = await client.query<{ owns: boolean }>(
      `select rolsuper or pg_has_role(oid, current_user, 'member') as owns from pg_roles where rolname = $1`,
      [appRole],
    );
    appOwnsLedger = rows[0]?.owns ?? true;
    if (await ownsJobs(client)) return;
    if (await ifAllowed(() => makeWorker(client))) workerUrl = withRole(urls.ownerUrl, WORKER);
  });
  return {
    ownerUrl: urls.ownerUrl,
    appUrl: ofApp.losesStatementNames ? withUnnamedStatements(urls.appUrl) : urls.appUrl,
    workerUrl,
    appRole,
    appOwnsLedger,
    neededStatements: [...new Set([...ofOwner.neededStatements, ...ofApp.neededStatements])],
  };
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** Runs the work. Returns false if the role may not do it. */
async function ifAllowed(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE) return false;
    throw error;
  }
}

/** Whether two URLs name one database. Without the clusters' identifiers only the names are compared. */
const isSameDatabase = (one: Session, other: Session): boolean =>
  one.database === other.database &&
  (one.cluster === other.cluster || one.cluster === null || other.cluster === null);

/** Creates or updates a login role. Sets the password at each start, so that a lost secrets directory does no harm. */
async function makeLogin(
  client: pg.Client,
  role: string,
  password: string,
  attributes: string,
): Promise<void> {
  const found = await client.query('select from pg_roles where rolname = $1', [role]);
  const verb = found.rowCount === 0 ? 'create' : 'alter';
  await client.query(`${verb} role ${role} login ${attributes} password ${pg.escapeLiteral(password)}`);
}

/** Whether the owner itself owns the job tables, as after a restore into a server without the worker's role. */
async function ownsJobs(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_namespace where nspname = 'graphile_worker' and nspowner = current_user::regrole`,
  );
  return rowCount === 1;
}

/** Creates the worker's role. Where the owner may not, it acts as worker itself. */
async function makeWorker(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ roleExists: boolean; isMember: boolean; mayCreate: boolean }>(
    `select worker.oid is not null as "roleExists",
              coalesce(pg_has_role(current_user, worker.oid, 'member'), false) as "isMember",
              coalesce(has_database_privilege(worker.oid, current_database(), 'create'), false) as "mayCreate"
       from (select) as always left join pg_roles as worker on worker.rolname = $1`,
    [WORKER],
  );
  const state = rows[0];
  if (!state?.roleExists) await client.query(`create role ${WORKER} nologin`);
  if (!state?.isMember) await client.query(`grant ${WORKER} to current_user`);
  if (!state?.mayCreate) {
    const { rows: names } = await client.query<{ name: string }>('select current_database() as name');
    await client.query(
      `grant create, connect on database ${pg.escapeIdentifier(names[0]?.name ?? '')} to ${WORKER}`,
    );
  }
}

function withRole(url: string, role: string): string {
  const changed = new URL(url);
  changed.searchParams.set('options', `-c role=${role}`);
  return changed.href;
}

/** Concurrent starts make roles one after the other. */
const withLock = (url: string, work: (client: pg.Client) => Promise<void>): Promise<void> =>
  withClient(
    url,
    async (client) => {
      await client.query('select pg_advisory_lock($1)', [lockNumber('earnest roles')]);
      await work(client);
    },
    { lock_timeout: 60_000 },
  );
