import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import lighthouse from 'lighthouse';
import { type Browser, chromium } from 'playwright-core';
import { freePort } from '../test/free-port.ts';
import { type Bench, type BenchOptions, interleave, type Outcome, plainFigure } from './figure.ts';
import { newDataDir, removeDataDir, startProgram, stopProgram } from './site.ts';

/**
 * B17: Lighthouse's scores of a visitor's first page on a phone, and the size of the scripts that a visitor's and a
 * member's first pages load. It measures the production build, served by the real program.
 */
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const root = resolve(import.meta.dirname, '..');

/** As in the tests: without these switches Chromium calls its vendor's hosts, and the calls would be measured too. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Scores = Record<(typeof categories)[number], number>;

/** One run in a new browser, so that nothing is cached from the run before. Scores out of 100. */
async function scoresOf(url: string): Promise<Scores> {
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath,
    args: [...flags, `--remote-debugging-port=${port}`],
  });
  try {
    const result = await lighthouse(url, {
      port,
      logLevel: 'error',
      output: 'json',
      onlyCategories: [...categories],
    });
    const judged = result?.lhr.categories;
    return Object.fromEntries(
      categories.map((name) => [name, Math.round((judged?.[name]?.score ?? 0) * 100)]),
    ) as Scores;
  } finally {
    await browser.close();
  }
}

/** All scripts that a page has loaded when it is at rest, compressed by gzip, in kB of 1,000 bytes. */
async function scriptKilobytes(browser: Browser, origin: string, member?: Account): Promise<number> {
  const context = await browser.newContext({ serviceWorkers: 'block', locale: 'en-US' });
  if (member !== undefined)
    await context.request.post(`${origin}/api/auth/login`, { headers: { origin }, data: member });
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });
  await page.goto(origin);
  await page.waitForLoadState('networkidle');
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  await context.close();
  return bytes / 1_000;
}

type Account = { email: string; password: string };

async function measureAt(origin: string, account: Account, options: BenchOptions): Promise<Outcome> {
  const rounds: Scores[] = [];
  const scored = await interleave(
    {
      performance: async () => {
        const scores = await scoresOf(origin);
        rounds.push(scores);
        return scores.performance;
      },
      accessibility: async () => rounds.at(-1)?.accessibility ?? 0,
      'best-practices': async () => rounds.at(-1)?.['best-practices'] ?? 0,
      seo: async () => rounds.at(-1)?.seo ?? 0,
    },
    { unit: 'of 100', log: options.log },
  );
  const browser = await chromium.launch({ executablePath, args: flags });
  const loaded = await interleave(
    {
      'visitor’s script': () => scriptKilobytes(browser, origin),
      'member’s script': () => scriptKilobytes(browser, origin, account),
    },
    { rounds: 1, unit: 'kB', log: options.log },
  );
  await browser.close();
  return {
    figures: [
      plainFigure(
        { id: 'B17', title: 'Landing page, JavaScript (gzip)', target: { max: 100 }, aim: { max: 30 } },
        loaded['visitor’s script'],
      ),
      ...categories.map((name) =>
        plainFigure(
          {
            id: 'B17',
            title: `Landing page, Lighthouse mobile, ${name}`,
            target: { min: name === 'performance' ? 95 : 100 },
            aim: { min: 100 },
          },
          scored[name],
        ),
      ),
      plainFigure(
        {
          id: 'B17',
          title: 'Member’s first screen, JavaScript (gzip)',
          target: { max: 250 },
          aim: { max: 200 },
        },
        loaded['member’s script'],
      ),
    ],
    series: [...Object.values(scored), ...Object.values(loaded)],
    notes: [],
  };
}

async function run(options: BenchOptions): Promise<Outcome> {
  const built = spawnSync(process.execPath, ['web/build/build.ts', '--if-stale'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (built.status !== 0) throw new Error('The web was not built');
  const dataDir = newDataDir();
  // A new operator, who is a member like any other at `/`.
  const account = { email: 'bench@example.com', password: 'a quiet river 7' };
  const program = await startProgram(dataDir, {
    ADMIN_EMAIL: account.email,
    ADMIN_PASSWORD: account.password,
  });
  try {
    return await measureAt(`http://localhost:${program.port}`, account, options);
  } finally {
    await stopProgram(program);
    removeDataDir(dataDir);
  }
}

export const landingBench: Bench = { name: 'b17', ids: ['B17'], run };
