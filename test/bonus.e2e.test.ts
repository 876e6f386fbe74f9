import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { openBrowser, openConnected, openPage, violations } from './browser.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';
import { advanceIntoSiteDay } from './site-day.ts';

/** The daily bonus of the demo member, who claims it on three days before the first test. */
const site = await demoSite({ after });
const browser = await openBrowser({ after });

async function openHome(options: BrowserContextOptions = {}) {
  const opened = await openPage(browser, options);
  const { context, page } = opened;
  const headers = { origin: site.origin };
  await signIn(context, site, site.member);
  const claim = () => context.request.post(`${site.origin}/api/daily-bonus/claim`, { headers });
  const read = async (path: string) => (await context.request.get(`${site.origin}${path}`)).json();
  const card = page.getByRole('region', { name: /^(Daily bonus|출석 보너스)$/ });
  return { ...opened, card, claim, read };
}

const oneDayLater = () => advanceIntoSiteDay(site.owner);

// The demo world may be of the day before. Its last claim is two days ago or more in any case, so day 1 comes now.
{
  const { context, claim } = await openHome();
  for (let day = 1; day <= 3; day += 1) {
    await oneDayLater();
    assert.equal((await claim()).status(), 200);
  }
  await context.close();
  await oneDayLater();
}

it('§1-4 daily bonus: shows the ladder, credits the points at a press and names tomorrow’s points', async () => {
  const { page, card, context, complaints, read } = await openHome();
  await page.goto(site.origin);
  await card.getByText('Day 4 in a row').waitFor();
  const stamps = card.getByRole('listitem');
  assert.equal(await stamps.count(), 7);
  const shown = await stamps.evaluateAll((items) => items.map((item) => item.dataset.state));
  assert.deepEqual(shown, [...Array(3).fill('claimed'), 'today', ...Array(3).fill('to-come')]);
  assert.equal(await card.locator('[aria-current=step]').locator('b').innerText(), '20');
  const before = Number((await read('/api/user/stats')).balance);

  const claims: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/daily-bonus/claim')) claims.push(request.url());
  });
  // A double click makes one claim and shows one toast.
  await card.getByRole('button', { name: 'Claim 20 P' }).dblclick();
  const toast = page.getByRole('status').filter({ hasText: 'Daily Bonus Earned!' });
  await toast.getByText('20 P earned.').waitFor();
  await card.getByText('4 days in a row').waitFor();
  const done = card.getByRole('button', { name: 'Come back tomorrow for 25 P' });
  await done.waitFor();
  assert.equal(await done.isDisabled(), true);
  await page.getByText('Daily bonus · day 4').waitFor();
  assert.equal(Number((await read('/api/user/stats')).balance), before + 20);
  assert.equal(claims.length, 1);
  assert.equal(
    await page.evaluate(() => document.activeElement?.textContent),
    'Daily bonus',
    'the pressed button is gone, so its card has the focus',
  );
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(complaints, []);
  await context.close();
});

it('§1-8 daily bonus: shows in a toast why a claim failed, and shows the current state', async () => {
  await oneDayLater();
  const { page, card, context, claim, read } = await openHome();
  await page.goto(site.origin);
  await card.getByRole('button', { name: 'Claim 25 P' }).waitFor();
  // While the call is under way, the bonus is claimed in another window.
  await page.route('**/api/daily-bonus/claim', async (route) => {
    await claim();
    await route.continue();
  });
  await card.getByRole('button', { name: 'Claim 25 P' }).click();
  const toast = page.getByRole('alert').filter({ hasText: 'Bonus Claim Failed' });
  await toast.getByText('Claimed already today.').waitFor();
  await card.getByRole('button', { name: 'Come back tomorrow for 30 P' }).waitFor();
  assert.equal((await read('/api/daily-bonus')).consecutiveDays, 5);
  await context.close();
});

it('credits a claim once if its answer was lost, at any number of presses', async () => {
  await oneDayLater();
  const { page, card, context, read } = await openHome({ locale: 'ko-KR' });
  await page.goto(site.origin);
  const before = Number((await read('/api/user/stats')).balance);
  const keys: (string | undefined)[] = [];
  await page.route('**/api/daily-bonus/claim', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 2) return route.continue();
    if (keys.length === 2)
      return route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 429, code: 'rate-limited', detail: 'Too many requests' }),
      });
    await route.fetch();
    await route.abort();
  });
  // Blocks further fetches, which would show that the bonus is claimed.
  let isLooking = false;
  await page.route('**/api/daily-bonus', (route) => (isLooking ? route.abort() : route.continue()));
  const button = card.getByRole('button', { name: /30\sP 받기/ });
  await button.waitFor();
  isLooking = true;
  await button.click();
  await page.getByRole('alert').filter({ hasText: '보너스를 받지 못했습니다' }).waitFor();
  await button.click();
  await page.getByRole('alert').filter({ hasText: '요청이 너무 많습니다. 나중에 다시 해 주세요' }).waitFor();
  await button.click();
  await page.getByRole('status').filter({ hasText: '출석 보너스를 받았습니다!' }).waitFor();
  await card.getByRole('button', { name: /내일 다시 오면 50\sP/ }).waitFor();
  await page.getByText('출석 보너스 · 6일째').waitFor();
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  assert.equal(Number((await read('/api/user/stats')).balance), before + 30);
  await context.close();
});

it('shows an error if loading failed, and tries again', async () => {
  const { page, card, context } = await openHome();
  await page.route('**/api/daily-bonus', (route) => route.abort());
  await openConnected(page, () => page.goto(site.origin));
  await card.getByText('The daily bonus didn’t load').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.unroute('**/api/daily-bonus');
  await card.getByRole('button', { name: 'Try again' }).click();
  await card.getByRole('button', { name: 'Come back tomorrow for 50 P' }).waitFor();
  await context.close();
});
