import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sentence } from '#contract/operator-sentences.ts';
import { sql } from '#platform/database.ts';
import { settle, violations, visit, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { queueParts } from './queue-parts.ts';

/**
 * What operators see of how the site runs: what is not well, the system, times in the site's zone, and a pause of all
 * payouts from its beginning to its end.
 */
const DEVICE_ZONE = 'America/New_York';
const desk = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const { site, headers, panel, read, page, complaints } = await operatorPage(
  { after },
  { payoutDelaySeconds: 3_600, timezoneId: DEVICE_ZONE, viewport: phone, colorScheme: 'dark' },
);
const { notices, dialog, rowOf } = queueParts(page);
const queue = `${panel}/withdrawals`;
const system = `${panel}?tab=system`;
const sheet = page.getByRole('complementary');
const main = page.getByRole('main');

/** What the call of health answers to this page. The tests of the server show when it says what. */
type Part = { name: string; trouble: string; since: string };
const now = new Date().toISOString();
const redis = { name: 'redis', trouble: 'Redis does not answer.', since: now };
const audit = { name: 'audit', trouble: 'The books differ.', since: now };
const locked = { name: 'sweep-payouts', trouble: 'The last turn failed: the wallet is locked.', since: now };
const paused = { name: 'payouts-paused', trouble: 'Payouts are paused by an operator.', since: now };
let health: { troubles: Part[]; stops: Part[] } = { troubles: [redis, locked], stops: [] };
await page.route('**/api/admin/health', (route) => route.fulfill({ json: health }));

/** The browser itself complains of the connection of a page that is left early. */
const found = () => complaints.splice(0).filter((text) => !text.includes('WebSocket is closed before'));

describe('the panel on a phone, in dark Korean', () => {
  it('shows the frame while the zone is not known, and no time in another one', async () => {
    const answer = Promise.withResolvers<void>();
    let isDown = true;
    await page.route('**/api/config', async (route) => {
      await answer.promise;
      await (isDown ? route.fulfill({ status: 503 }) : route.continue());
    });
    await page.goto(`${panel}/payouts`);
    await page.getByRole('button', { name: '메뉴', exact: true }).waitFor();
    await main.getByRole('status').getByText('불러오는 중').waitFor({ state: 'attached' });
    assert.deepEqual(await page.getByText(/AM|PM|오전|오후/).allInnerTexts(), []);
    assert.deepEqual(await violations(page), []);
    answer.resolve();
    await main.getByRole('alert').getByRole('heading', { name: '불러오지 못했습니다' }).waitFor();
    isDown = false;
    await main.getByRole('button', { name: '다시 시도' }).click();
    await page.getByRole('heading', { level: 1, name: '출금 지급' }).waitFor();
    await page.unroute('**/api/config');
    assert.deepEqual(
      found().filter((text) => !text.includes('503')),
      [],
    );
  });

  it('tells in its bar what is not well, in our words and those of a node', async () => {
    // In the bar, so that nobody has to open the menu to see it.
    await page.getByRole('button', { name: /^시스템 이상/ }).focus();
    await page.keyboard.press('Enter');
    const troubles = page.getByRole('dialog').filter({ hasText: 'sweep-payouts' });
    await troubles.getByText('Redis does not answer.').waitFor();
    await troubles.getByText('지급 처리').waitFor();
    await troubles.getByText('마지막 실행에 실패했습니다: the wallet is locked.').waitFor();
    const lent = troubles.getByText('the wallet is locked.', { exact: true });
    assert.equal(await lent.getAttribute('lang'), 'en');
    await page.keyboard.press('Escape');
    await troubles.waitFor({ state: 'hidden' });
  });
});

const failedJob = {
  id: '7',
  name: 'mail.send',
  state: 'failed',
  attempts: 300,
  attemptsMax: 300,
  error: 'No such mailbox',
  recipient: 'kim@example.com',
  createdAt: now,
  runAt: now,
};
const failedMail = {
  id: '100000001.3',
  userId: '100000001',
  userEmail: 'mina@example.com',
  userName: 'Mina Kim',
  kind: 'security',
  reason: '550 No such mailbox',
  attempts: 15,
  dueAt: null,
  createdAt: now,
};
const tried: { mails: string[]; jobs: string[] } = { mails: [], jobs: [] };
/** A list that has one failed thing until it is tried again. */
async function failing(path: string, failed: { id: string }, tried: string[]): Promise<void> {
  await page.route(`**/api/admin/${path}`, (route) =>
    route.fulfill({ json: tried.length === 0 ? [failed] : [] }),
  );
  await page.route(`**/api/admin/${path}/*/retry`, (route) => {
    tried.push(new URL(route.request().url()).pathname.split('/').at(-2) ?? '');
    return route.fulfill({ json: failed });
  });
}
/** The parts of the page that scroll up and down inside it. */
const scrolled = (): Promise<string[]> =>
  main.evaluate((element) =>
    [element, ...element.querySelectorAll('*')]
      .filter((part) => /auto|scroll/.test(getComputedStyle(part).overflowY))
      .filter((part) => part.scrollHeight > part.clientHeight + 1)
      .map((part) => part.outerHTML.slice(0, 80)),
  );
const card = (name: string) => page.getByRole('region', { name, exact: true });

describe('the system', () => {
  it('§2-2 dashboard: names release, nodes, queues, sweeps, leases and migrations, in Korean first', async () => {
    health = { troubles: [], stops: [] };
    await failing('failed-mails', failedMail, tried.mails);
    await failing('jobs', failedJob, tried.jobs);
    await page.setViewportSize(desk);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(system);
    await page.getByRole('heading', { level: 2, name: '보내지 못한 메일' }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await card('Nodes')
      .getByRole('row', { name: /this one/ })
      .waitFor();
    await card('Queues')
      .getByRole('row', { name: /^notice-mails/ })
      .waitFor();
    for (const sweep of [/^Work on payouts/, /^PayPal and crypto provider/])
      await card('Background work').getByRole('row', { name: sweep }).waitFor();
    await card('Leases').getByRole('row').nth(1).waitFor();
    await card('Migrations')
      .getByRole('row', { name: /^0001_platform\.sql/ })
      .waitFor();
    assert.equal(await page.getByRole('button', { name: /^Not well/ }).count(), 0, 'all is well');
  });

  it('sends a mail again that failed, and tries a job again', async () => {
    const mail = page.getByRole('listitem').filter({ hasText: '550 No such mailbox' });
    await mail.getByText('15 attempts. It is not tried again.').waitFor();
    await page.setViewportSize(phone);
    assert.equal(await widerThanWindow(page), 0);
    assert.deepEqual(await scrolled(), [], 'the page alone scrolls on a phone');
    assert.deepEqual(await violations(page), []);
    await mail.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('The mail to mina@example.com is sent now.').waitFor();
    await mail.waitFor({ state: 'detached' });
    await page.getByText('Every mail was sent, or was not tried yet.').waitFor();
    const job = page.getByRole('listitem').filter({ hasText: 'kim@example.com' });
    await job.getByText('No such mailbox').waitFor();
    await job.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The job is tried now.').waitFor();
    await job.waitFor({ state: 'detached' });
    assert.deepEqual(tried, { mails: [failedMail.id], jobs: [failedJob.id] });
    await page.setViewportSize(desk);
  });
});

type Pending = { id: string; createdAt: string; approvalObstacle: string | null };
/** A pending request that nothing stands against. */
async function approvable(): Promise<Pending> {
  const { withdrawals } = (await read('withdrawals-data?status=pending&limit=100')) as {
    withdrawals: Pending[];
  };
  const found = withdrawals.find(({ approvalObstacle }) => approvalObstacle === null);
  assert.ok(found);
  return found;
}

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
  const { siteTimezone } = (await (await page.request.get(`${site.origin}/api/config`)).json()) as {
    siteTimezone: string;
  };
  const { id, createdAt } = await approvable();
  const [expected, device] = [siteTimezone, DEVICE_ZONE].map((zone) => timeIn(zone, createdAt));
  assert.notEqual(expected, device);
  await visit(page, `${queue}?open=${id}`);
  await sheet.getByText(String(expected), { exact: true }).waitFor();
  assert.equal(await sheet.getByText(String(device), { exact: true }).count(), 0);
  const rail = page.getByRole('navigation', { name: 'Operator menu' });
  await rail.getByText(`Times in ${siteTimezone}`).waitFor();
  await page.setViewportSize({ width: 1100, height: 1200 });
  await rail.getByText(`Times in ${siteTimezone}`).waitFor({ state: 'attached' });
  const short = rail.getByText(/^GMT[+-]\d/);
  await short.hover();
  await page.getByRole('tooltip', { name: `Times in ${siteTimezone}` }).waitFor();
  await page.setViewportSize(desk);
});

const reason = 'The wallet is moved to another machine, and nobody may pay before that is done and tried';
/** What the operator reads of an approval during a pause. */
const saysPaused = 'approved. Payouts are paused, so it waits until they are resumed.';
const approve = sheet.getByRole('button', { name: /^Approve .*, next$/ });

/** Gives the reason of a pause or of its end. */
async function answer(title: string, submit: string): Promise<void> {
  const asked = page.getByRole('dialog', { name: title });
  await asked.getByLabel('Reason').fill(reason);
  await asked.getByRole('button', { name: submit }).click();
  await asked.waitFor({ state: 'detached' });
}

describe('a pause of all payouts', () => {
  it('is said of an approval also when the page did not read it yet', async () => {
    await page.route('**/api/admin/site', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ json: { ...(await response.json()), payoutsPaused: false, pause: null } });
    });
    const data = { payoutsPaused: true, reason };
    assert.equal((await page.request.put(`${site.origin}/api/admin/site`, { headers, data })).status(), 200);
    await visit(page, `${queue}?status=pending&open=${(await approvable()).id}`);
    await approve.click();
    await page.getByRole('status').filter({ hasText: saysPaused }).waitFor();
    await page.unroute('**/api/admin/site');
  });

  it('is said with who, when and why: on a desk whole, on a phone over the rows', async () => {
    await visit(page, queue);
    await notices().getByText(reason, { exact: false }).waitFor();
    // In the font of before, the line breaks elsewhere.
    await page.evaluate(() => document.fonts.ready);
    const [needed, shown] = await notices()
      .locator('span')
      .first()
      .evaluate(({ scrollHeight, scrollWidth, clientHeight, clientWidth }) => [
        [scrollWidth, scrollHeight],
        [clientWidth, clientHeight],
      ]);
    assert.deepEqual(needed, shown);
    await page.setViewportSize(phone);
    await page.locator('[id^="row-"]').first().waitFor();
    await notices()
      .getByText(/, \d+:\d\d\s[AP]M: The wallet is moved/)
      .waitFor();
    await settle(page);
    const box = await notices().boundingBox();
    assert.ok(
      box !== null && box.x === 0 && box.width === 390 && box.y + box.height === 844,
      JSON.stringify(box),
    );
    assert.deepEqual(await violations(page), []);
    await notices().click();
    await dialog.getByText('nothing is signed or sent', { exact: false }).waitFor();
    await dialog.getByText(reason, { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('stands behind what is left after a restore, and the line has the title of both', async () => {
    const nothing = { pending: [], unaccounted: [], unaccountedCount: 0, checkedCount: 2, approvedCount: 0 };
    const reasons = [sentence('database-older', { knownCount: 5, markedCount: 7 })];
    const json = { ...nothing, waitingPayoutCount: 0, waitingRequestCount: 2, reasons };
    await page.route('**/api/admin/payouts/restore', (route) => route.fulfill({ json }));
    const said = notices().getByText('An older backup was restored · Payouts are paused', { exact: true });
    health = { troubles: [], stops: [paused] };
    await page.goto(queue);
    for (const size of [phone, desk]) {
      await page.setViewportSize(size);
      await said.waitFor();
      const [needed, shown] = await said.evaluate(({ scrollHeight, clientHeight }) => [
        scrollHeight,
        clientHeight,
      ]);
      assert.equal(needed, shown, 'no title is cut');
    }
    await notices().click();
    const titles = dialog.getByRole('heading', { level: 3 });
    await titles.nth(1).waitFor();
    assert.deepEqual(await titles.allInnerTexts(), ['An older backup was restored', 'Payouts are paused']);
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    await visit(page, `${panel}/payouts`);
    await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor();
    await said.waitFor();
    await page.unroute('**/api/admin/payouts/restore');
  });

  it('makes no sentence of the queue false, and is ended from its notice', async () => {
    const { id } = await approvable();
    await visit(page, `${queue}?status=pending&open=${id}`);
    await sheet.getByText('Payouts are paused. An approved request waits', { exact: false }).waitFor();
    await approve.click();
    await page.getByRole('status').filter({ hasText: saysPaused }).waitFor();
    await visit(page, `${queue}?status=approved&open=${id}`);
    await sheet.getByText('Payouts are paused. It waits until they are resumed.', { exact: true }).waitFor();
    await sheet.getByText('Paused', { exact: true }).waitFor();
    await rowOf(id).getByText('Paused', { exact: true }).waitFor();
    assert.equal(await sheet.getByText('Approved', { exact: true }).count(), 0);
    await visit(page, `${panel}/payouts?open=${id}`);
    await sheet.getByText('It waits until payouts are resumed.', { exact: true }).waitFor();
    await sheet.getByText('Paused', { exact: true }).waitFor();
    for (const promise of ['Next step', 'It goes on by itself.', /^It is prepared at/])
      assert.equal(await sheet.getByText(promise).count(), 0, String(promise));
    // Its delay is over, and the pause still keeps it from being prepared.
    await site.owner.rows(sql`
      update withdrawals.payouts set not_before = platform.business_now() - interval '1 minute'
      where withdrawal_id = ${id}`);
    await visit(page, `${queue}?status=approved&open=${id}`);
    await sheet.getByText('Payouts are paused. It waits until they are resumed.', { exact: true }).waitFor();
    const undone = page.waitForResponse(/\/undo$/);
    await sheet.getByRole('button', { name: 'Take the approval back' }).click();
    assert.equal((await undone).status(), 200);
    await page.getByText(/ is pending again\. Nothing was sent\./).waitFor();
    await sheet.getByRole('button', { name: /^Approve / }).waitFor();
    await visit(page, queue);
    await notices().click();
    await dialog.getByRole('button', { name: 'Resume payouts…' }).click();
    await answer('Resume payouts?', 'Resume payouts');
    await page.getByText('Payouts are resumed.').waitFor();
    await notices().waitFor({ state: 'detached' });
  });

  it('begins on the screen of payouts, whose sums and rows then say that they wait', async () => {
    await visit(page, `${panel}/payouts`);
    await page.getByRole('button', { name: 'Pause payouts…' }).click();
    await answer('Pause payouts?', 'Pause payouts');
    await page.getByText('Payouts are paused.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resume payouts…' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Pause payouts…' }).count(), 0);
    await page.getByRole('term').filter({ hasText: 'Waiting' }).waitFor();
    assert.equal(await page.getByText('On their way').count(), 0);
    const rows = page.locator('tbody').getByRole('row');
    await rows.first().click();
    const said = rows.getByText('Waits for the end of the pause', { exact: true }).first();
    await said.waitFor({ timeout: 60_000 });
    assert.ok(await said.evaluate(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight));
  });

  it('is told apart from what is not well, on the overview too', async () => {
    await visit(page, panel);
    await page.getByRole('link', { name: 'Payouts are paused' }).waitFor();
    await page.getByRole('button', { name: 'Payouts paused' }).click();
    assert.equal(await page.getByRole('button', { name: /^Not well/ }).count(), 0);
    const only = page.getByRole('dialog', { name: 'Paused by an operator' });
    await only.getByText(`: ${reason}`, { exact: false }).waitFor();
    await only.getByRole('button', { name: 'Resume payouts…' }).waitFor();
  });

  it('is ended beside what is not well on a phone, which leads to the screen of each part', async () => {
    health = { troubles: [audit, redis], stops: [paused] };
    await page.setViewportSize(phone);
    await page.goto(panel);
    const item = page.getByRole('button', { name: /^Not well/ });
    await item.click();
    await dialog.getByText(`: ${reason}`, { exact: false }).waitFor();
    await dialog.getByRole('heading', { name: 'Paused by an operator' }).waitFor();
    assert.equal(await dialog.getByRole('link').count(), 2, 'Redis is mended outside the site');
    await dialog.getByRole('link', { name: 'Open Payouts' }).waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole('button', { name: 'Resume payouts…' }).click();
    await answer('Resume payouts?', 'Resume payouts');
    await page.getByText('Payouts are resumed.').waitFor();
    assert.equal((await read('site')).payoutsPaused, false);
    await item.click();
    await dialog.getByRole('link', { name: 'Open Books' }).click();
    await page.waitForURL('**/management-panel-x7k9w/books');
    await dialog.waitFor({ state: 'detached' });
  });
});

it('leaves no error in the console', () => assert.deepEqual(found(), []));
