import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { chromiumPath } from './chromium.ts';
import { WORKER_VARIABLE } from './file-lines.ts';

/** Opens pages in a real Chromium and collects their complaints. */
type Lifetime = { after: (callback: () => Promise<void>) => void };

let shared: Promise<Browser> | undefined;

/**
 * A Chromium without pages. The contexts that are opened in it end with `lifetime`. The files that a process of a run
 * goes through share one, which ends with the process.
 */
export async function openBrowser(lifetime: Lifetime): Promise<Browser> {
  if (process.env[WORKER_VARIABLE] === undefined) {
    const browser = await launchBrowser();
    lifetime.after(() => browser.close());
    return browser;
  }
  shared ??= launchBrowser();
  const browser = await shared;
  lifetime.after(async () => void (await Promise.all(browser.contexts().map((context) => context.close()))));
  return browser;
}

const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Most pages of a test live for seconds, so code that is compiled to be fast is not used enough to pay for it.
      '--js-flags=--no-opt --no-maglev',
      '--num-raster-threads=1',
      // Without these switches Chromium calls its vendor's hosts in the background.
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

/** A page that records every console complaint and every 5xx answer. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // A service worker would hide aborted and delayed requests from the page. Only the service worker's own test
    // allows it.
    serviceWorkers: 'block',
    ...options,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isOurs = !message.text().includes('Service Worker registration blocked by Playwright');
    if (isOurs && ['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('response', (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()} ${response.url()}`);
  });
  return { page, context, complaints };
}

/**
 * Opens a member's page by `open` and waits for its live connection. At its opening the page reads its lists again, so
 * before that a list that failed could load by itself.
 */
export async function openConnected(page: Page, open: () => Promise<unknown>): Promise<void> {
  const isConnected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  await open();
  await isConnected;
  // The second read is rendered: as waiting, or as what it gave.
  await page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
  });
}

/**
 * Goes to another screen within the loaded app, as its links do, and to a screen of another site by loading it. A load
 * costs four times as much. What the app has read stays, so a test that needs a first read loads the page.
 */
export async function visit(page: Page, url: string): Promise<void> {
  const to = new URL(url);
  if (new URL(page.url()).origin !== to.origin) return void (await page.goto(url));
  // Before the app has replaced the document's skeleton, its router hears of no other address.
  await page.locator('[data-waiting]').waitFor({ state: 'detached' });
  await page.evaluate((path) => history.pushState(null, '', path), to.pathname + to.search + to.hash);
}

/** Answers the calls of an address with the refusal of too many calls. */
export const refuseCalls = (page: Page, address: string) =>
  page.route(address, (route) =>
    route.fulfill({
      status: 429,
      contentType: 'application/problem+json',
      headers: { 'retry-after': '60' },
      body: JSON.stringify({ status: 429, code: 'rate-limited', detail: 'Too many requests.' }),
    }),
  );

/**
 * Waits until no animation has run for a few frames. Before that, axe can't judge the contrast of half-faded text, and
 * boxes move.
 */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const isMoving = () =>
      document
        .getAnimations()
        .some(
          ({ effect, playState }) => playState === 'running' && effect?.getTiming().iterations !== Infinity,
        );
    for (let stillFrames = 0; stillFrames < 5; stillFrames = isMoving() ? 0 : stillFrames + 1) {
      await new Promise(requestAnimationFrame);
    }
  });
}

/**
 * Presses keys that belong together, such as `G` and a letter, one right after the other. On a busy machine the answer
 * to one press can take longer than a page waits for the next key.
 */
export const pressInTurn = (page: Page, ...keys: string[]) =>
  Promise.all(keys.map((key) => page.keyboard.press(key)));

/** Waits until the focus is in a field that is marked as wrong and is described by this message. */
export async function wrongField(page: Page, message: string): Promise<void> {
  await page.waitForFunction((text) => {
    const field = document.activeElement;
    const ids = field?.getAttribute('aria-describedby')?.split(' ') ?? [];
    const isDescribed = ids.some((id) => document.getElementById(id)?.textContent?.includes(text));
    return field?.getAttribute('aria-invalid') === 'true' && isDescribed;
  }, message);
}

const axePath = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));
let axeSource: string | undefined;

type Judged = { part?: string; leftOut?: readonly string[] };

/**
 * The findings of axe on the page at rest, or on the `part` with this selector, without its frames and what matches
 * `leftOut`. A document that was judged before has axe already: to load it takes as long as to judge a small page.
 */
export async function violations(page: Page, { part, leftOut = [] }: Judged = {}): Promise<string[]> {
  await settle(page);
  axeSource ??= readFileSync(axePath, 'utf8');
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axeSource);
  const judged = { ...(part === undefined ? {} : { include: [part] }), exclude: ['iframe', ...leftOut] };
  const { violations: found } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(judged)}, { resultTypes: ['violations'], iframes: false })`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}

/**
 * How many pixels a page is wider than its window. A screen with another layout for a phone takes it a moment after the
 * window was resized, so a width above 0 is read again for up to 2 s.
 */
export const widerThanWindow = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const root = document.documentElement;
    const endMs = performance.now() + 2_000;
    for (;;) {
      const wider = Math.max(0, root.scrollWidth - root.clientWidth);
      if (wider === 0 || performance.now() > endMs) return wider;
      await new Promise(requestAnimationFrame);
    }
  });
