import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser, openPage, violations } from './browser.ts';
import { completeOffer } from './complete-offer.ts';
import { demoSite } from './running-site.ts';

/** Less usual ways through the site: from outside, to lost pages, and without a server. */
const site = await demoSite({ after });
const browser = await openBrowser({ after });

async function fillSignIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill(site.member.email);
  await page
    .getByLabel(/^Password/)
    .first()
    .fill(site.member.password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

describe('a signed-out person', () => {
  it('§1-2 login view: sees the login view at a member’s URL, and that page after signing in', async () => {
    const { page, context, complaints } = await openPage(browser);
    await page.goto(`${site.origin}/withdrawal`);
    await fillSignIn(page);
    await page.getByRole('heading', { level: 1, name: 'Withdraw' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/withdrawal');
    assert.deepEqual(complaints, []);
    await context.close();
  });
  it('§1-2 sign-in page: is redirected from /login to the form, and onwards when signed in', async () => {
    const { page, context } = await openPage(browser);
    await page.goto(`${site.origin}/login`);
    await page.waitForURL('**/auth');
    await fillSignIn(page);
    await page.getByRole('heading', { level: 1, name: /Jiwoo/ }).waitFor();
    await page.goto(`${site.origin}/auth`);
    await page.getByRole('heading', { level: 1, name: /Jiwoo/ }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/');
    await context.close();
  });
  it('§2-2 operators’ login: gets no gate before the operators’ form if no key is set', async () => {
    for (const path of ['/secret-admin', '/admin-key']) {
      const { page, context, complaints } = await openPage(browser);
      await page.goto(site.origin + path);
      await page.getByRole('heading', { level: 1, name: '운영자 로그인' }).waitFor();
      assert.deepEqual(complaints, []);
      await context.close();
    }
  });
  it('finds the URL’s referral code in the form', async () => {
    for (const name of ['ref', 'referral']) {
      const { page, context } = await openPage(browser);
      await page.goto(`${site.origin}/auth?${name}=FRIEND42`);
      assert.equal(await page.getByLabel('Referral code').inputValue(), 'FRIEND42');
      await context.close();
    }
  });
});

describe('a member', () => {
  it('sees an error in place of a page that did not load, and can try again', async () => {
    const { page, context } = await openPage(browser);
    await page.goto(`${site.origin}/auth`);
    await fillSignIn(page);
    await page.getByRole('heading', { level: 1, name: /Jiwoo/ }).waitFor();
    await page.route('**/assets/history-screen*', (route) => route.abort());
    await page.getByRole('link', { name: 'History', exact: true }).first().click();
    await page.getByText('This page didn’t load').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.unroute('**/assets/history-screen*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    await page.goto(`${site.origin}/history?page=none`);
    await page.getByText('CPX Research').first().waitFor();
    await context.close();
  });
  it('closes a wall with the browser’s Back, and never opens it again by Back', async () => {
    const { page, context } = await openPage(browser);
    await page.goto(`${site.origin}/auth`);
    await fillSignIn(page);
    await page.getByRole('heading', { level: 1, name: /Jiwoo/ }).waitFor();
    await page.getByRole('link', { name: 'Earn', exact: true }).first().click();
    const opener = page.getByRole('button', { name: /CPX Research/ });
    const dialog = page.getByRole('dialog', { name: 'CPX Research' });
    const isAt = async (pathAndSearch: string) => assert.equal(page.url(), site.origin + pathAndSearch);
    await opener.click();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await isAt('/earn');
    await page.goForward();
    await dialog.waitFor();
    await isAt('/earn?wall=cpx');
    await page.reload();
    // A step inside the frame adds a history entry to the browser.
    await completeOffer(page);
    await dialog.getByRole('button', { name: 'Close CPX Research' }).click();
    await dialog.waitFor({ state: 'detached' });
    await isAt('/earn');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: /Jiwoo/ }).waitFor();
    await isAt('/');
    await page.goto(`${site.origin}/earn?wall=bitlabs`);
    await page
      .getByRole('dialog', { name: 'BitLabs' })
      .getByRole('button', { name: /^Close/ })
      .click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await isAt('/earn');
    await context.close();
  });
  it('sees the whole withdrawal summary in the dialog at every width', async () => {
    const { page, context } = await openPage(browser, { reducedMotion: 'reduce' });
    await page.goto(`${site.origin}/withdrawal`);
    await fillSignIn(page);
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    const summary = page.getByRole('dialog').getByRole('complementary', { name: 'Withdrawal slip' });
    await summary.waitFor();
    for (const width of [360, 767, 768, 800, 1023, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      // While the dialog grows to the full screen, its place changes for a moment.
      await page.waitForFunction(() => {
        const edgeOf = (query: string) => document.querySelector(query)?.getBoundingClientRect().right ?? 0;
        return Math.abs(edgeOf('[role=dialog] aside') - edgeOf('[role=dialog]')) < 1;
      });
    }
    await context.close();
  });
  it('§1-2 earn: gets a message that a wall without an answer is slow, and can leave it', async () => {
    const { page, context } = await openPage(browser);
    await page.goto(`${site.origin}/auth`);
    await fillSignIn(page);
    await page.getByRole('heading', { level: 1, name: /Jiwoo/ }).waitFor();
    await page.goto(`${site.origin}/earn`);
    await page.route('**/sandbox/wall/**', () => undefined);
    await page.getByRole('button', { name: /BitLabs/ }).click();
    await page.getByText('This is taking long').waitFor({ timeout: 15_000 });
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Earn' }).waitFor();
    await context.close();
  });
});
