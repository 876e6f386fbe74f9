import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { runCalendarCampaign } from './calendar.ts';
import { postgresBinariesIn } from './postgres-binaries.ts';

/**
 * `npm run campaign -- NAME [RUNS]`: the long version of a test that `npm test` runs shortly, on the same real parts.
 * `CAMPAIGN_RUNS` can set the number of runs too. Exits with 1 if a run fails. Failing seeds of sequences are printed
 * and kept in `server/ledger/property-seeds.json` and `server/points-seeds.json`.
 *
 * `npm run campaign -- postgres FOLDER`: the tests that the continuous integration runs on the system's PostgreSQL
 * (`npm run test:postgres`), on the PostgreSQL whose programs `initdb` and `postgres` are in the folder.
 *
 * `npm run campaign -- calendar [MOMENT …] [WORD …]`: the tests without the browser at the moments of `calendar.ts`, or
 * at those with these names; words pick files by a part of their names.
 */
type Campaign = { what: string; files: string[]; runs: number; runsOf: string };

const campaigns: Record<string, Campaign> = {
  ledger: {
    what: 'random concurrent commands of many members against a model, of the ledger and through the features',
    files: ['server/ledger/ledger.property.test.ts', 'server/points.property.test.ts'],
    runs: 1_000,
    runsOf: 'sequences',
  },
  flips: {
    what: 'coin flips, even within four standard deviations, each repeated from its revealed seeds',
    files: ['server/coinflip/fairness.test.ts'],
    runs: 100_000,
    runsOf: 'games',
  },
  signatures: {
    what: 'mutations of a genuine postback of each form, of which none changes a signed part and verifies',
    files: ['server/earning/providers/signature-coverage.test.ts'],
    runs: 40_000,
    runsOf: 'mutations of each form',
  },
  broadcasts: {
    what: 'mails of a broadcast to a real SMTP server, while five nodes are killed',
    files: ['test/broadcast-kill.site.test.ts'],
    runs: 10_000,
    runsOf: 'mails',
  },
  outage: {
    what: 'a node whose PostgreSQL swallows everything for 60 s, is frozen for 60 s, killed and restarted',
    files: ['test/outage.site.test.ts'],
    runs: 1,
    runsOf: 'rounds',
  },
  payouts: {
    what: 'nodes killed and frozen, coin node and database frozen, copies restored, at every step of a payout',
    files: [
      'server/withdrawals/payouts.test.ts',
      'server/withdrawals/restore.test.ts',
      'server/withdrawals/restored-approvals.test.ts',
      'server/withdrawals/payout-outages.test.ts',
      'server/withdrawals/payout-nodes.test.ts',
    ],
    runs: 20,
    runsOf: 'times each at each step',
  },
  restores: {
    what: 'a copy that is restored, and a second fault: a lost wallet or record, a node that knows more or is gone',
    files: [
      'server/withdrawals/found-later-campaign.test.ts',
      'server/withdrawals/held-after-restore-campaign.test.ts',
      'server/withdrawals/later-nodes-campaign.test.ts',
      'server/withdrawals/records-of-nodes-campaign.test.ts',
      'server/withdrawals/restore-exits-campaign.test.ts',
      'server/withdrawals/restored-holds-campaign.test.ts',
      'server/withdrawals/revocation-campaign.test.ts',
    ],
    runs: 1,
    runsOf: 'rounds',
  },
  races: {
    what: 'fifty calls at once that only one may win, starts that exclude each other, and keys during an outage',
    files: [
      'server/ledger/concurrency.test.ts',
      'server/platform/http/idempotency.test.ts',
      'server/platform/only-node.test.ts',
      'server/bonus/bonus.test.ts',
    ],
    runs: 150,
    runsOf: 'rounds',
  },
  redis: {
    what: 'Redis frozen, thawed, killed and started again under load, after a start without it',
    files: ['test/redis.site.test.ts'],
    runs: 50,
    runsOf: 'rounds',
  },
  calls: {
    what: 'every call with every wrong value in each of its fields',
    files: ['test/bad-input.site.test.ts'],
    runs: 1,
    runsOf: 'rounds',
  },
  extension: {
    what: 'a provider and a rail, each one folder and one line, in a copy of the project, and the suites over them',
    files: ['test/new-provider-campaign.test.ts', 'test/new-rail-campaign.test.ts'],
    runs: 1,
    runsOf: 'rounds',
  },
  population: {
    what: 'rings, households and shared networks that the rules about abuse were not tuned to, each from a new seed',
    files: ['server/risk/population.test.ts'],
    runs: 3,
    runsOf: 'populations of 20,000 members',
  },
  screens: {
    what: 'every screen in both languages and colour schemes, on a phone and on a desktop, at every width',
    files: [
      'test/screens.e2e.test.ts',
      'test/first-paint.e2e.test.ts',
      'test/first-paint-campaign.test.ts',
      'test/op-earning.e2e.test.ts',
      'test/bulk-acts.e2e.test.ts',
    ],
    runs: 1,
    runsOf: 'rounds',
  },
};

/** Most of a campaign's time is spent in waiting for limits to pass. */
const FILES_AT_ONCE = '--test-concurrency=2';

const OF_POSTGRES =
  'ledger, bookings and payouts on the PostgreSQL in FOLDER, behind PgBouncer in transaction mode';
const OF_CALENDAR = 'all but the browser tests at eight other times: weekends, leap day, ends of summer time';

function list(): string {
  return Object.entries(campaigns)
    .map(([name, { what, runs, runsOf }]) => `  ${name.padEnd(10)} ${what} (${runs} ${runsOf})`)
    .concat(`  postgres   ${OF_POSTGRES}`, `  calendar   ${OF_CALENDAR}`)
    .join('\n');
}

function runOnPostgres(folder: string): number {
  const { majorVersion } = postgresBinariesIn(folder);
  console.log(`postgres: version ${majorVersion}, ${OF_POSTGRES}`);
  const startedAtMs = performance.now();
  const { status } = spawnSync('npm', ['run', 'test:postgres'], {
    cwd: root,
    env: { ...process.env, TEST_POSTGRES_BIN: folder, TEST_PGBOUNCER: 'yes' },
    stdio: 'inherit',
  });
  const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1);
  console.log(`postgres: version ${majorVersion} in ${seconds} s, ${status === 0 ? 'no failure' : 'FAILED'}`);
  return status === 0 ? 0 : 1;
}

const root = resolve(import.meta.dirname, '..');
const [name = '', given = process.env.CAMPAIGN_RUNS] = process.argv.slice(2);
if (name === 'postgres' && given !== undefined) process.exit(runOnPostgres(resolve(given)));
if (name === 'calendar') process.exit(await runCalendarCampaign(process.argv.slice(3)));
const campaign = Object.hasOwn(campaigns, name) ? campaigns[name] : undefined;
const runs = Number(given ?? campaign?.runs);
if (campaign === undefined || !Number.isSafeInteger(runs) || runs < 1) {
  const ways = ['NAME [RUNS]', 'postgres FOLDER', 'calendar [MOMENT …] [WORD …]'];
  console.error(`${ways.map((way) => `npm run campaign -- ${way}\n`).join('')}${list()}`);
  process.exit(2);
}

console.log(`${name}: ${runs} ${campaign.runsOf}, ${campaign.what}`);
const started = performance.now();
const { status } = spawnSync(process.execPath, ['--test', FILES_AT_ONCE, ...campaign.files], {
  cwd: root,
  env: { ...process.env, CAMPAIGN_RUNS: String(runs) },
  stdio: 'inherit',
});
const seconds = (performance.now() - started) / 1_000;
const verdict = status === 0 ? 'no violation' : 'VIOLATED';
console.log(`${name}: ${runs} ${campaign.runsOf} in ${seconds.toFixed(1)} s, ${verdict}`);
process.exitCode = status === 0 ? 0 : 1;
