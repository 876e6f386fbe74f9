import assert from 'node:assert/strict';
import type { BrowserContextOptions, FrameLocator, Locator, Page } from 'playwright-core';
import { findProvider, providers } from '../server/earning/providers/registry.ts';
import { prepareCatalogue } from '../server/sandbox/demo-catalogue.ts';
import { prepareProviders } from '../server/sandbox/providers.ts';
import { buildWebIfStale } from '../web/build/build.ts';
import { openBrowser, openPage } from './browser.ts';
import { sessionCookies } from './open-as.ts';
import { type Person, testSite } from './site.ts';

/** A site with walls and a catalogue, and a browser. The tests of earning share it. */

/** Every registered provider, by id. */
export const providerIds = [...providers.keys()];
const providerNameOf = (id: string): string => findProvider(id)?.name ?? id;

type Lifetime = { after: (callback: () => Promise<void>) => void };

export async function startEarning(lifetime: Lifetime) {
  await buildWebIfStale();
  const site = await testSite(lifetime);
  await prepareProviders(site.platform, site.sandbox.wallOrigin);
  await prepareCatalogue(site.platform);
  const browser = await openBrowser(lifetime);
  const operator = await site.member({ role: 'admin' });
  return {
    site,
    operator,
    changeProvider: async (id: string, body: Record<string, unknown>): Promise<void> => {
      const answer = await site.call('PUT', `/api/admin/providers/${id}`, { as: operator, body });
      assert.equal(answer.status, 200);
    },
    /** A page of the site, signed in as this member; null for a visitor. */
    pageOf: async (member: Person | null, path: string, options: BrowserContextOptions = {}) => {
      const opened = await openPage(browser, { reducedMotion: 'reduce', ...options });
      if (member !== null) await opened.context.addCookies(sessionCookies(member, site.origin));
      await opened.page.goto(site.origin + path);
      return opened;
    },
  };
}

export const dialogOf = (page: Page, id: string) => page.getByRole('dialog', { name: providerNameOf(id) });
export const wallIn = (parent: Locator | Page): FrameLocator => parent.frameLocator('iframe');
export const closeButton = (page: Page, id: string) =>
  dialogOf(page, id).getByRole('button', { name: `Close ${providerNameOf(id)}` });
export const offerIn = (wall: FrameLocator, title: string) =>
  wall.getByRole('listitem').filter({ hasText: title });
export const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);

export async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isSo()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.fail(what);
}
