import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { refuseCalls, violations, visit } from './browser.ts';
import { operatorPage } from './operator-browser.ts';

/** The operators' first page and their audit trail, with the demo world. */
const { site, headers, panel, read, page, context, complaints } = await operatorPage(
  { after },
  { language: 'en', reducedMotion: 'reduce' },
);

const card = (name: string) => page.getByRole('region', { name, exact: true });

/** Answers the calls of the overview as those of a site on which nothing has happened. */
async function emptyOverview(): Promise<void> {
  await page.route('**/api/admin/overview', (route) =>
    route.fulfill({ json: { at: '2026-11-20T00:00:00.000Z', waits: [] } }),
  );
  await page.route('**/api/admin/overview/days', async (route) => {
    const answer = await route.fetch();
    const read = (await answer.json()) as { days: string[] };
    const none = read.days.map(() => null);
    const sums = { owed: read.days.map(() => '0'), held: none, active: none };
    const lists = { wallets: [], providers: [], paid: [] };
    await route.fulfill({ json: { ...read, countedUntil: null, ...sums, ...lists } });
  });
}

/** The sweeps keep the first sums a moment after the start. */
async function sumsAreKept(): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const { countedUntil, wallets, providers } = await read('overview/days');
    if (countedUntil !== null && wallets.length > 0 && providers.length > 0) return;
    await sleep(100);
  }
  assert.fail('No sweep has kept the sums of the days');
}

describe('the overview', () => {
  it('says that a call failed, that nothing waits and that no sum is kept yet', async () => {
    await refuseCalls(page, '**/api/admin/overview**');
    await page.goto(panel);
    const again = card('Waiting for you').getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await emptyOverview();
    await again.click();
    await card('Waiting for you').getByText('Nothing waits').waitFor();
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByText('No earnings in 30 days').waitFor();
    await page.getByText('No wallet was looked at yet.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    complaints.splice(0);
  });

  it('§2-2 dashboard: shows the figures of withdrawals and members, as their calls say', async () => {
    await sumsAreKept();
    const since = '2026-11-20T00:00:00.000Z';
    const troubles = [
      { name: 'sweep-payouts', trouble: 'The last turn failed.', since },
      { name: 'rail-litecoin', trouble: 'The node does not answer.', since },
    ];
    await page.route('**/api/admin/health', (route) => route.fulfill({ json: { troubles, stops: [] } }));
    await page.reload();
    const [stats, users] = [await read('stats'), await read('user-stats')];
    const figures = page.getByLabel('Totals');
    for (const [label, value] of [
      ['Withdrawals waiting', String(stats.pendingWithdrawals)],
      ['Withdrawals in all', String(stats.totalWithdrawals)],
      ['Members', String(users.totalUsers)],
      ['Active in 30 days', String(users.activeUsers)],
      ['Joined today', String(users.todaySignups)],
    ] as const) {
      // A note stands behind some of the values.
      const figure = figures.locator('div').filter({ hasText: new RegExp(`^${label}${value}`) });
      await figure.waitFor();
    }
  });

  it('says each plot in a sentence, and by day in a table', async () => {
    const reversals = card('Reversal rate');
    await reversals.getByRole('img', { name: /% of points\. .* takes back the most, [\d.]+%\.$/ }).waitFor();
    const provided = { name: /^Earned by provider\. [\d,]+ P\. .* brings / };
    await card('Earned by provider').getByRole('img', provided).waitFor();
    const held = card('Owed and held');
    await held.getByRole('row', { name: /^Litecoin \$/ }).waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('KeyT');
    await reversals.getByRole('row', { name: /^CPX Research [\d,]+ [\d,]+ [\d.]+%$/ }).waitFor();
    assert.equal(await page.getByRole('img').count(), 0);
    assert.ok((await page.getByRole('table').count()) >= 6);
    assert.deepEqual(await violations(page), []);
    assert.equal(await held.getByRole('table').first().getByRole('row').count(), 31);
    const { joined } = (await read('overview/days')) as { joined: number[] };
    const counts = await card('Sign-ups a day').getByRole('cell').allInnerTexts();
    assert.deepEqual(counts.map(Number), joined.toReversed());
    await reversals.getByRole('button', { name: 'Plot', exact: true }).focus();
    await page.keyboard.press('Enter');
    await reversals.getByRole('img').waitFor();
  });

  it('lists what waits with its age, and leads to where it is decided', async () => {
    const lines = card('Waiting for you').getByRole('listitem');
    for (const kind of ['Withdrawals', 'Approvals', 'Tickets', 'Grants'])
      await lines.filter({ has: page.getByText(kind, { exact: true }) }).waitFor();
    const undecided = lines.filter({ hasText: 'Requests that nobody has decided' });
    await undecided.getByText(/^(yesterday|.* ago)$/).waitFor();
    const links = lines.getByRole('link');
    for (const [key, at] of [
      ['KeyJ', 0],
      ['KeyJ', 1],
      ['KeyJ', 2],
      ['KeyK', 1],
    ] as const) {
      await page.keyboard.press(key);
      assert.ok(await links.nth(at).evaluate((link) => link === document.activeElement), `${key} ${at}`);
    }
    const address = (await links.nth(1).getAttribute('href')) ?? '';
    await page.keyboard.press('Enter');
    await page.waitForURL(site.origin + address);
    await page.goBack();
    await lines.getByRole('link', { name: /^Approvals/ }).click();
    await page.waitForURL(`${panel}/approvals`);
  });

  it('has the specified tabs, each with its figures and links to screens', async () => {
    await visit(page, panel);
    const names = ['Withdrawals', 'Users', 'Wallet', 'Security', 'Settings', 'Support', 'System'];
    await page.getByRole('tab').last().waitFor();
    assert.deepEqual(await page.getByRole('tab').allInnerTexts(), ['Overview', ...names]);
    const tabPanel = page.getByRole('tabpanel');
    const figureOf: Record<string, string | RegExp> = {
      Withdrawals: 'Paid out a day',
      Users: 'Active members',
      Wallet: 'Fill the Litecoin wallet up at this address:',
      Security: 'Shared wallets',
      Settings: /^\d+ of \d+ on$/,
      Support: 'Tickets that wait',
      System: 'Version',
    };
    const paths = new Set<string>();
    for (const name of names) {
      await page.getByRole('tab', { name }).click();
      await page.waitForURL(`${panel}?tab=${name.toLowerCase()}`);
      const links = tabPanel.getByRole('link');
      await links.first().waitFor();
      for (const link of await links.all()) paths.add((await link.getAttribute('href')) ?? '');
      await tabPanel
        .getByText(figureOf[name] ?? '')
        .first()
        .waitFor();
    }
    for (const path of paths)
      assert.equal((await context.request.get(site.origin + path)).status(), 200, path);
    await page.getByRole('link', { name: '2 parts not well' }).waitFor();
    await tabPanel.getByText('Failed jobs').waitFor();
    // The parts have the names that the dialog of health gives them.
    const parts = tabPanel.getByRole('listitem');
    await parts.filter({ hasText: 'Work on payouts' }).getByText('sweep-payouts').waitFor();
    await parts.filter({ hasText: 'Litecoin' }).getByText('rail-litecoin').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole('tab', { name: 'System' }).focus();
    for (const key of ['Home', 'Enter']) await page.keyboard.press(key);
    await card('Waiting for you').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });
});

describe('the audit trail', () => {
  const address = `${panel}/audit`;
  const rows = page.locator('tbody').getByRole('row');
  const sheet = page.getByRole('complementary');
  const operators = page.getByRole('button', { name: /^Operator All/ });

  it('opens no menu of operators before it knows them', async () => {
    // An act with nested fields.
    const caps = { memberDay: '250000' };
    const data = { payoutDelaySeconds: 45, caps, switches: { addressHold: true } };
    const changed = await context.request.put(`${site.origin}/api/admin/site`, { headers, data });
    assert.equal(changed.status(), 200);
    const answered = Promise.withResolvers<void>();
    await page.route('**/api/admin/operators', async (route) => {
      await answered.promise;
      await route.continue();
    });
    await visit(page, address);
    await rows.filter({ hasText: 'Site settings changed' }).first().waitFor();
    assert.ok(await operators.isDisabled());
    answered.resolve();
    await operators.and(page.locator(':enabled')).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('compares what was before an act with what was after it, opened by keyboard', async () => {
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await sheet.getByText('Site settings changed').waitFor();
    await sheet.getByRole('rowheader', { name: 'Daily limit per member (points)' }).waitFor();
    const cells = async (name: string) => {
      const line = sheet.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
      return line.getByRole('cell').allInnerTexts();
    };
    assert.match((await cells('Daily limit per member (points)'))[1] ?? '', /^250,000\sP$/);
    assert.deepEqual(await cells('A new payout address waits 24 hours'), ['No', 'Yes']);
    assert.equal((await cells('Undo window (seconds)'))[1], '45');
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });

  it('filters by operator, act, member and days', async () => {
    await operators.click();
    await page.getByRole('menuitemradio').first().click();
    await page.waitForURL(/operatorId=\d{9}/);
    await page.getByRole('button', { name: /^Act All/ }).click();
    await page.getByRole('menuitemradio', { name: 'Withdrawal rejected' }).click();
    await page.waitForURL(/action=withdrawal\.reject/);
    await rows.filter({ hasNotText: 'Withdrawal rejected' }).first().waitFor({ state: 'detached' });
    const rejected = rows.getByRole('button', { name: 'Withdrawal rejected' });
    await rejected.first().click();
    const facts = sheet.getByRole('definition').filter({ has: page.locator('a[href*="users/member"]') });
    const named = facts.getByRole('link');
    const href = decodeURIComponent((await named.getAttribute('href')) ?? '');
    const memberId = /\d{9}/.exec(href)?.[0] ?? '';
    assert.match(await named.innerText(), /^\p{L}[\p{L} ]+$/u, 'a name, as elsewhere');
    assert.match(await facts.innerText(), new RegExp(`@.* · ${memberId}$`));
    await page.getByRole('button', { name: /^Member ID All/ }).click();
    await page.getByRole('textbox', { name: 'Member ID' }).fill(memberId);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`memberId=[^&]*${memberId}`));
    await rejected.first().waitFor();
    await page.getByRole('button', { name: /^Days All/ }).click();
    await page.getByLabel('From').fill('2001-01-02');
    await page.getByLabel('To', { exact: true }).fill('2001-01-01');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Must not be before “From”').waitFor();
    await page.getByLabel('To', { exact: true }).fill('2001-01-03');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No act fits these filters').waitFor();
  });

  it('leads from an act to what it changed', async () => {
    await visit(page, `${address}?action=site.change`);
    await rows.first().getByRole('link', { name: 'Site', exact: true }).waitFor();
    await visit(page, `${address}?action=withdrawal.reject`);
    await rows.filter({ hasNotText: 'Withdrawal rejected' }).first().waitFor({ state: 'detached' });
    await rows.first().getByRole('link').first().click();
    await page.waitForURL(/x7k9w\/withdrawals\?(status=all&)?open=/);
    await sheet.getByText('Rejected').first().waitFor();
  });

  it('leaves no error in the console', () => assert.deepEqual(complaints, []));
});
