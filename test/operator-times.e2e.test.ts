import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { openBrowser, openPage, violations } from './browser.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';

/** In which zone operators read times. */
const site = await demoSite({ after });
const browser = await openBrowser({ after });

/** `Nov 20, 9:02 AM` in a zone. */
const timeIn = (timeZone: string, at: string) =>
  new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  }).format(new Date(at));

it('shows operators the site’s zone and its name, wherever their device is', async () => {
  const { page, context } = await openPage(browser, {
    viewport: { width: 1440, height: 900 },
    timezoneId: 'America/New_York',
  });
  await signIn(context, site, site.operator);
  await context.addInitScript(() => localStorage.setItem('operatorLanguage', 'en'));
  const { siteTimezone } = (await (await page.request.get(`${site.origin}/api/config`)).json()) as {
    siteTimezone: string;
  };
  const answer = await page.request.get(`${site.origin}/api/admin/withdrawals-data?status=pending&limit=1`);
  const [row] = ((await answer.json()) as { withdrawals: { id: string; createdAt: string }[] }).withdrawals;
  assert.ok(row);
  const [expected, device] = [siteTimezone, 'America/New_York'].map((zone) => timeIn(zone, row.createdAt));
  assert.notEqual(expected, device);
  await page.goto(`${site.origin}/management-panel-x7k9w/withdrawals?open=${row.id}`);
  const sheet = page.getByRole('complementary');
  await sheet.getByText(String(expected), { exact: true }).waitFor();
  assert.equal(await sheet.getByText(String(device), { exact: true }).count(), 0);
  const rail = page.getByRole('navigation', { name: 'Operator menu' });
  await rail.getByText(`Times in ${siteTimezone}`).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.setViewportSize({ width: 1100, height: 900 });
  await rail.getByText(`Times in ${siteTimezone}`).waitFor({ state: 'attached' });
  assert.deepEqual(await violations(page), []);
  await context.close();
});
