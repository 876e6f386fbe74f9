import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { openBrowser, openConnected, refuseCalls, violations, visit } from './browser.ts';
import { closeButton, dialogOf, eventually, hasFocus, offerIn, wallIn } from './earning-browser.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';
import { advanceIntoSiteDay } from './site-day.ts';
import { visitingMember } from './visiting-member.ts';

/**
 * Earning: the dashboard, the history with its export, every state of a wall, and what a provider takes back. One
 * member goes through all of it in one page.
 */
const site = await demoSite({ after });
const browser = await openBrowser({ after });
const { origin } = site;
const headers = { origin };
await advanceIntoSiteDay(site.owner);
const member = await visitingMember(site, browser, {
  reducedMotion: 'reduce',
  permissions: ['clipboard-read', 'clipboard-write'],
});
const { page, complaints, earn, post, read, takeBack } = member;
const amounts = Array.from({ length: 25 }, (_, index) => 10 * (index + 1));
for (const points of amounts) await earn(points);

const operator = await browser.newContext();
await signIn(operator, site, site.operator);
const changeProvider = async (id: string, data: object) => {
  const answer = await operator.request.put(`${origin}/api/admin/providers/${id}`, { headers, data });
  assert.equal(answer.status(), 200);
};

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const entries = page.locator('section li').filter({ has: page.locator('time') });
const pages = () =>
  page
    .getByRole('navigation', { name: 'Pages of the history' })
    .locator('button[aria-label^="Page "], span[aria-hidden]')
    .allInnerTexts();

it('shows of each list that it did not load, and tries again', async () => {
  const lists = [
    // Not the five newest entries, from which the page learns of new credits.
    {
      path: 'history',
      call: /history\?.*limit=10\b/,
      failed: 'Your history didn’t load',
      is: 'CPX Research',
    },
    {
      path: 'chargeback-history',
      call: /user\/chargebacks$/,
      failed: 'Your chargebacks didn’t load',
      is: 'A provider can take a reward back',
    },
    {
      path: 'withdrawal',
      call: /withdrawal\/history/,
      failed: 'Failed to fetch withdrawal history',
      is: 'No withdrawal yet',
    },
    {
      path: 'notices',
      call: /api\/notices\?/,
      failed: 'Your notices didn’t load',
      is: 'Nothing to tell yet',
    },
    { path: 'referrals', call: /referrals$/, failed: 'Your friends didn’t load', is: 'No friend here yet' },
  ];
  for (const { call } of lists) await page.route(call, (route) => route.abort());
  await openConnected(page, () => page.goto(`${origin}/profile`));
  for (const { path, call, failed, is } of lists) {
    await visit(page, `${origin}/${path}`);
    await page.getByText(failed).waitFor();
    if (path === 'history') assert.deepEqual(await violations(page), []);
    await page.unroute(call);
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
    await page.getByText(is).first().waitFor();
  }
  const empty = page.getByRole('region', { name: 'Your friends' });
  const icon = await empty.getByRole('button', { name: 'Copy link' }).locator('svg').first().boundingBox();
  assert.equal(icon?.height, 20, 'only the drawing of an empty list is large, not the icon of its button');
  complaints.splice(0);
});

describe('the dashboard and the history', () => {
  it('§1-2 dashboard: greets by name, with figures, five rows, quick actions and bars of at least 4 px', async () => {
    await visit(page, `${origin}/`);
    await heading(/^Good (morning|afternoon|evening), Mina$/);
    const balanceCard = page.getByRole('region', { name: 'Balance' });
    await balanceCard.getByText('$3.25').first().waitFor();
    const figures = (await balanceCard.locator('dl').innerText()).replace(/\s+/g, ' ');
    assert.match(figures, /Earned in all 3,250 P \$3\.25 Today \+3,250 P Tasks completed 25/);
    // The sums, the rows and the bars come with a call each, in any order.
    const recent = page.getByRole('region', { name: 'Recent activity' });
    await recent.getByRole('listitem').first().waitFor();
    assert.equal(await recent.getByRole('listitem').count(), 5);
    assert.match(
      (await recent.getByRole('listitem').first().innerText()).replace(/\s+/g, ' '),
      /CPX.*[AP]M \+250 P/,
    );
    const week = page.getByRole('region', { name: 'Last 7 days' }).getByRole('img');
    await week.waitFor();
    const heights = await week
      .locator('i')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().height));
    assert.equal(heights.length, 7);
    assert.deepEqual(heights.slice(0, 6), [4, 4, 4, 4, 4, 4], 'days without earnings have the smallest bar');
    assert.ok((heights[6] ?? 0) > 40);
    const friends = balanceCard.getByRole('link', { name: 'Invite friends' });
    assert.equal(await friends.getAttribute('href'), '/referrals');
    await balanceCard.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('dialog').getByLabel('Amount').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await balanceCard.getByRole('link', { name: 'History' }).click();
    await page.waitForURL(`${origin}/history`);
  });

  it('§1-2 history: shows ten rows a page, links to the pages, and exports all of it', async () => {
    await entries.nth(9).waitFor();
    assert.equal(await entries.count(), 10);
    assert.deepEqual(await pages(), ['1', '2', '3']);
    await page.getByRole('button', { name: 'Page 3' }).click();
    await page.waitForURL('**/history?page=3');
    await page.getByText(/^\+10\sP$/).waitFor();
    assert.equal(await entries.count(), 5);
    assert.deepEqual(complaints, []);
    const exported = page.getByRole('link', { name: 'Export as CSV' });
    const [download] = await Promise.all([page.waitForEvent('download'), exported.click()]);
    assert.equal(download.suggestedFilename(), 'history.csv');
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    assert.equal(lines[0], 'id,amount,description,createdAt,kind,provider,txId');
    const points = lines.slice(1).map((line) => Number(line.split(',')[1]));
    assert.deepEqual(
      points.toSorted((a, b) => a - b),
      amounts,
      'the whole history, not the page',
    );

    let downloads = 0;
    page.on('download', () => {
      downloads += 1;
    });
    await refuseCalls(page, '**/api/user/history?format=csv');
    await exported.click();
    const alert = page.getByRole('alert').filter({ hasText: 'The file was not downloaded' });
    await alert.getByText('Too many requests. Try again later.').waitFor();
    assert.equal(downloads, 0);
    assert.equal(page.url(), `${origin}/history?page=3`);
    await page.unrouteAll();

    await visit(page, `${origin}/history?page=7`);
    await page.getByText('This page has no rows').waitFor();
    await page.getByRole('button', { name: 'First page' }).click();
    await page.getByText(/^\+250\sP$/).waitFor();
  });

  it('end with a bar of links on a phone, below which only the site’s bar is fixed', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const bar = page.getByRole('navigation', { name: 'Below the history' });
    await bar.waitFor();
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
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

const tile = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}: `) });
/** The newest line of the activity list. */
const newestLine = page.getByRole('region', { name: 'What you opened lately' }).getByRole('listitem').first();

describe('a wall', () => {
  it('§1-2 earn: opens in a full-screen frame with a button that returns to the tile', async () => {
    await visit(page, `${origin}/earn`);
    await tile('CPX Research').click();
    const dialog = dialogOf(page, 'cpx');
    await wallIn(dialog).getByRole('heading', { level: 1, name: 'CPX Research' }).waitFor();
    await eventually('the focus is not at the way out', () => hasFocus(closeButton(page, 'cpx')));
    const { width, height } = (await dialog.boundingBox()) ?? { width: 0, height: 0 };
    // The whole width except the gutter of the scroll bar.
    assert.ok(width > 1_420 && height === 900, `${width} × ${height}`);
    assert.equal(new URL(page.url()).search, '?wall=cpx');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await eventually('the focus is not back at the tile', () => hasFocus(tile('CPX Research')));
  });

  it('credits without a reload: toast, balance and activity list follow', async () => {
    const balance = page.locator('header').getByRole('link', { name: /Balance/ });
    await tile('CPX Research').click();
    const survey = offerIn(wallIn(dialogOf(page, 'cpx')), 'Streaming and television at home');
    await survey.getByRole('button', { name: 'Complete' }).click();
    await page.getByText('120 P from CPX Research.').waitFor();
    await closeButton(page, 'cpx').click();
    await balance.filter({ hasText: '3,370 P' }).waitFor();
    await newestLine.getByText('+120').waitFor();
    assert.match(await newestLine.innerText(), /^CPX Research\s+Opened\s+\w+ \d+, .+Credited\s+\w+ \d+, .+/s);

    await tile('KiwiWall').click();
    await eventually('the opened wall has no line', async () =>
      /KiwiWall\s+Opened[\s\S]+Pending\s+not yet\s+Credited\s+usually within 72.h/.test(
        await newestLine.innerText(),
      ),
    );
    const wall = wallIn(dialogOf(page, 'kiwiwall'));
    await offerIn(wall, 'Budget Bee').getByRole('button', { name: 'Complete' }).click();
    await page.getByText('350 P from KiwiWall.').waitFor();
    await balance.filter({ hasText: '3,720 P' }).waitFor();
    await newestLine.getByText('+350').waitFor();

    await offerIn(wall, 'Night Train').getByRole('button', { name: 'Complete' }).click();
    await wall.getByText('The site answered 200').first().waitFor();
    await eventually('the held reward is not pending', async () =>
      /Pending\s+a person looks first[\s\S]+12,500/.test(await newestLine.innerText()),
    );
    await offerIn(wall, 'Parcel Watch').getByRole('button', { name: 'Complete' }).click();
    await page.getByText('80 P from KiwiWall.').waitFor();
    await offerIn(wall, 'Parcel Watch').getByRole('button', { name: 'Reverse' }).click();
    await eventually('the reversal is not told', async () => {
      const text = await newestLine.innerText();
      return /Taken back/.test(text) && /80/.test(text) && !/Credited/.test(text);
    });
    await closeButton(page, 'kiwiwall').click();
    await dialogOf(page, 'kiwiwall').waitFor({ state: 'detached' });
    assert.deepEqual(
      complaints.splice(0).filter((text) => !text.includes('429')),
      [],
    );
  });

  it('says that its provider was switched off, and opens at the next attempt', async () => {
    await changeProvider('bitlabs', { isEnabled: false });
    await tile('BitLabs').click();
    const failure = dialogOf(page, 'bitlabs').getByRole('alert');
    await failure.getByText('BitLabs is closed right now').waitFor();
    assert.deepEqual(await violations(page), []);
    await changeProvider('bitlabs', { isEnabled: true });
    await failure.getByRole('button', { name: 'Try again' }).click();
    await wallIn(dialogOf(page, 'bitlabs')).getByRole('heading', { level: 1 }).waitFor();
    await closeButton(page, 'bitlabs').click();
    await dialogOf(page, 'bitlabs').waitFor({ state: 'detached' });
  });

  it('says that the connection failed, and can be closed', async () => {
    await page.route('**/api/cpx/generate-url', (route) => route.abort());
    await tile('CPX Research').click();
    const failure = dialogOf(page, 'cpx').getByRole('alert');
    await failure.getByText('CPX Research didn’t open').waitFor();
    await failure.getByText(/The server isn’t answering/).waitFor();
    await failure.getByRole('button', { name: 'Close' }).click();
    await dialogOf(page, 'cpx').waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).search, '');
    await page.unrouteAll();
  });

  it('asks to reload a page that is older than the wall', async () => {
    const listed = await operator.request.get(`${origin}/api/admin/providers?q=adgem`);
    const [before] = (await listed.json()) as { url: string }[];
    await changeProvider('adgem', { url: 'http://127.0.0.1:9/elsewhere' });
    await tile('AdGem').click();
    await dialogOf(page, 'adgem')
      .getByText(/was loaded before AdGem was switched on/)
      .waitFor();
    await changeProvider('adgem', { url: before?.url });
    await page.getByRole('button', { name: 'Load the page again' }).click();
    await wallIn(dialogOf(page, 'adgem')).getByRole('heading', { level: 1, name: 'AdGem' }).waitFor();
    const covered = (await dialogOf(page, 'adgem').boundingBox())?.width;
    assert.equal(covered, page.viewportSize()?.width, 'a strip beside the wall is left uncovered');
  });
});

describe('what is taken back', () => {
  it('has a row, as each movement, that opens by keyboard with all that is known of it', async () => {
    await visit(page, `${origin}/history`);
    await entries.first().waitFor();
    await earn(1_500);
    await member.verifyPhone();
    const recipientInfo = { address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' };
    await post('/api/withdrawal', { amountPoints: '4720', method: 'litecoin', recipientInfo }, 201);
    await takeBack();
    const [reversal, , earning] = (await read('/api/user/history')).data;
    const opener = (index: number) => entries.nth(index).getByRole('button').first();
    await entries
      .nth(0)
      .getByText(/^−1,500\sP$/)
      .waitFor();
    await opener(2).focus();
    await page.keyboard.press('Enter');
    assert.equal(await opener(2).getAttribute('aria-expanded'), 'true');
    const credited = entries.nth(2);
    await credited.getByText('Credited', { exact: true }).waitFor();
    await credited.getByText('CPX Research', { exact: true }).waitFor();
    await credited
      .getByText(/5,220\sP/)
      .last()
      .waitFor();
    await credited.getByTitle(earning.txId).waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await hasFocus(credited.getByRole('button', { name: 'Copy the transaction ID' })), true);
    // The confirmation is shown for two seconds.
    const copied = credited.getByRole('button', { name: 'Copied' }).waitFor();
    await page.keyboard.press('Enter');
    await copied;
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), earning.txId);
    await opener(2).focus();
    await page.keyboard.press('Space');
    assert.equal(await opener(2).getAttribute('aria-expanded'), 'false');

    await opener(0).click();
    const takenBack = entries.nth(0);
    await takenBack.getByText('Taken back', { exact: true }).waitFor();
    await takenBack.getByText('Earning taken back').waitFor();
    await takenBack.getByText(/\+1,500\sP/).waitFor();
    await takenBack.getByText(/1,000\sP missing/).waitFor();
    await takenBack.getByTitle(reversal.txId).waitFor();
    await opener(1).click();
    await entries.nth(1).getByText('Requested', { exact: true }).waitFor();
    assert.deepEqual(await violations(page), []);
    await entries.nth(1).getByRole('link', { name: 'See your withdrawals' }).click();
    await page.waitForURL('**/history?tab=withdrawals');
    await page.getByRole('list', { name: 'Steps' }).waitFor();
  });

  it('§2-2 chargebacks of a member: is on a page of its own, to which a debt and the history lead', async () => {
    await visit(page, `${origin}/history`);
    await page.getByRole('link', { name: 'What providers took back' }).click();
    await page.waitForURL('**/chargeback-history');
    await page.getByRole('row').nth(1).waitFor();
    const cells = await page.locator('tbody tr').first().getByRole('cell').allInnerTexts();
    assert.match(cells[0] ?? '', /^[A-Z][a-z]{2} \d+, \d+:\d\d [AP]M$/);
    assert.equal(cells[1]?.replace(/\s/g, ' '), '−1,500 P');
    assert.deepEqual(cells.slice(2, 4), ['CPX Research', 'Policy Violation']);
    assert.match(cells[4] ?? '', /\d{4}/);
    assert.deepEqual(await page.getByRole('columnheader').allInnerTexts(), [
      'Date',
      'Amount',
      'Provider',
      'Reason',
      'Transaction ID',
    ]);
    await page.getByRole('link', { name: 'Back to the history' }).click();
    await heading('History');
    await visit(page, `${origin}/withdrawal`);
    await page.getByText(/1,000\sP were taken back after you spent them/).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Withdraw', exact: true }).isDisabled(), true);
    await page.getByRole('link', { name: 'See why' }).click();
    await heading('Chargeback history');
  });

  it('can be the right to earn: /earn and the wall’s address say why', async () => {
    await site.owner.rows(sql`
      insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
      values (${Number(member.id)}, 'test', 'temporary', 'earnings_blocked', platform.business_now())`);
    await page.goto(`${origin}/earn`);
    await page.getByText('Earning is suspended on your account').waitFor();
    await page.getByRole('link', { name: /Questions: / }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
    assert.deepEqual(await violations(page), []);
    await visit(page, `${origin}/earn?wall=cpx`);
    await dialogOf(page, 'cpx').getByText('Earning is suspended on your account').waitFor();
  });
});
