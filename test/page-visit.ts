import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';

/**
 * One visit of a signed-in page as measured by the browser: when the frame and the balance were painted, when the
 * largest element was painted, and the requests until then. Without slowing the visit down, only the counts are
 * meaningful.
 */
export type Visit = {
  /** Milliseconds from the start of the navigation until the top bar and the balance, or its skeleton, are painted. */
  usefulMs: number;
  /** Milliseconds to the largest paint. */
  largestMs: number;
  /** The element of the largest paint. */
  largest: string;
  /** The number of answers requested before the largest paint, including the document. */
  requests: number;
  /** Their bytes that arrived before it, with headers. */
  bytes: number;
  /** The layout shift score of the browser. */
  shift: number;
  /** Path, start and end of each request, the document first. */
  log: { path: string; startMs: number; endMs: number; bytes: number }[];
};

/** A phone on a slow connection: 1.6 Mbit/s, 150 ms, and a processor at a quarter of its speed. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

type Watched = Pick<Visit, 'usefulMs' | 'largestMs' | 'largest' | 'shift'>;

/** Runs in the page before its own scripts. It is text, because this program has no types of a page. */
const watch = `
  const watched = (window.watched = { usefulMs: 0, largestMs: 0, largest: '', shift: 0 });
  const isThere = (selector) => {
    const box = document.querySelector(selector)?.getBoundingClientRect();
    return box !== undefined && box.width > 0 && box.height > 0;
  };
  // Animation frames run only when the page may paint, so the first frame with both is the one that paints them.
  const look = () => {
    if (isThere('header') && isThere('[data-art]')) watched.usefulMs = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  new PerformanceObserver((list) => {
    for (const { startTime, element } of list.getEntries()) {
      watched.largestMs = startTime;
      const text = element?.textContent.slice(0, 60);
      watched.largest = element ? element.tagName + ' ' + text : 'in the frame, replaced since';
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) watched.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

const found = `(() => {
  const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const log = entries.map(({ name, startTime, responseEnd, transferSize }) => ({
    path: name.slice(location.origin.length),
    startMs: Math.round(startTime),
    endMs: Math.round(responseEnd),
    bytes: transferSize,
  }));
  return { ...watched, usefulMs: Math.max(watched.usefulMs, painted), log };
})()`;

/** Waits until the page has its title, no skeleton, and no larger paint for a second. */
async function rest(page: Page): Promise<void> {
  await page.locator('#main h1').first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  const isAtRest = `document.querySelector('.mantine-Skeleton-root') === null &&
    watched.largestMs > 0 && performance.now() - watched.largestMs > 1000`;
  // The policy of the page refuses an expression that is looked at again and again from inside.
  while (!(await page.evaluate<boolean>(isAtRest))) await sleep(50);
}

/** Opens a URL in a new page and waits until the page is at rest. */
export async function visit(
  context: BrowserContext,
  url: string,
  { isSlow = false }: { isSlow?: boolean } = {},
): Promise<Visit> {
  const page = await context.newPage();
  await page.addInitScript(watch);
  if (isSlow) await slowDown(page);
  await page.goto(url);
  await rest(page);
  const visited = await page.evaluate<Watched & Pick<Visit, 'log'>>(found);
  await page.close();
  const before = visited.log.filter(({ startMs }) => startMs < visited.largestMs);
  const whole = before.filter(({ endMs }) => endMs <= visited.largestMs);
  return { ...visited, requests: before.length, bytes: whole.reduce((sum, { bytes }) => sum + bytes, 0) };
}
