import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { pressInTurn, violations, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';

/** The operators' first page, with the demo world. */
const { site, panel, read, page, context, complaints } = await operatorPage(
  { after },
  { reducedMotion: 'reduce' },
);

async function openIn(language: 'en' | 'ko'): Promise<void> {
  await page.goto(`${site.origin}/faq`);
  await page.evaluate((chosen) => localStorage.setItem('operatorLanguage', chosen), language);
  await page.goto(panel);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** The width of the page in both sizes, and axe on the phone. */
async function isSound(name: string): Promise<void> {
  const { SCREENSHOTS: folder } = process.env;
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    if (width === 390) assert.deepEqual(await violations(page), []);
    assert.equal(await widerThanWindow(page), 0, `${name} on ${width} px`);
    if (folder === undefined) continue;
    const height = await page.evaluate(() => (document.querySelector('#main')?.scrollHeight ?? 0) + 60);
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: `${folder}/${name}-${width}.png` });
    await page.setViewportSize({ width, height: 900 });
  }
}

const card = (name: string) => page.getByRole('region', { name, exact: true });
/** The sweeps keep the first sums a moment after the start. */
const plotsAreRead = () => card('Reversal rate').waitFor({ timeout: 30_000 });

describe('the overview', () => {
  it('§2-2 dashboard: shows the figures of withdrawals and members, as their calls say', async () => {
    await openIn('en');
    const [stats, users] = [await read('stats'), await read('user-stats')];
    const figures = page.getByLabel('Totals');
    for (const [label, value] of [
      ['Withdrawals waiting', String(stats.pendingWithdrawals)],
      ['Withdrawals in all', String(stats.totalWithdrawals)],
      ['Members', String(users.totalUsers)],
      ['Active in 30 days', String(users.activeUsers)],
      ['Signed up today', String(users.todaySignups)],
    ] as const) {
      // A note stands behind some of the values.
      await figures
        .locator('div')
        .filter({ hasText: new RegExp(`^${label}${value}`) })
        .waitFor();
    }
  });

  it('lists what waits with its age, and leads to where it is decided', async () => {
    await openIn('en');
    const lines = card('Waiting for you').getByRole('listitem');
    for (const kind of ['Withdrawals', 'Approvals', 'Tickets', 'Grants'])
      await lines.filter({ has: page.getByText(kind, { exact: true }) }).waitFor();
    await lines
      .filter({ hasText: 'Requests that nobody has decided' })
      .getByText(/^(yesterday|.* ago)$/)
      .waitFor();
    await lines.first().waitFor();
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

  it('has no violation of accessibility, as tables neither', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await openIn('ko');
    await page.getByRole('img').nth(5).waitFor({ timeout: 30_000 });
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('KeyT');
    assert.equal(await page.getByRole('img').count(), 0);
    assert.ok((await page.getByRole('table').count()) >= 6);
    await isSound('overview-tables');
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('says each plot in a sentence, and by day in a table', async () => {
    await openIn('en');
    await plotsAreRead();
    await card('Earned by provider')
      .getByRole('img', { name: /^Earned by provider\. [\d,]+ P\. .* brings / })
      .waitFor();
    const reversals = card('Reversal rate');
    await reversals.getByRole('img', { name: /% of points\. .* takes back the most, [\d.]+%\.$/ }).waitFor();
    await reversals.getByRole('button', { name: 'Table' }).click();
    await reversals.getByRole('row', { name: /^CPX Research [\d,]+ [\d,]+ [\d.]+%$/ }).waitFor();
    const held = card('Owed and held');
    await held.getByRole('row', { name: /^Litecoin \$/ }).waitFor({ timeout: 30_000 });
    await held.getByRole('button', { name: 'Table' }).focus();
    await page.keyboard.press('Enter');
    assert.equal(await held.getByRole('table').first().getByRole('row').count(), 31);
    const signUps = card('Sign-ups a day');
    await signUps.getByRole('button', { name: 'Table' }).click();
    const { joined } = (await (
      await context.request.get(`${site.origin}/api/admin/overview/days`)
    ).json()) as {
      joined: number[];
    };
    const counts = await signUps.getByRole('cell').allInnerTexts();
    assert.deepEqual(counts.map(Number), joined.toReversed());
  });

  it('has the specified tabs, each with its figures and links to screens', async () => {
    await openIn('en');
    const names = ['Withdrawals', 'Users', 'Wallet', 'Security', 'Settings', 'Support', 'System'];
    const shown = await page.getByRole('tab').allInnerTexts();
    assert.deepEqual(shown, ['Overview', ...names]);
    for (const name of names) {
      await page.getByRole('tab', { name }).click();
      await page.waitForURL(`${panel}?tab=${name.toLowerCase()}`);
      const links = page.getByRole('tabpanel').getByRole('link');
      await links.first().waitFor();
      assert.deepEqual(await violations(page), [], name);
      for (const link of await links.all()) {
        const path = (await link.getAttribute('href')) ?? '';
        assert.equal((await context.request.get(site.origin + path)).status(), 200, path);
      }
    }
    const tabPanel = page.getByRole('tabpanel');
    await page
      .getByRole('link', { name: /^(All parts of this server are well|\d+ parts? not well)$/ })
      .waitFor();
    await tabPanel.getByText('Failed jobs').waitFor();
    await page.getByRole('tab', { name: 'System' }).focus();
    for (const key of ['Home', 'Enter']) await page.keyboard.press(key);
    await card('Waiting for you').waitFor();
    await page.goto(`${panel}?tab=security`);
    await tabPanel.getByText('Members blocked in part').waitFor();
  });

  it('names the parts that are not well as the dialog of health does', async () => {
    const since = '2026-11-20T00:00:00.000Z';
    const troubles = [
      { name: 'sweep-payouts', trouble: 'The last turn failed.', since },
      { name: 'rail-litecoin', trouble: 'The node does not answer.', since },
    ];
    await page.route('**/api/admin/health', (route) => route.fulfill({ json: { troubles, stops: [] } }));
    await openIn('ko');
    await page.goto(`${panel}?tab=system`);
    const listed = page.getByRole('tabpanel').getByRole('listitem');
    await listed.filter({ hasText: '지급 처리' }).getByText('sweep-payouts').waitFor();
    await listed.filter({ hasText: '라이트코인' }).getByText('rail-litecoin').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('says that nothing waits, that no sum is kept yet, and that a call failed', async () => {
    await page.route('**/api/admin/overview', (route) =>
      route.fulfill({ json: { at: '2026-11-20T00:00:00.000Z', waits: [] } }),
    );
    await page.route('**/api/admin/overview/days', async (route) => {
      const answer = await route.fetch();
      const read = (await answer.json()) as { days: string[] };
      await route.fulfill({
        json: {
          ...read,
          countedUntil: null,
          owed: read.days.map(() => '0'),
          held: read.days.map(() => null),
          wallets: [],
          providers: [],
          active: read.days.map(() => null),
          paid: [],
        },
      });
    });
    await openIn('en');
    await card('Waiting for you').getByText('Nothing waits').waitFor();
    await page.getByText('No earnings in 30 days').waitFor();
    await page.getByText('No wallet was looked at yet.').waitFor();
    await isSound('overview-empty');
    await page.unrouteAll({ behavior: 'wait' });
    await page.route('**/api/admin/overview**', (route) =>
      route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        headers: { 'retry-after': '60' },
        body: JSON.stringify({ status: 429, code: 'rate-limited', detail: 'Too many requests.' }),
      }),
    );
    await openIn('en');
    await card('Waiting for you').getByRole('button', { name: 'Try again' }).waitFor({ timeout: 30_000 });
    await page.unrouteAll({ behavior: 'wait' });
    await card('Waiting for you').getByRole('button', { name: 'Try again' }).click();
    await card('Waiting for you').getByRole('listitem').first().waitFor();
    complaints.splice(0);
  });

  it('is where the operator’s name leads, and G and O', async () => {
    await page.goto(`${panel}/books`);
    await page.getByRole('heading', { level: 1, name: 'Books' }).waitFor();
    await pressInTurn(page, 'KeyG', 'KeyO');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    assert.deepEqual(complaints, []);
  });
});
