import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openBrowser, openConnected, refuseCalls, violations } from './browser.ts';
import { demoSite } from './running-site.ts';
import { advanceIntoSiteDay } from './site-day.ts';
import { visitingMember } from './visiting-member.ts';

/** The history page, reversed earnings, the CSV export, and the dashboard's part of them. */
const site = await demoSite({ after });
const browser = await openBrowser({ after });
const still = { reducedMotion: 'reduce' } as const;
const phone = { ...still, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const LITECOIN = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';

const rowsOf = (page: Page) => page.locator('section li').filter({ has: page.locator('time') });
const pagesOf = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Pages of the history' })
    .locator('button[aria-label^="Page "], span[aria-hidden]')
    .allInnerTexts();

/** Delays answers of a path until the returned function is called. */
async function holdBack(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route(path, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);

it('§1-2 history: shows ten rows a page, and links to the first, the last and the current page ± 2', async () => {
  const { page, context, complaints, earn } = await visitingMember(site, browser, still);
  const amounts = Array.from({ length: 95 }, (_, index) => index + 1);
  for (let start = 0; start < 95; start += 5) await Promise.all(amounts.slice(start, start + 5).map(earn));
  await page.goto(`${site.origin}/history`);
  await rowsOf(page).first().waitFor();
  assert.equal(await rowsOf(page).count(), 10);
  assert.deepEqual(await pagesOf(page), ['1', '2', '3', '…', '10']);
  await page.goto(`${site.origin}/history?page=5`);
  await rowsOf(page).first().waitFor();
  assert.deepEqual(await pagesOf(page), ['1', '…', '3', '4', '5', '6', '7', '…', '10']);
  await page.getByRole('button', { name: 'Page 10' }).click();
  await page.waitForURL('**/history?page=10');
  await page.getByText(/^\+1\sP$/).waitFor();
  assert.equal(await rowsOf(page).count(), 5);
  assert.deepEqual(await pagesOf(page), ['1', '…', '8', '9', '10']);
  assert.deepEqual(complaints, []);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export as CSV' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'history.csv');
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  assert.equal(lines[0], 'id,amount,description,createdAt,kind,provider,txId');
  assert.equal(lines.length, 96, 'the whole history, not the page');
  const exported = lines.slice(1).map((line) => Number(line.split(',')[1]));
  assert.deepEqual(
    exported.toSorted((a, b) => a - b),
    amounts,
  );
  await context.close();
});

it('says why an export was refused, and saves nothing', async () => {
  const { page, context } = await visitingMember(site, browser, still);
  await page.goto(`${site.origin}/history`);
  const link = page.getByRole('link', { name: 'Export as CSV' });
  await link.waitFor();
  let downloads = 0;
  page.on('download', () => {
    downloads += 1;
  });
  await refuseCalls(page, '**/api/user/history?format=csv');
  await link.click();
  const alert = page.getByRole('alert').filter({ hasText: 'The file was not downloaded' });
  await alert.getByText('Too many requests. Try again later.').waitFor();
  assert.equal(downloads, 0);
  assert.equal(page.url(), `${site.origin}/history`);
  await context.close();
});

it('opens each row by keyboard with its kind, time, provider, transaction and balance after', async () => {
  const { page, context, complaints, earn, takeBack, verifyPhone, post, read } = await visitingMember(
    site,
    browser,
    { ...still, permissions: ['clipboard-read', 'clipboard-write'] },
  );
  await earn(1_500);
  await verifyPhone();
  const recipientInfo = { address: LITECOIN };
  await post('/api/withdrawal', { amountPoints: '1000', method: 'litecoin', recipientInfo }, 201);
  await takeBack();
  const [reversal, , earning] = (await read('/api/user/history')).data;
  await page.goto(`${site.origin}/history`);
  const opener = (index: number) => rowsOf(page).nth(index).getByRole('button').first();
  await opener(2).focus();
  await page.keyboard.press('Enter');
  assert.equal(await opener(2).getAttribute('aria-expanded'), 'true');
  const credited = rowsOf(page).nth(2);
  await credited.getByText('Credited', { exact: true }).waitFor();
  await credited.getByText('CPX Research', { exact: true }).waitFor();
  await credited
    .getByText(/1,500\sP/)
    .last()
    .waitFor();
  await credited.getByTitle(earning.txId).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await isFocused(credited.getByRole('button', { name: 'Copy the transaction id' })), true);
  // The confirmation is shown for two seconds.
  const copied = credited.getByRole('button', { name: 'Copied' }).waitFor();
  await page.keyboard.press('Enter');
  await copied;
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), earning.txId);
  await opener(2).focus();
  await page.keyboard.press('Space');
  assert.equal(await opener(2).getAttribute('aria-expanded'), 'false');

  await opener(0).click();
  const takenBack = rowsOf(page).nth(0);
  await takenBack.getByText('Taken back', { exact: true }).waitFor();
  await takenBack.getByText('Earning taken back').waitFor();
  await takenBack.getByText(/\+1,500\sP/).waitFor();
  await takenBack.getByText(/1,000\sP open/).waitFor();
  await takenBack.getByTitle(reversal.txId).waitFor();
  await opener(1).click();
  await rowsOf(page).nth(1).getByText('Requested', { exact: true }).waitFor();
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(complaints, []);

  await rowsOf(page).nth(1).getByRole('link', { name: 'See your withdrawals' }).click();
  await page.waitForURL('**/history?tab=withdrawals');
  await page.getByRole('list', { name: 'Steps' }).waitFor();
  await context.close();
});

it('§2-2 chargebacks of a member: lists reversed earnings on a page of their own, empty at first', async () => {
  const { page, context, complaints, earn, takeBack } = await visitingMember(site, browser, still);
  await page.goto(`${site.origin}/history`);
  await page.getByRole('link', { name: 'What providers took back' }).click();
  await page.waitForURL('**/chargeback-history');
  await page.getByText('Nothing was taken back').waitFor();
  await page.getByText('A provider can take a reward back').waitFor();
  assert.deepEqual(await violations(page), []);
  await earn(300);
  await takeBack();
  await page.reload();
  await page.getByRole('row').nth(1).waitFor();
  const cells = await page.locator('tbody tr').first().getByRole('cell').allInnerTexts();
  assert.match(cells[0] ?? '', /^[A-Z][a-z]{2} \d+, \d+:\d\d [AP]M$/);
  assert.equal(cells[1]?.replace(/\s/g, ' '), '−300 P');
  assert.deepEqual(cells.slice(2, 4), ['CPX Research', 'Policy Violation']);
  assert.match(cells[4] ?? '', /\d{4}/);
  assert.deepEqual(await page.getByRole('columnheader').allInnerTexts(), [
    'Date',
    'Amount',
    'Provider',
    'Reason',
    'Transaction id',
  ]);
  assert.deepEqual(await violations(page), []);
  await page.getByRole('link', { name: 'Back to the history' }).click();
  await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

it('shows ten placeholders while points load, and five while withdrawals load', async () => {
  const { page, context } = await visitingMember(site, browser, still);
  const release = await holdBack(page, '**/api/user/history?*');
  const releaseOther = await holdBack(page, '**/api/withdrawal/history?*');
  await page.goto(`${site.origin}/history`);
  const bars = page.locator('[aria-busy=true] ul[aria-hidden=true]:visible > li');
  await bars.first().waitFor();
  assert.equal(await bars.count(), 10);
  await page.getByRole('tab', { name: 'Withdrawal History' }).click();
  await bars.nth(4).waitFor();
  assert.equal(await bars.count(), 5);
  release();
  releaseOther();
  await page.getByText('No withdrawal yet').waitFor();
  await context.close();
});

it('shows errors and pages beyond the end, each with a next step', async () => {
  const { page, context, earn } = await visitingMember(site, browser, still);
  await earn(100);
  const paths = [
    {
      path: '/history',
      call: '**/api/user/history?*',
      failed: 'Your history didn’t load',
      once: 'CPX Research',
    },
    {
      path: '/chargeback-history',
      call: '**/api/user/chargebacks',
      failed: 'Your chargebacks didn’t load',
      once: 'Nothing was taken back',
    },
  ];
  for (const { path, call, failed, once } of paths) {
    await page.route(call, (route) => route.abort());
    await openConnected(page, () => page.goto(site.origin + path));
    await page.getByText(failed).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.unroute(call);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(once).first().waitFor();
  }
  await page.goto(`${site.origin}/history?page=7`);
  await page.getByText('This page has no rows').waitFor();
  await page.getByRole('button', { name: 'First page' }).click();
  await rowsOf(page).first().waitFor();
  await context.close();
});

it('ends with a bar of links on a phone, below which only the site’s bar is fixed', async () => {
  const { page, context, complaints, earn } = await visitingMember(site, browser, phone);
  await earn(100);
  await page.goto(`${site.origin}/history`);
  await rowsOf(page).first().waitFor();
  const bar = page.getByRole('navigation', { name: 'Below the history' });
  const targets = await bar
    .getByRole('link')
    .evaluateAll((links) => links.map((one) => one.getAttribute('href')));
  const support = targets[2] ?? '';
  assert.deepEqual(targets, ['/withdrawal', '/history', support, '/privacy']);
  assert.match(support, /^mailto:.+@/);
  const fixed = await page.evaluate(
    () =>
      [...document.querySelectorAll('nav')].filter((one) => getComputedStyle(one).position === 'fixed')
        .length,
  );
  assert.equal(fixed, 1);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(complaints, []);
  await context.close();
});

it('§1-2 dashboard: greets by name, with figures, five rows, quick actions and bars of at least 4 px', async () => {
  await advanceIntoSiteDay(site.owner);
  const { page, context, complaints, earn } = await visitingMember(site, browser, still);
  for (const points of [100, 200, 300, 400, 500, 600]) await earn(points);
  await page.goto(`${site.origin}/`);
  await page.getByRole('heading', { level: 1, name: /^Good (morning|afternoon|evening), Mina$/ }).waitFor();
  const balanceCard = page.getByRole('region', { name: 'Balance' });
  await balanceCard.getByText('$2.10').first().waitFor();
  const figures = (await balanceCard.locator('dl').innerText()).replace(/\s+/g, ' ');
  assert.match(figures, /Earned in all 2,100 P \$2\.10 Today \+2,100 P Tasks completed 6/);
  // The sums, the rows and the bars come with a call each, in any order.
  const recent = page.getByRole('region', { name: 'Recent activity' });
  await recent.getByRole('listitem').first().waitFor();
  assert.equal(await recent.getByRole('listitem').count(), 5);
  assert.match(
    (await recent.getByRole('listitem').first().innerText()).replace(/\s+/g, ' '),
    /CPX.*[AP]M \+600 P/,
  );
  const week = page.getByRole('region', { name: 'Last 7 days' }).getByRole('img');
  await week.waitFor();
  const heights = await week
    .locator('i')
    .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().height));
  assert.equal(heights.length, 7);
  assert.deepEqual(heights.slice(0, 6), [4, 4, 4, 4, 4, 4], 'days without earnings have the smallest bar');
  assert.ok((heights[6] ?? 0) > 40);
  for (const [name, path] of [
    ['History', '/history'],
    ['Invite friends', '/referrals'],
  ] as const) {
    assert.equal(await balanceCard.getByRole('link', { name }).getAttribute('href'), path);
  }
  await balanceCard.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('dialog').getByLabel('Amount').waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});
