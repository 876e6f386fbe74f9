import type { Server } from 'node:http';
import { sentence } from '#contract/operator-sentences.ts';
import { ensureFirstOperator } from './access/access.ts';
import { createApp } from './app.ts';
import { configureClock, requireMode } from './platform/clock.ts';
import { commonPasswordFaults } from './platform/common-passwords.ts';
import { type Config, ConfigFault, readConfig } from './platform/config.ts';
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
import { createLog, type Log } from './platform/log.ts';
import { listenForMetrics } from './platform/metrics.ts';
import { becomeOnlyNode, claimAsOneOfSeveral } from './platform/only-node.ts';
import { requireKnownSecret } from './platform/secret-rotation.ts';
import { secretsOf } from './platform/secrets.ts';
import { verifyTimeline } from './withdrawals/timelines.ts';
import { startWork } from './work.ts';

/**
 * The process: reads the configuration, opens the database, builds the application, listens, and stops. Standard output
 * is for the person who starts the site; the log goes to standard error.
 */
type Close = () => Promise<void>;

/** Closes each opened part. They run in reverse order. */
const opened: Close[] = [];

/** Whether this process stops the embedded database at its end. It must keep running while another node uses it. */
let stopsDatabase = false;
/** Stops the embedded database, if there is one and this process stops it. */
let stopDatabase: Close = async () => {};

const oneLine = (text: string) => text.trim().replaceAll(/\s*\n\s*/g, ' | ');
const say = (line: string) => process.stdout.write(`${line}\n`);

async function findDatabase(config: Config, log: Log, health: Health): Promise<DatabaseUrls> {
  if (config.databaseUrl !== null)
    return prepareDatabase({
      ownerUrl: config.databaseOwnerUrl ?? config.databaseUrl,
      appUrl: config.databaseUrl,
    });
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir });
  stopsDatabase = !postgres.isAdopted;
  const supervision = superviseEmbeddedPostgres(
    postgres,
    { log, health },
    {
      onGivenUp: (reason) => {
        process.stderr.write(
          `The embedded PostgreSQL ended and can't be started again: ${oneLine(reason)}\n`,
        );
        void stop(log, 70);
      },
    },
  );
  stopDatabase = async () => {
    await supervision.stop();
    if (stopsDatabase) await postgres.close();
  };
  opened.push(stopDatabase);
  return prepareEmbeddedDatabase({ superuserUrl: postgres.superuserUrl, dataDir: config.dataDir });
}

/**
 * Ensures that only nodes which hear each other run on the database: one without Redis, or any number with it. Ends
 * this node if another takes over.
 */
async function claimDatabase(config: Config, ownerUrl: string, log: Log, health: Health): Promise<void> {
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
    stopsDatabase = false;
    void stop(log, 70);
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
  stopsDatabase = true;
  opened.push(claim.release);
}

async function openPreparedDatabase(config: Config, log: Log, health: Health) {
  const urls = await findDatabase(config, log, health);
  if (config.mode === 'live' && urls.appOwnsLedger)
    throw new ConfigFault(['DATABASE_URL: its role owns the ledger; live mode needs one that does not']);
  const needed = urls.neededStatements.join('; ');
  health.report(
    'database-settings',
    needed === '' ? undefined : `${sentence('database-settings')} ${needed}`,
  );
  await prepareMigrations(urls.ownerUrl);
  await claimDatabase(config, urls.ownerUrl, log, health);
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
  config: Config,
  log: Log,
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

async function start(log: Log): Promise<void> {
  const asked = readConfig(process.env, await commonPasswordFaults(process.env));
  const health = createHealth(log);
  const parts = await openPreparedDatabase(asked, log, health);
  const given = { ...asked, siteTimezone: parts.siteTimezone };
  const { database, urls } = parts;
  const sandbox = await openSandbox(given, log, parts);
  const config = sandbox?.config ?? given;
  const { adminEmail, adminPassword } = config;
  if (adminEmail !== null && adminPassword !== null)
    await ensureFirstOperator(database, { email: adminEmail, password: adminPassword });

  const platform = await createApp({
    config,
    database,
    log,
    health,
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
    metrics = await listenForMetrics(platform.metrics, config.metricsHost, config.metricsPort);
    opened.push(async () => void metrics?.close());
  }
  opened.push(() => drain(platform.app));
  await platform.app.listen({ host: config.host, port: config.port });
  say(`Address: ${config.publicUrl}`);
  if (accounts?.operator) say(`Operator: ${accounts.operator.email} ${accounts.operator.password}`);
  if (accounts !== undefined) say(`Member: ${accounts.member.email} ${accounts.member.password}`);
}

const STOP_MS_MAX = 20_000;
/** The time for the embedded database after that. */
const DATABASE_STOP_MS_MAX = 5_000;
let isStopping = false;

/** Stops the parts in reverse order and finishes running work. Exits after 25 seconds at the latest. */
async function stop(log: Log, exitCode: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => void exitLate(log, exitCode === 0 ? 1 : exitCode), STOP_MS_MAX).unref();
  for (const close of opened.reverse()) await tryClose(log, close);
  process.exit(exitCode);
}

async function tryClose(log: Log, close: Close): Promise<void> {
  try {
    await close();
  } catch (error) {
    log.error({ error }, 'a part did not stop cleanly');
  }
}

/** Ends the process while a part still runs. The embedded database would outlive it, so it is stopped first. */
async function exitLate(log: Log, exitCode: number): Promise<void> {
  log.error('a part did not stop in its time');
  setTimeout(() => process.exit(exitCode), DATABASE_STOP_MS_MAX).unref();
  await tryClose(log, stopDatabase);
  process.exit(exitCode);
}

const log = createLog();
process.on('SIGTERM', () => void stop(log, 0));
process.on('SIGINT', () => void stop(log, 0));
process.on('unhandledRejection', (error) => {
  log.fatal({ error }, 'unhandled rejection');
  void stop(log, 70);
});
process.on('uncaughtException', (error) => {
  log.fatal({ error }, 'uncaught exception');
  void stop(log, 70);
});
try {
  await start(log);
} catch (error) {
  if (error instanceof ConfigFault) for (const line of error.lines) process.stderr.write(`${line}\n`);
  else log.fatal({ error }, 'the start failed');
  await stop(log, 1);
}
