import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildWeb } from './built-web.ts';
import { CLUSTER, HELD_BY_RUN } from './database.ts';
import { type FileResult, root, runFiles } from './run-files.ts';

/**
 * Tests at other times than now, which show a test or a product that is right on some days only. Debian's `faketime`
 * moves the clock of every process that is started here, PostgreSQL too, because the site's time is the database's.
 * Time goes on from the moment; timers are as they are.
 */
type Moment = { name: string; what: string; at: string; zone: string };

const SEOUL = 'Asia/Seoul';
const NEW_YORK = 'America/New_York';

/** The Saturday is still a Friday in UTC. A change that is five minutes ahead comes during the run. */
const moments: readonly Moment[] = [
  { name: 'friday', what: 'a Friday in Seoul', at: '2027-05-14T11:00:00Z', zone: SEOUL },
  { name: 'saturday', what: 'a Saturday in Seoul', at: '2027-05-14T15:30:00Z', zone: SEOUL },
  { name: 'sunday', what: 'a Sunday in Seoul', at: '2027-05-16T03:00:00Z', zone: SEOUL },
  {
    name: 'havana',
    what: 'the day that begins twice in Havana',
    at: '2027-11-07T04:20:00Z',
    zone: 'America/Havana',
  },
  { name: 'autumn', what: 'the end of summer time in New York', at: '2027-11-07T05:55:00Z', zone: NEW_YORK },
  { name: 'new-year', what: '31 December 23:55 in Seoul', at: '2027-12-31T14:55:00Z', zone: SEOUL },
  { name: 'leap-day', what: '29 February in Seoul', at: '2028-02-29T03:00:00Z', zone: SEOUL },
  {
    name: 'spring',
    what: 'the begin of summer time in New York',
    at: '2028-03-12T06:55:00Z',
    zone: NEW_YORK,
  },
];

const OF_THE_GATE = ['saturday', 'leap-day'];

/** The files that count days, weekdays or months, in the gate's one process for each moment, both at once. */
const files = [
  'contract/processing-time.test.ts',
  'server/bonus/bonus.test.ts',
  'server/platform/business-days.test.ts',
  'server/earning/ceilings.test.ts',
  'server/ledger/reads.test.ts',
  'server/notices/mails.test.ts',
  'server/overview-days.test.ts',
  'server/overview.test.ts',
  'web/admin/kit/zoned-time.test.ts',
  'web/admin/ledger/months.test.ts',
  'web/analytics/earned.test.ts',
  'web/client/format.test.ts',
];

/** What many do at once is the same on any day. */
const SKIPPED = 'parallel';

/** All but the browser tests. */
const WITHOUT_BROWSER = ['contract/', 'server/', 'bench/', 'web/', '.site.test', 'web-areas'];

/**
 * Under faketime PostgreSQL ends no wait by a timeout, because its handler of the alarm reads the real time then. These
 * files need its timeouts of statements, locks, deadlocks or idle transactions.
 */
export const notAtMoments = [
  'server/ledger/audit-limits.test.ts',
  'server/platform/database.test.ts',
  'server/platform/leases.test.ts',
  'server/withdrawals/decisions.test.ts',
  'server/withdrawals/payout-faults.test.ts',
  'server/withdrawals/payout-outages.test.ts',
  'server/withdrawals/payout-succession.test.ts',
  'test/outage.site.test.ts',
];

for (const file of [...files, ...notAtMoments])
  if (!existsSync(join(root, file))) throw new Error(`There is no file ${file}`);

const library = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0];
const CLOCK_MS_MAX = 60_000;

/** Whether this process runs at one of the moments. */
export const isAtMoment = process.env.FAKETIME !== undefined;

function environmentAt({ at, zone }: Moment): NodeJS.ProcessEnv {
  const secondsAhead = Math.round((Date.parse(at) - Date.now()) / 1_000);
  return {
    ...process.env,
    LD_PRELOAD: library,
    // All processes are ahead by the same time, whenever they start.
    FAKETIME: `${secondsAhead < 0 ? '' : '+'}${secondsAhead}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    TZ: zone,
  };
}

export type CalendarResult = { passed: number; failures: string[] };

/** The stage of the gate. Continuous integration must have `faketime`. */
export async function runCalendarFiles(names = OF_THE_GATE): Promise<CalendarResult> {
  if (library === undefined) {
    console.log('\nNo faketime was found: the files that touch calendars run at no other time than now.');
    return { passed: 0, failures: process.env.CI === undefined ? [] : ['calendar: no faketime was found'] };
  }
  const results = await Promise.all(moments.filter(({ name }) => names.includes(name)).map(runFilesAt));
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failures: results.flatMap(({ failures }) => failures),
  };
}

async function runFilesAt(moment: Moment): Promise<CalendarResult> {
  const results: FileResult[] = [];
  const environment = startAt(moment);
  execFileSync(process.execPath, ['test/cluster.ts', 'start'], { cwd: root, env: environment });
  await runFiles(moment.what, files, results, {
    concurrency: 1,
    environment: { ...environment, [HELD_BY_RUN]: clusterOf(moment) },
    skippedWord: SKIPPED,
  });
  execFileSync(process.execPath, ['test/cluster.ts', 'stop'], { cwd: root, env: environment });
  removeCluster(moment);
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failures: results.flatMap((result) => result.failures.map((text) => `${moment.what}: ${text}`)),
  };
}

const clusterOf = ({ name }: Moment): string => join(root, '.cache', `test-postgres-${name}`);
const removeCluster = (moment: Moment) => rmSync(clusterOf(moment), { recursive: true, force: true });

/**
 * A killed process leaves its memory of faketime. A later one with its number that runs as another user, such as
 * PostgreSQL, can't open that and does not start.
 */
function removeLeftovers(): void {
  for (const file of globSync('/dev/shm/*faketime_*'))
    if (!existsSync(`/proc/${file.slice(file.lastIndexOf('_') + 1)}`)) rmSync(file, { force: true });
}

/**
 * The environment of processes at a moment, with a new cluster: a database that was made later would have seen the
 * clock go back.
 */
function startAt(moment: Moment): NodeJS.ProcessEnv {
  removeCluster(moment);
  removeLeftovers();
  const env = { ...environmentAt(moment), [CLUSTER]: clusterOf(moment), [HELD_BY_RUN]: undefined };
  // A library that can't be loaded is a warning only. That PostgreSQL follows is seen by tests that compare the clocks.
  const movedTo = Number(execFileSync(process.execPath, ['-p', 'Date.now()'], { env }));
  if (Math.abs(movedTo - Date.parse(moment.at)) > CLOCK_MS_MAX)
    throw new Error(`faketime did not move the clock to ${moment.at}`);
  return env;
}

/** Runs all the picked files at a moment, prints what they say, and gives it with the exit code. */
async function runAt(moment: Moment, words: string[]) {
  const child = spawn(process.execPath, ['test/run.ts', ...words], {
    cwd: root,
    env: startAt(moment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += String(chunk);
      process.stdout.write(chunk);
    });
  const [code, signal] = await once(child, 'close');
  removeCluster(moment);
  return { code: signal ?? code, output };
}

/**
 * `npm run campaign -- calendar`: all but the browser tests at all moments. Words pick moments by their names and files
 * by a part of theirs.
 */
export async function runCalendarCampaign(words: string[]): Promise<number> {
  if (library === undefined) throw new Error('Install Debian’s faketime');
  const named = moments.filter(({ name }) => words.includes(name));
  const picked = words.filter((word) => !moments.some(({ name }) => name === word));
  const failures: string[] = [];
  // The build waits for its threads for ever under faketime.
  await buildWeb();
  for (const moment of named.length === 0 ? moments : named) {
    console.log(`\n${moment.what}: ${moment.at}, ${moment.zone}`);
    const { code, output } = await runAt(moment, picked.length === 0 ? WITHOUT_BROWSER : picked);
    const found: string[] = output.match(/^(failed|flaky): .*$/gm) ?? [];
    if (code !== 0 && found.length === 0) found.push(`ended with ${code}`);
    failures.push(...found.map((text) => `${moment.what}: ${text}`));
  }
  console.log(`\n${failures.join('\n')}\ncalendar: ${failures.length} failures`);
  return failures.length === 0 ? 0 : 1;
}
