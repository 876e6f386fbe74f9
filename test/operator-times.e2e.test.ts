import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { Page } from 'playwright-core';
import { violations } from './browser.ts';
import { operatorPage } from './operator-browser.ts';

/** In which zone operators read times, and what they see before it is known. */
const { site, panel, openOperator } = await operatorPage({ after });

const { SCREENSHOTS: folder } = process.env;
const picture = async (page: Page, name: string) => {
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
};

/** `Nov 20, 9:02 AM` in a zone. */
const timeIn = (timeZone: string, at: string) =>
  new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  }).format(new Date(at));

it('§2-9 dates: shows operators the site’s zone and its name, wherever their device is', async () => {
  const { page, context } = await openOperator('en', { timezoneId: 'America/New_York' });
  const { siteTimezone } = (await (await page.request.get(`${site.origin}/api/config`)).json()) as {
    siteTimezone: string;
  };
  const answer = await page.request.get(`${site.origin}/api/admin/withdrawals-data?status=pending&limit=1`);
  const [row] = ((await answer.json()) as { withdrawals: { id: string; createdAt: string }[] }).withdrawals;
  assert.ok(row);
  const [expected, device] = [siteTimezone, 'America/New_York'].map((zone) => timeIn(zone, row.createdAt));
  assert.notEqual(expected, device);
  await page.goto(`${panel}/withdrawals?open=${row.id}`);
  const sheet = page.getByRole('complementary');
  await sheet.getByText(String(expected), { exact: true }).waitFor();
  assert.equal(await sheet.getByText(String(device), { exact: true }).count(), 0);
  const rail = page.getByRole('navigation', { name: 'Operator menu' });
  await rail.getByText(`Times in ${siteTimezone}`).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.setViewportSize({ width: 1100, height: 1200 });
  await rail.getByText(`Times in ${siteTimezone}`).waitFor({ state: 'attached' });
  const short = rail.getByText(/^GMT[+-]\d/);
  await short.waitFor();
  assert.deepEqual(await violations(page), []);
  await picture(page, 'rail-zone');
  await short.hover();
  await page.getByRole('tooltip', { name: `Times in ${siteTimezone}` }).waitFor();
  await context.close();
});

it('shows the frame while the zone is not known, and no time in another one', async () => {
  const { page, context } = await openOperator('en');
  let answer = Promise.withResolvers<void>();
  let isDown = true;
  await page.route('**/api/config', async (route) => {
    await answer.promise;
    await (isDown ? route.fulfill({ status: 503 }) : route.continue());
  });
  const frame = page.getByRole('navigation', { name: 'Operator menu' });
  const main = page.getByRole('main');
  for (const width of [1440, 390]) {
    isDown = true;
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${panel}/payouts`);
    if (width === 390) await page.getByRole('button', { name: 'Menu', exact: true }).waitFor();
    else await frame.getByRole('link', { name: 'Payouts' }).waitFor();
    await main.getByRole('status').getByText('Loading').waitFor({ state: 'attached' });
    assert.equal(await page.getByText(/^Times in /).count(), 0);
    assert.deepEqual(await violations(page), []);
    await picture(page, `config-waits-${width}`);
    answer.resolve();
    await main.getByRole('alert').getByRole('heading', { name: 'This didn’t load' }).waitFor();
    assert.deepEqual(await violations(page), []);
    await picture(page, `config-failed-${width}`);
    isDown = false;
    await main.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor();
    answer = Promise.withResolvers<void>();
  }
  answer.resolve();
  await page.unrouteAll({ behavior: 'wait' });
  await context.close();
});
