import type { Server } from 'node:http';
import { sentence } from '#contract/operator-sentences.ts';
import { ensureFirstOperator } from './access/access.ts';
import { mergePhoneNumbers } from './access/phone-merge.ts';
import { createApp } from './app.ts';
import { configureClock, requireMode } from './platform/clock.ts';
import { commonPasswordFaults } from './platform/common-passwords.ts';
import { type Config, ConfigFault, dataDirOf, readConfig } from './platform/config.ts';
import { moveFormerFiles } from './platform/data-folders.ts';
import { lockDataDir } from './platform/data-lock.ts';
import { openDatabase } from './platform/database.ts';
import { migrate, prepareMigrations } from './platform/database-migrations.ts';
import { type DatabaseUrls, prepareDatabase, prepareEmbeddedDatabase } from './platform/database-roles.ts';
import { requireReadCommitted } from './platform/database-sessions.ts';
import { watchDatabase } from './platform/database-watch.ts';
import { startEmbeddedPostgres } from './platform/embedded-postgres.ts';
import { superviseEmbeddedPostgres } from './platform/embedded-postgres-supervision.ts';
import { createHealth, type Health } from './platform/health.ts';
import { drain } from './platform/http/draining.ts';
import { prepareJobs, startJobs } from './platform/jobs.ts';
import { whenListening } from './platform/listening.ts';
import type { Log } from './platform/log.ts';
import { listenForMetrics } from './platform/metrics.ts';
import { openNetworks } from './platform/networks.ts';
import { becomeOnlyNode, claimAsOneOfSeveral } from './platform/only-node.ts';
import { requireKnownSecret } from './platform/secret-rotation.ts';
import { secretsOf } from './platform/secrets.ts';
import type { Accounts } from './sandbox/demo-accounts.ts';
import { verifyTimeline } from './withdrawals/timelines.ts';
import { startWork } from './work.ts';

/**
 * A node of the site in a process: reads the configuration, opens the database, builds the application, listens, and
 * closes what it opened in reverse order. What ends the process and what a person reads stands in `main.ts`.
 */
type Close = () => Promise<void>;

type Node = {
  environment: NodeJS.ProcessEnv;
  log: Log;
  /** The node can't go on, for a reason that the log does not hold. Whoever started it closes it. */
  onFailed: (reason?: string) => void;
};

export type StartedNode = {
  address: string;
  /** Of the sandbox's demo world. */
  accounts: Accounts | undefined;
  /** DATA_DIR, if it has the database. */
  ownFolder: string | undefined;
};

type Running = Node & {
  /** Closes each opened part. They run in reverse order. */
  opened: Close[];
  /** Whether this node stops the embedded database at its end. It must keep running while another node uses it. */
  stopsDatabase: boolean;
  /** Stops the embedded database, if there is one and this node stops it. */
  stopDatabase: Close;
};

export function createNode(given: Node) {
  const node: Running = { ...given, opened: [], stopsDatabase: false, stopDatabase: async () => {} };
  return {
    start: () => start(node),
    /** Closes what a start has opened so far. */
    close: async () => {
      for (const close of node.opened.reverse()) await tryClose(node.log, close);
    },
    stopDatabase: () => tryClose(node.log, node.stopDatabase),
  };
}

async function tryClose(log: Log, close: Close): Promise<void> {
  try {
    await close();
  } catch (error) {
    log.error({ error }, 'a part did not stop cleanly');
  }
}

const oneLine = (text: string) => text.trim().replaceAll(/\s*\n\s*/g, ' | ');

async function findDatabase(node: Running, config: Config, health: Health): Promise<DatabaseUrls> {
  if (config.databaseUrl !== null)
    return prepareDatabase({
      ownerUrl: config.databaseOwnerUrl ?? config.databaseUrl,
      appUrl: config.databaseUrl,
    });
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir });
  node.stopsDatabase = !postgres.isAdopted;
  const onGivenUp = (reason: string) =>
    node.onFailed(`The embedded PostgreSQL ended and can't be started again: ${oneLine(reason)}`);
  const supervision = superviseEmbeddedPostgres(postgres, { log: node.log, health }, { onGivenUp });
  node.stopDatabase = async () => {
    await supervision.stop();
    if (node.stopsDatabase) await postgres.close();
  };
  node.opened.push(node.stopDatabase);
  return prepareEmbeddedDatabase({ superuserUrl: postgres.superuserUrl, dataDir: config.dataDir });
}

/**
 * Ensures that only nodes which hear each other run on the database: one without Redis, or any number with it. Ends
 * this node if another takes over.
 */
async function claimDatabase(node: Running, config: Config, ownerUrl: string, health: Health): Promise<void> {
  const { log, opened } = node;
  const database = openDatabase({
    url: ownerUrl,
    connectionsMax: 1,
    applicationName: 'earnest only node',
    // A renewal on a silent connection fails in time for the next one, on a new connection.
    answerTimeoutMs: 4_000,
  });
  opened.push(() => database.close());
  const onLost = () => {
    log.fatal('another node took over this database; this one ends');
    node.stopsDatabase = false;
    node.onFailed();
  };
  const isAlone = config.redisUrl === null;
  const claim = await (isAlone ? becomeOnlyNode : claimAsOneOfSeveral)(
    { database, log, health },
    { dataDir: config.dataDir, onLost },
  );
  if (claim === undefined) {
    const needed = isAlone ? 'is required, because another node' : 'is set, but a node without it';
    throw new ConfigFault([`REDIS_URL: ${needed} runs on this database`]);
  }
  node.stopsDatabase = true;
  opened.push(claim.release);
}

async function openPreparedDatabase(node: Running, config: Config, health: Health) {
  const { log, opened } = node;
  const urls = await findDatabase(node, config, health);
  if (config.mode === 'live' && urls.appOwnsLedger)
    throw new ConfigFault(['DATABASE_URL: its role owns the ledger; live mode needs one that does not']);
  const needed = urls.neededStatements.join('; ');
  health.report(
    'database-settings',
    needed === '' ? undefined : `${sentence('database-settings')} ${needed}`,
  );
  await prepareMigrations(urls.ownerUrl);
  await claimDatabase(node, config, urls.ownerUrl, health);
  await requireMode(urls.ownerUrl, config.mode);
  const newer = await migrate(urls.ownerUrl, { appRole: urls.appRole });
  const siteTimezone = await configureClock(urls.ownerUrl, config);
  if (siteTimezone !== config.siteTimezone)
    health.report(
      'site-timezone',
      [
        sentence('site-timezone', { configuredZone: config.siteTimezone, siteZone: siteTimezone }),
        sentence('site-timezone-mended'),
      ].join(' '),
    );
  if (newer === undefined) await prepareJobs(urls.workerUrl, urls.appRole, log);
  else log.info({ newer }, 'a newer release has used this database; its schema stays as it is');
  const watch = watchDatabase({ url: urls.appUrl, health });
  opened.push(watch.close);
  const database = openDatabase({
    url: urls.appUrl,
    connectionsMax: 16,
    watch,
    onError: (error) => {
      if (!watch.isSilent()) log.warn({ error }, 'a database connection was lost');
    },
  });
  opened.push(() => database.close());
  await requireReadCommitted(database);
  await requireKnownSecret(database, secretsOf(config));
  return { database, urls, watch, siteTimezone };
}

async function openSandbox(
  { log, opened }: Running,
  config: Config,
  parts: Awaited<ReturnType<typeof openPreparedDatabase>>,
) {
  if (config.mode !== 'sandbox') return undefined;
  const { startSandbox } = await import('./sandbox/sandbox.ts');
  const sandbox = await startSandbox({
    config,
    database: parts.database,
    ownerUrl: parts.urls.ownerUrl,
    log,
  });
  opened.push(sandbox.close);
  return sandbox;
}

async function start(node: Running): Promise<StartedNode> {
  const { environment, log, opened } = node;
  const dataDir = dataDirOf(environment);
  const unlockDataDir = lockDataDir(dataDir);
  opened.push(async () => unlockDataDir());
  const faults = moveFormerFiles(dataDir);
  if (faults.length > 0) throw new ConfigFault(faults);
  const asked = readConfig(environment, await commonPasswordFaults(environment));
  const networks = await openNetworks(asked.geoipFiles);
  const health = createHealth(log);
  const parts = await openPreparedDatabase(node, asked, health);
  const given = { ...asked, siteTimezone: parts.siteTimezone };
  const { database, urls } = parts;
  const sandbox = await openSandbox(node, given, parts);
  const config = sandbox?.config ?? given;
  const { adminEmail, adminPassword } = config;
  if (adminEmail !== null && adminPassword !== null)
    await ensureFirstOperator(database, { email: adminEmail, password: adminPassword });
  await mergePhoneNumbers(database, node.log);

  const platform = await createApp({
    config,
    database,
    log,
    health,
    networks,
    ...(sandbox === undefined ? {} : { mountSandbox: sandbox.registerRoutes }),
  });
  // Before the demo world has payouts, so that the first start of a sandbox has a marker.
  await verifyTimeline(platform);
  const accounts = await sandbox?.prepare(platform);
  const work = startWork(platform);
  opened.push(work.close);
  const jobs = await startJobs(urls.workerUrl, work.handlers, { log, health, watch: parts.watch });
  opened.push(jobs.close);
  let metrics: Server | undefined;
  if (config.metricsPort !== null) {
    const at = {
      port: config.metricsPort,
      host: config.metricsHost,
      portName: 'METRICS_PORT',
      hostName: 'METRICS_HOST',
    };
    metrics = await whenListening(at, listenForMetrics(platform.metrics, at.host, at.port));
    opened.push(async () => void metrics?.close());
  }
  opened.push(() => drain(platform.app));
  const at = { port: config.port, host: config.host, portName: 'PORT', hostName: 'HOST' };
  await whenListening(at, platform.app.listen({ host: at.host, port: at.port }));
  const ownFolder = config.databaseUrl === null ? config.dataDir : undefined;
  return { address: config.publicUrl, accounts, ownFolder };
}
