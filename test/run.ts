import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { builtWeb } from './built-web.ts';
import { chromiumPath } from './chromium.ts';
import { holdTestCluster, stopTestCluster } from './database.ts';
import { failureText } from './failure-text.ts';
import { holdDemoWorld } from './running-site.ts';

/**
 * `npm test`: static checks, the architecture, units and integration on real PostgreSQL, payouts on a real coin
 * node, and browser tests where Chromium is found (with CI set it must be found). Words on the command line
 * pick files by name: `npm test -- ledger`, `npm test -- static`. The last line is `N passed, N failed`. A line
 * `failed: FILE: TITLE: ERROR` for each failed test stands before it, because a long log is often read from its end,
 * and a line `flaky: …` for each that passed when its file ran again.
 */
const root = resolve(import.meta.dirname, '..');
// Each test file is a process. Without this, all compile the same modules again.
process.env.NODE_COMPILE_CACHE ??= resolve(root, '.cache/compiled');
const isCi = process.env.CI !== undefined;

type Stage = { name: string; patterns: string[]; concurrency: number };

const cores = Math.min(2, availableParallelism());
/** A test file waits for half of its time, so more of them run than there are cores. */
const concurrency = 2 * cores;

const inBrowser = 'in the browser';
const stages: Stage[] = [
  {
    name: 'static checks',
    patterns: ['test/static.test.ts', 'test/*tidy*.test.ts', 'test/failure-text.test.ts'],
    concurrency: cores,
  },
  {
    name: 'units, integration and the whole site',
    patterns: ['{contract,server,bench,web}/**/*.test.ts', 'test/*.site.test.ts', 'test/web-areas.test.ts'],
    concurrency,
  },
  { name: inBrowser, patterns: ['test/*.e2e.test.ts'], concurrency },
];

const needsWeb = (file: string) => /^test\/.*(\.site|\.e2e|web-areas)\.test\.ts$/.test(file);

/** The longest files, longest first. They begin first, because one that began late would run alone at the end. */
const longest = [
  'test/process.site.test.ts',
  'server/points.property.test.ts',
  'server/withdrawals/payouts.test.ts',
  'test/admin.site.test.ts',
  'server/withdrawals/restore.test.ts',
  'test/live-mode.site.test.ts',
  'test/bad-input.site.test.ts',
  'test/permissions.site.test.ts',
  'test/new-rail.site.test.ts',
  'test/new-provider.site.test.ts',
  'server/ledger/ledger.property.test.ts',
  'server/withdrawals/payout-acts.test.ts',
  'server/withdrawals/payout-faults.test.ts',
  'server/platform/embedded-postgres.test.ts',
  'test/own-postgres.site.test.ts',
  'server/withdrawals/rails/coin/ancestors.test.ts',
  'test/secrets.site.test.ts',
  'test/live-secrets.site.test.ts',
  'test/outage.site.test.ts',
  'server/withdrawals/rails/coin/core-wallet.test.ts',
  'test/screens.e2e.test.ts',
  'test/first-paint.e2e.test.ts',
  'test/access.e2e.test.ts',
  'test/navigation.e2e.test.ts',
  'test/keyboard.e2e.test.ts',
  'test/pages.e2e.test.ts',
  'test/members.e2e.test.ts',
  'test/first-paint-steps.e2e.test.ts',
  'test/queue.e2e.test.ts',
  'test/approvals.e2e.test.ts',
  'test/ways.e2e.test.ts',
  'test/coinflip.e2e.test.ts',
  'test/analytics.e2e.test.ts',
  'test/withdrawal.e2e.test.ts',
];
for (const file of longest) assert.ok(existsSync(resolve(root, file)), `There is no file ${file}`);
const turnOf = (file: string): number => (longest.includes(file) ? longest.indexOf(file) : longest.length);

const wanted = process.argv.slice(2);
const isWanted = (file: string) => wanted.length === 0 || wanted.some((word) => file.includes(word));
const filesOf = (stage: Stage) =>
  stage.patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter(isWanted)
    .sort((one, other) => turnOf(one) - turnOf(other) || (one < other ? -1 : 1));

let passed = 0;
const failures: string[] = [];
const flaky: string[] = [];

type Result = { passed: number; failures: { file: string | undefined; text: string }[] };

/** Runs test files and reports each test as it ends. */
async function runFiles(files: string[], fileConcurrency: number): Promise<Result> {
  const result: Result = { passed: 0, failures: [] };
  const stream = run({ files, concurrency: fileConcurrency, timeout: 900_000, cwd: root });
  stream.on('test:pass', ({ details, skip }) => {
    if (details.type !== 'suite' && skip === undefined) result.passed += 1;
  });
  stream.on('test:fail', ({ details, file, name }) => {
    if (details.type === 'suite') return;
    const place = file === undefined ? '' : `${relative(root, file)}: `;
    const text = failureText(`${place}${name}`, details.error.cause ?? details.error.message);
    result.failures.push({ file, text });
  });
  await new Promise<void>((done, fail) => {
    const report = stream.compose(new spec());
    report.on('end', () => done());
    report.on('error', fail);
    report.pipe(process.stdout, { end: false });
  });
  return result;
}

/**
 * With CI set, runs a browser file that failed once more, alone. If all of it passes then, its failures count as flaky:
 * they are named with their errors at the end, each is a bug to mend, and the run does not fail for them.
 */
async function runAgain(first: Result): Promise<void> {
  for (const file of new Set(first.failures.map((failure) => failure.file))) {
    const texts = first.failures.filter((failure) => failure.file === file).map(({ text }) => text);
    if (file === undefined || !isCi) {
      failures.push(...texts);
      continue;
    }
    console.log(`\n— once more: ${relative(root, file)}`);
    const second = await runFiles([file], 1);
    if (second.failures.length > 0) {
      failures.push(...second.failures.map(({ text }) => text));
      continue;
    }
    passed += texts.length;
    flaky.push(...texts);
  }
}

async function runStage(stage: Stage): Promise<void> {
  const files = filesOf(stage);
  if (files.length === 0) return;
  const isInBrowser = stage.name === inBrowser;
  if (isInBrowser && !existsSync(chromiumPath)) {
    console.log(`\nNo Chromium at ${chromiumPath}: browser tests are left out.`);
    if (!isCi) return;
    failures.push('browser tests: no Chromium was found');
    return;
  }
  console.log(`\n— ${stage.name}: ${files.length} files`);
  const started = performance.now();
  // Builds the web first. A build while another site serves would remove its files.
  if (files.some(needsWeb)) builtWeb();
  const removeDemoWorld = isInBrowser && files.length > 2 ? await holdDemoWorld() : async () => undefined;
  const result = await runFiles(
    files.map((file) => resolve(root, file)),
    stage.concurrency,
  );
  passed += result.passed;
  if (isInBrowser) await runAgain(result);
  else failures.push(...result.failures.map(({ text }) => text));
  await removeDemoWorld();
  console.log(`  ${stage.name} took ${((performance.now() - started) / 1000).toFixed()} s`);
}

/** Static checks need no database. */
const needsDatabase = stages.some((stage) => stage.name !== 'static checks' && filesOf(stage).length > 0);
if (needsDatabase) await holdTestCluster(wanted.length === 0);
try {
  for (const stage of stages) await runStage(stage);
} finally {
  if (needsDatabase) await stopTestCluster();
}
console.log('');
for (const text of flaky) console.log(`flaky: ${text}`);
for (const text of failures) console.log(`failed: ${text}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;
