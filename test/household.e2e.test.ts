import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { buildWebIfStale } from '../web/build/build.ts';
import { openBrowser, openPage, violations } from './browser.ts';
import { sessionCookies } from './open-as.ts';
import { type Person, testSite } from './site.ts';

/** A household in Chromium: two members on their settings, and what an operator sees of them. */
await buildWebIfStale();
const site = await testSite({ after });
const browser = await openBrowser({ after });
const { page, context, complaints } = await openPage(browser, { reducedMotion: 'reduce' });
const one = await site.member();
const other = await site.member();
const card = page.getByRole('region', { name: 'Shared connection' });

async function enter(person: Person, path: string): Promise<void> {
  await context.clearCookies();
  await context.addCookies(sessionCookies(person, site.origin));
  await page.goto(site.origin + path);
}

it('is begun with a code, which another member enters, and is left', async () => {
  await enter(one, '/settings');
  await card.getByRole('button', { name: 'Make a code' }).click();
  const code = (await card.getByText(/^[A-HJ-NP-Z2-9]{8}$/).textContent()) ?? '';
  await enter(other, '/settings');
  await card.getByLabel('Code that you were given').fill('AAAA2222');
  await card.getByRole('button', { name: 'Join' }).click();
  await page.getByText('No household has this code now. Codes hold for a day.').waitFor();
  await card.getByLabel('Code that you were given').fill(code);
  await page.keyboard.press('Enter');
  await card.getByText('In your household').waitFor();
  assert.deepEqual(await violations(page, { part: 'main' }), []);
  await card.getByRole('button', { name: 'Leave' }).click();
  await card.getByLabel('Code that you were given').fill(code);
  await card.getByRole('button', { name: 'Join' }).click();
  await card.getByText('In your household').waitFor();
});

it('is named on a detection of its members, with the credits that wait', async () => {
  const operator = await site.member({ role: 'admin' });
  await site.owner.rows(sql`
    insert into risk.detections (method, shared_identifier, size, primary_member_id, related_member_ids, kinds,
      risk_score, confidence, created_at)
    select 'shared-device', 'browser', 5, ${one.id}, ${[other.id]}::integer[], '{device,payout-address}', 80, 'high',
      platform.business_now()`);
  await site.owner.rows(sql`
    insert into earning.earnings (provider, transaction_id, member_id, points, left_points, subject, is_screen_out,
      state, created_at, held_id, hold_reason)
    select 'cpx', 'waits', ${one.id}, 50, 50, '', false, 'held', platform.business_now(),
      nextval('earning.held_ids'), 'detection'`);
  await context.addInitScript(() => localStorage.setItem('operatorLanguage', 'en'));
  await enter(operator, '/management-panel-x7k9w/multi-account?tab=detections');
  await page.getByText('Shared device').first().click();
  const sheet = page.getByRole('complementary');
  await sheet.getByText('Household', { exact: true }).waitFor();
  await sheet.getByText(/^1 credit of these members waits/).waitFor();
  assert.deepEqual(await violations(page, { part: 'aside' }), []);
  await sheet.getByRole('link', { name: 'Open the waiting credits' }).click();
  await page.waitForURL(/approvals\?holdReason=detection/);
  await page.getByText('Detection open').first().waitFor();
});

it('leaves no error in the console but the wrong code', () =>
  assert.deepEqual(
    complaints.map((complaint) => complaint.replace(/^.*status of /, '')),
    ['422 (Unprocessable Entity)'],
  ));
