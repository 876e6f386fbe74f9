import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { chromiumPath } from './chromium.ts';

/** A real Chromium, and what it complains about. */
type Lifetime = { after: (callback: () => Promise<void>) => void };

export async function openBrowser(lifetime: Lifetime): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    // Without the background switches Chromium asks its vendor's hosts, which a test has no business with.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  lifetime.after(() => browser.close());
  return browser;
}

/** A page that remembers every complaint of its console and every answer of 5xx. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // What a test aborts or delays shall reach it, and not a service worker. The test of that one says otherwise.
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

/** Waits until nothing has faded or slid for a few frames: half-faded text has no contrast that could be judged. */
async function settle(page: Page): Promise<void> {
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

/** What axe finds on the page once it stands still, frames of others left out. */
export async function violations(page: Page): Promise<string[]> {
  await settle(page);
  const { violations: found } = await new AxeBuilder({ page }).exclude('iframe').analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}
