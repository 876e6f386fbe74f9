import { existsSync, globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { builtWeb } from './built-web.ts';
import { chromiumPath } from './chromium.ts';
import { holdTestCluster, stopTestCluster } from './database.ts';

/**
 * `npm test`: static checks, the architecture, units and integration on real PostgreSQL, payouts on a real coin
 * node, and browser tests where Chromium is found (with CI set it must be found). Words on the command line
 * pick files by name: `npm test -- ledger`, `npm test -- static`. The last line is `N passed, N failed`.
 */
const root = resolve(import.meta.dirname, '..');
const isCi = process.env.CI !== undefined;

type Stage = { name: string; patterns: string[]; concurrency: number };

/** Tests that use both cores run alone, so that they slow no other test down. */
const stages: Stage[] = [
  { name: 'static checks', patterns: ['test/static.test.ts', 'test/*tidy*.test.ts'], concurrency: 1 },
  {
    name: 'units and integration',
    patterns: ['{contract,server,bench}/**/*.test.ts', 'web/**/*.test.ts'],
    concurrency: Math.min(3, availableParallelism()),
  },
  { name: 'the whole site', patterns: ['test/*.site.test.ts', 'test/web-areas.test.ts'], concurrency: 1 },
  {
    name: 'in the browser',
    patterns: ['test/*.e2e.test.ts'],
    // A browser test waits half of its time.
    concurrency: Math.min(2, availableParallelism()),
  },
];

const wanted = process.argv.slice(2);
const isWanted = (file: string) => wanted.length === 0 || wanted.some((word) => file.includes(word));
const filesOf = (stage: Stage) =>
  stage.patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter(isWanted)
    .sort();

let passed = 0;
let failed = 0;

async function runStage(stage: Stage): Promise<void> {
  const files = filesOf(stage).map((file) => resolve(root, file));
  if (files.length === 0) return;
  if (stage.name === 'in the browser' && !existsSync(chromiumPath)) {
    console.log(`\nNo Chromium at ${chromiumPath}: browser tests are left out.`);
    if (isCi) failed += 1;
    return;
  }
  console.log(`\n— ${stage.name}: ${files.length} files`);
  // Builds the web first. A build while another site serves would remove its files.
  if (stage.name === 'in the browser') builtWeb();
  const started = performance.now();
  const stream = run({ files, concurrency: stage.concurrency, timeout: 900_000, cwd: root });
  stream.on('test:pass', ({ details, skip }) => {
    if (details.type !== 'suite' && skip === undefined) passed += 1;
  });
  stream.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') failed += 1;
  });
  await new Promise<void>((done, fail) => {
    const report = stream.compose(new spec());
    report.on('end', () => done());
    report.on('error', fail);
    report.pipe(process.stdout, { end: false });
  });
  console.log(`  ${stage.name} took ${((performance.now() - started) / 1000).toFixed()} s`);
}

/** Static checks need no database. */
const needsDatabase = stages.some((stage) => stage.name !== 'static checks' && filesOf(stage).length > 0);
if (needsDatabase) await holdTestCluster();
try {
  for (const stage of stages) await runStage(stage);
} finally {
  if (needsDatabase) await stopTestCluster();
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
