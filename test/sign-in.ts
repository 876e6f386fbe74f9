import assert from 'node:assert/strict';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import type { Account, RunningSite } from './running-site.ts';

/** Signs a browser in by a request, so that a test starts at its screen. */
export async function signIn(
  { request }: Pick<BrowserContext, 'request'>,
  { origin }: Pick<RunningSite, 'origin'>,
  account: Account,
): Promise<void> {
  const answer = await request.post(`${origin}/api/auth/login`, { headers: { origin }, data: account });
  assert.equal(answer.status(), 200);
}

/** A signed-in browser of a phone, whose pages are opened as they are, without the collector of complaints. */
export async function signedInContext(
  browser: Browser,
  site: Pick<RunningSite, 'origin'>,
  account: Account,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    serviceWorkers: 'block',
    ...options,
  });
  await signIn(context, site, account);
  return context;
}
