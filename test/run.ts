import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildWeb } from './built-web.ts';
import { isAtMoment, notAtMoments, runCalendarFiles } from './calendar.ts';
import { changedTestsSince } from './changed-files.ts';
import { chromiumPath } from './chromium.ts';
import { holdTestCluster, stopTestCluster } from './database.ts';
import { budgetFault, slownessOfMachine } from './file-budgets.ts';
import { byCost, printDearest, writeCosts } from './file-costs.ts';
import { type FileResult, killAllFiles, root, runFiles, runningFiles, secondsSince } from './run-files.ts';
import { holdDemoWorld } from './running-site.ts';

/**
 * `npm test`: static checks, the architecture, units and integration on real PostgreSQL, payouts on a real coin
 * node, the site, and browser tests where Chromium is found (with CI set it must be found). Words on the command line
 * pick files by name: `npm test -- ledger`, `npm test -- static`; `changed` picks those that a change reaches. Without
 * words, files named `…-campaign.test.ts` are left out: a campaign runs them, and a word or a change does. A file
 * that failed runs once more, alone, at the end: what passes then is named in a line `flaky: FILE: TITLE: ERROR`, is
 * mended next, and does not fail the run. Other failures are lines `failed: …`, which stand at the end, because a long
 * log is often read from there. The last line is `N passed, N failed`.
 */
// The files run in several processes. Without this, all compile the same modules again.
process.env.NODE_COMPILE_CACHE ??= resolve(root, '.cache/compiled');
const isCi = process.env.CI !== undefined;

const cores = Math.min(2, availableParallelism());
/** A test file waits for more than half of its time, so more of them run than there are cores. */
const FILES_PER_CORE = 3;
/** Files that start processes, sites or browsers, keep a core busy with fewer. */
const STARTING_FILES_PER_CORE = 2;
const STOP_MS_MAX = 20_000;
/** More failed files than these have one cause, which a second run does not change. */
const FILES_AGAIN_MAX = 12;

const patterns = {
  static: [
    ...['test/static.test.ts', 'test/*tidy*.test.ts', 'test/failure-text.test.ts'],
    '{contract,server,bench,web}/**/*words.test.ts',
  ],
  units: ['{contract,server,bench,web}/**/!(*words).test.ts'],
  site: ['test/*.site.test.ts', 'test/web-areas.test.ts'],
  browser: ['test/*.e2e.test.ts'],
};

/** They ask that their own process is quick, so they run when nothing else does. */
const timed = [
  'server/earning/catalogue-import-turns.test.ts',
  'server/earning/catalogue-import.test.ts',
  'server/platform/http/csv-read.test.ts',
  'server/withdrawals/planned-many.test.ts',
];
for (const file of timed) assert.ok(existsSync(resolve(root, file)), `There is no file ${file}`);

const wanted = process.argv.slice(2);
const isReached = wanted[0] === 'changed' ? changedTestsSince(wanted[1] ?? 'HEAD') : undefined;
const isWanted = (file: string) =>
  isReached?.(file) ?? (wanted.length === 0 || wanted.some((word) => file.includes(word)));
const filesOf = (stage: keyof typeof patterns) =>
  patterns[stage]
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter(isWanted)
    .filter((file) => wanted.length > 0 || !file.endsWith('-campaign.test.ts'))
    .filter((file) => !isAtMoment || ![...timed, ...notAtMoments].includes(file))
    .sort(byCost);

const slowness = slownessOfMachine();
/**
 * A run that takes longer is ended. A machine that is slower than that of the budgets has more time in proportion, up
 * to half as much again: a whole run took 31 minutes on such a one (docs/benchmarks.md, B18).
 */
const RUN_MINUTES_MAX = Math.round(30 * Math.min(slowness, 1.5));
const results: FileResult[] = [];
const failures: string[] = [];
const flaky: string[] = [];
const stageTimes: string[] = [];

async function runStage(what: string, files: string[], concurrency = FILES_PER_CORE * cores) {
  const startedAt = performance.now();
  await runFiles(what, files, results, { concurrency });
  if (files.length === 0) return;
  const time = `stage: ${what}: ${secondsSince(startedAt).toFixed()} s`;
  stageTimes.push(time);
  console.log(time);
}

function browserFiles(): string[] {
  const files = filesOf('browser');
  if (files.length === 0 || existsSync(chromiumPath)) return files;
  console.log(`\nNo Chromium at ${chromiumPath}: browser tests are left out.`);
  if (isCi) failures.push('browser tests: no Chromium was found');
  return [];
}

/** The files that touch calendars, at two other times than now. */
let passedAtOtherTimes = 0;
async function runCalendar(): Promise<void> {
  if (wanted.length > 0 && !wanted.includes('calendar')) return;
  const startedAt = performance.now();
  const result = await runCalendarFiles();
  passedAtOtherTimes = result.passed;
  failures.push(...result.failures);
  stageTimes.push(`stage: calendar: ${secondsSince(startedAt).toFixed()} s`);
}

/**
 * Runs the failed files alone, one after the other, and counts what fails again. A file above its budget is one of
 * them: beside other files, which share its core, the same work takes more processor time.
 */
async function runAgain(): Promise<void> {
  for (const result of results) result.failures.push(...budgetFault(result, slowness));
  const failed = results.filter((result) => result.failures.length > 0);
  const isOneCause = failed.length > FILES_AGAIN_MAX || failed.some(({ isBroken }) => isBroken);
  const again = isOneCause || results.length === 1 ? [] : failed.map(({ file }) => file);
  const second: FileResult[] = [];
  await runFiles('once more', again, second, { concurrency: 1, isAlone: true });
  for (const first of failed) {
    const repeated = second.find(({ file }) => file === first.file);
    repeated?.failures.push(...budgetFault(repeated, slowness));
    if (repeated === undefined || repeated.failures.length > 0) {
      failures.push(...(repeated ?? first).failures);
      continue;
    }
    first.passed = repeated.passed;
    flaky.push(...first.failures);
  }
}

async function runAll(): Promise<void> {
  const stages = { units: filesOf('units'), site: filesOf('site'), browser: browserFiles() };
  const needsWeb = stages.site.length + stages.browser.length > 0;
  const needsCluster = needsWeb || stages.units.length > 0;
  if (needsCluster) await holdTestCluster(wanted.length === 0);
  try {
    // The static checks run while the web is built. A build while another site serves would remove its files.
    await Promise.all([
      runStage('static', filesOf('static'), cores),
      needsWeb && !isAtMoment ? buildWeb() : undefined,
    ]);
    await runStage(
      'units',
      stages.units.filter((file) => !timed.includes(file)),
    );
    await runCalendar();
    const isShared = stages.site.length + stages.browser.length > 2;
    const removeDemoWorld = isShared ? await holdDemoWorld() : async () => undefined;
    await runStage('site', stages.site, STARTING_FILES_PER_CORE * cores);
    await runStage('browser', stages.browser, STARTING_FILES_PER_CORE * cores);
    await runStage(
      'limits of time',
      stages.units.filter((file) => timed.includes(file)),
      1,
    );
    await runAgain();
    await removeDemoWorld();
  } finally {
    if (needsCluster) await stopTestCluster();
  }
}

function printResult(): void {
  printDearest(results);
  console.log('');
  for (const text of stageTimes) console.log(text);
  for (const text of flaky) console.log(`flaky: ${text}`);
  for (const text of failures) console.log(`failed: ${text}`);
  const passed = results.reduce((sum, result) => sum + result.passed, passedAtOtherTimes);
  console.log(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;
}

/** A run without an end says nothing. This one says which files hang. */
const watch = setTimeout(async () => {
  failures.push(...results.flatMap((result) => result.failures));
  failures.push(`the run did not end in ${RUN_MINUTES_MAX} minutes; running: ${runningFiles().join(', ')}`);
  killAllFiles();
  await Promise.race([stopTestCluster(), sleep(STOP_MS_MAX)]);
  printResult();
  process.exit();
}, RUN_MINUTES_MAX * 60_000);

await runAll();
clearTimeout(watch);
writeCosts(results);
printResult();
