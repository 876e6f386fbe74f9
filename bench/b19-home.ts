import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { chromiumPath } from '../test/chromium.ts';
import { type Visit, visit } from '../test/page-visit.ts';
import { type Account, startedSite } from '../test/running-site.ts';
import {
  type Bench,
  type BenchOptions,
  formatFigure,
  interleave,
  type Outcome,
  plainFigure,
} from './figure.ts';

/**
 * B19: the time until the demo member's Home is painted on a phone with fast 3G (1.6 Mbit/s, 150 ms) and a quarter of
 * the processor's speed. A cold visit is the first one of a browser, apart from signing in. A warm visit comes later,
 * with the service worker and its cache, and is measured up to its largest paint. The production build on the real
 * program.
 */
const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
  locale: 'en-US',
};

type Pair = { cold: Visit; warm: Visit };

/** A cold visit in a new profile, and a later warm one. */
async function visitTwice(browser: Browser, origin: string, account: Account): Promise<Pair> {
  const context = await browser.newContext(phone);
  try {
    await context.request.post(`${origin}/api/auth/login`, { headers: { origin }, data: account });
    const cold = await visit(context, origin, { isSlow: true });
    // The first page was loaded before its service worker. The second fills the worker's cache.
    await visit(context, origin);
    return { cold, warm: await visit(context, origin, { isSlow: true }) };
  } finally {
    await context.close();
  }
}

const noteOf = (name: string, visited: Visit): string =>
  `${name}: ${formatFigure(visited.bytes / 1_000)} kB before the largest paint (${visited.largest}), ` +
  `layout shift ${visited.shift.toFixed(3)}, frame after ${formatFigure(visited.usefulMs / 1_000)} s`;

async function measureAt(origin: string, account: Account, options: BenchOptions): Promise<Outcome> {
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  let pair = await visitTwice(browser, origin, account);
  const times = await interleave(
    {
      'first useful paint': async () => {
        pair = await visitTwice(browser, origin, account);
        return pair.cold.usefulMs / 1_000;
      },
      'largest paint': async () => pair.cold.largestMs / 1_000,
      requests: async () => pair.cold.requests,
      'warm visit': async () => pair.warm.largestMs / 1_000,
    },
    { unit: '', log: options.log },
  );
  await browser.close();
  for (const { path, startMs, endMs, bytes } of pair.cold.log)
    options.log(`    ${startMs}–${endMs} ms, ${bytes} bytes: ${path}`);
  for (const series of Object.values(times)) series.unit = series.name === 'requests' ? '' : 's';
  return {
    figures: [
      plainFigure(
        { id: 'B19', title: 'Signed-in Home, first useful paint', target: { max: 2 }, aim: { max: 1.2 } },
        times['first useful paint'],
      ),
      plainFigure(
        { id: 'B19', title: 'Signed-in Home, largest paint', target: { max: 3 }, aim: { max: 2 } },
        times['largest paint'],
      ),
      plainFigure(
        {
          id: 'B19',
          title: 'Signed-in Home, requests before the largest paint',
          target: { max: 20 },
          aim: { max: 12 },
        },
        times.requests,
      ),
      plainFigure(
        { id: 'B19', title: 'Signed-in Home, warm visit', target: { max: 1 }, aim: { max: 0.5 } },
        times['warm visit'],
      ),
    ],
    series: Object.values(times),
    notes: [noteOf('cold', pair.cold), noteOf('warm', pair.warm)],
  };
}

async function run(options: BenchOptions): Promise<Outcome> {
  const ends: (() => Promise<void>)[] = [];
  const site = await startedSite({ after: (end) => void ends.push(end) }, { LIMIT_FACTOR: '999999999' });
  try {
    return await measureAt(site.origin, site.member, options);
  } finally {
    for (const end of ends) await end();
  }
}

export const homeBench: Bench = { name: 'b19', ids: ['B19'], run };
