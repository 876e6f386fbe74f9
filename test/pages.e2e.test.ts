import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { staticPages } from '#contract/screens.ts';
import { openBrowser, openPage, violations, widerThanWindow } from './browser.ts';
import { isCampaign } from './combinations.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';

/** The text pages in a browser, and the site without a network. */
const site = await demoSite({ after });
const browser = await openBrowser({ after });

const layouts = [
  { name: 'phone, light, English', width: 390, colorScheme: 'light', locale: 'en-US' },
  { name: 'phone, dark, Korean', width: 390, colorScheme: 'dark', locale: 'ko-KR' },
  { name: 'desktop, light, Korean', width: 1440, colorScheme: 'light', locale: 'ko-KR' },
  { name: 'desktop, dark, English', width: 1440, colorScheme: 'dark', locale: 'en-US' },
] as const;

/** `npm test` shows each in one layout, in turn, and the campaign in all. */
const textPages = [...staticPages, '/offline'];

for (const [turn, layout] of layouts.entries())
  it(`shows text pages without findings on a ${layout.name}`, async () => {
    const { page, context, complaints } = await openPage(browser, {
      viewport: { width: layout.width, height: 900 },
      colorScheme: layout.colorScheme,
      locale: layout.locale,
      reducedMotion: 'reduce',
    });
    for (const path of textPages.filter((_, index) => isCampaign || index % layouts.length === turn)) {
      await page.goto(site.origin + path);
      if (path === '/faq')
        await page.evaluate(() => {
          for (const question of document.querySelectorAll('details')) question.open = true;
        });
      assert.deepEqual(await violations(page), [], path);
      assert.equal(await widerThanWindow(page), 0, path);
      const scheme = await page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
      assert.equal(scheme, layout.colorScheme);
    }
    for (const path of ['/privacy', '/terms']) {
      await page.goto(site.origin + path);
      for (const width of [360, 768, 1024, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        assert.equal(await widerThanWindow(page), 0, `${path} at ${width} px`);
      }
    }
    assert.deepEqual(complaints, []);
    await context.close();
  });

describe('a text page', () => {
  it('changes its language by a link without a script, and stores the choice', async () => {
    const { page, context } = await openPage(browser);
    await page.goto(`${site.origin}/faq`);
    await page.getByRole('link', { name: '한국어' }).first().click();
    await page.getByRole('heading', { level: 1, name: '자주 묻는 질문' }).waitFor();
    await page.goto(`${site.origin}/terms`);
    await page.getByRole('heading', { level: 1, name: '이용약관' }).waitFor();
    await page.goto(`${site.origin}/auth`);
    await page.getByRole('tab', { name: '로그인' }).waitFor();
    await context.close();
    const bare = await openPage(browser, { javaScriptEnabled: false });
    await bare.page.goto(`${site.origin}/faq`);
    await bare.page.getByRole('link', { name: '한국어' }).first().click();
    await bare.page.getByRole('heading', { level: 1, name: '자주 묻는 질문' }).waitFor();
    await bare.page.getByText('포인트 하나는 얼마인가요?').click();
    await bare.page.getByText('1,000포인트는 언제나 1달러입니다.').waitFor();
    await bare.context.close();
  });
  it('§1-2 front page: links visitors to login and registration, and members back', async () => {
    const { page, context } = await openPage(browser);
    await page.goto(`${site.origin}/help`);
    await page.getByRole('link', { name: 'Get started' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Back to your account' }).isVisible(), false);
    await signIn(context, site, site.member);
    await page.reload();
    assert.equal(await page.getByRole('link', { name: 'Get started' }).isVisible(), false);
    await page.getByRole('link', { name: 'Back to your account' }).click();
    await page.getByRole('heading', { level: 1, name: /Jiwoo/ }).waitFor();
    await context.close();
  });
  it('opens and closes a question with the keyboard', async () => {
    const { page, context } = await openPage(browser);
    await page.goto(`${site.origin}/faq`);
    await page.locator('summary').nth(1).focus();
    await page.keyboard.press('Enter');
    await page.getByText('By surveys, by apps and offers').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('By surveys, by apps and offers').waitFor({ state: 'hidden' });
    await context.close();
  });
});

/** Waits until the worker is installed. It controls pages that are loaded after that. */
async function install(page: Page): Promise<void> {
  await page.goto(site.origin);
  await page.evaluate(() => {
    const late = new Promise((_, fail) => setTimeout(() => fail(new Error('No service worker')), 20_000));
    return Promise.race([navigator.serviceWorker.ready.then(() => undefined), late]);
  });
  await page.goto(`${site.origin}/about`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

const kept = (page: Page) =>
  page.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = (await Promise.all(stores.map((store) => store.keys()))).flat();
    return requests.map(({ url }) => new URL(url).pathname);
  });

describe('without a network', () => {
  it('shows the notice in the reader’s language until the network is back', async () => {
    const { page, context } = await openPage(browser, { serviceWorkers: 'allow' });
    await install(page);
    await context.setOffline(true);
    await page.goto(`${site.origin}/history?tab=withdrawals`);
    await page.getByRole('heading', { level: 1, name: 'You’re offline' }).waitFor();
    assert.deepEqual(await violations(page), []);
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(ground, 'rgb(246, 241, 230)', 'without its styles');
    await context.addCookies([{ name: 'language', value: 'ko', url: site.origin }]);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: '인터넷에 연결되어 있지 않습니다' }).waitFor();
    await context.setOffline(false);
    await page.getByRole('link', { name: '다시 시도' }).click();
    await page.getByRole('tab', { name: 'Log in' }).waitFor();
    assert.equal(new URL(page.url()).search, '?tab=withdrawals');
    await context.close();
  });
  it('caches only hashed files and the notice', async () => {
    const { page, context } = await openPage(browser, { serviceWorkers: 'allow' });
    await signIn(context, site, site.member);
    await install(page);
    for (const path of ['/', '/history', '/earn']) {
      await page.goto(site.origin + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
    }
    const paths = await kept(page);
    assert.ok(paths.filter((path) => path.startsWith('/assets/')).length > 10);
    assert.deepEqual(
      paths.filter((path) => !path.startsWith('/assets/')),
      ['/offline', '/offline'],
    );
    await context.close();
  });
  it('shows the notice inside the app, without errors in the console', async () => {
    const { page, context, complaints } = await openPage(browser);
    // A read that a newer one replaces is aborted, which is no failure.
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(request.url());
    });
    await signIn(context, site, site.member);
    await page.clock.install();
    // The last file that Home loads. On a busy machine the network may be quiet before.
    const isLoaded = page.waitForResponse(/\/assets\/behaviour-/);
    await page.goto(site.origin);
    await page.getByRole('heading', { level: 1, name: /Jiwoo/ }).waitFor();
    await page.getByRole('heading', { name: 'Coin flip' }).waitFor();
    await isLoaded;
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await page.getByText('You’re offline. The figures may be old.').waitFor();
    assert.deepEqual(await violations(page), []);
    // The live connection and the polling retry meanwhile.
    await page.clock.runFor(60_000);
    assert.deepEqual(complaints, []);
    await context.setOffline(false);
    await page.getByText('You’re offline. The figures may be old.').waitFor({ state: 'detached' });
    await context.close();
  });
  it('satisfies the browser’s conditions for installing the site', async () => {
    const { page, context } = await openPage(browser, { serviceWorkers: 'allow' });
    await install(page);
    const devtools = await context.newCDPSession(page);
    const manifest = await devtools.send('Page.getAppManifest');
    assert.deepEqual(manifest.errors, []);
    assert.match(manifest.url, /\/manifest\.webmanifest\?lang=en$/);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // A private window installs nothing, on any site.
    assert.deepEqual(
      installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'),
      [],
    );
    await context.close();
  });
});
