import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { violations, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';

/** The operators' audit trail, with the acts of the demo world and some of this test. */
const { site, headers, panel, page, context, complaints } = await operatorPage({ after });

const address = `${panel}/audit`;
const rows = page.locator('tbody').getByRole('row');
const sheet = page.getByRole('complementary');

/** Changes the settings of the site, which leaves an act with nested fields. */
const changed = await context.request.put(`${site.origin}/api/admin/site`, {
  headers,
  data: { payoutDelaySeconds: 45, caps: { memberDay: '250000' }, switches: { addressHold: true } },
});
assert.equal(changed.status(), 200);

describe('the audit trail', () => {
  it('names who did what in Korean until the operator chooses English', async () => {
    await page.goto(address);
    await page.getByRole('heading', { level: 1, name: '감사 기록' }).waitFor();
    const newest = rows.first();
    await newest.getByRole('button', { name: '사이트 설정 변경' }).click();
    const line = page.getByRole('row', { name: /^승인 취소 가능 시간, 초/ });
    assert.match(await line.innerText(), /45$/);
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: 'Audit trail' }).waitFor();
  });

  it('compares what was before an act with what was after it', async () => {
    await sheet.getByRole('rowheader', { name: 'A member and day, P' }).waitFor();
    const cells = async (name: string) => {
      const line = sheet.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
      return line.getByRole('cell').allInnerTexts();
    };
    assert.match((await cells('A member and day, P'))[1] ?? '', /^250,000\sP$/);
    assert.deepEqual(await cells('A new payout address waits 24 hours'), ['No', 'Yes']);
    assert.equal((await cells('Time to take back, seconds'))[1], '45');
    assert.deepEqual(await violations(page), []);
  });

  it('filters by act, operator, target and days, and finds words of the reason', async () => {
    await page.goto(address);
    await page.getByRole('button', { name: /^Act All/ }).click();
    await page.getByRole('menuitemradio', { name: 'Withdrawal rejected' }).click();
    await page.waitForURL(/action=withdrawal\.reject/);
    const reject = rows.filter({ hasText: 'Withdrawal rejected' });
    await rows.filter({ hasNotText: 'Withdrawal rejected' }).first().waitFor({ state: 'detached' });
    await reject.first().waitFor();
    const link = reject.first().getByRole('link').first();
    const target = new URL((await link.getAttribute('href')) ?? '', site.origin).searchParams.get('open');

    await page.goto(address);
    await page.getByRole('button', { name: /^Target All/ }).click();
    await page.getByRole('textbox', { name: 'Target' }).fill(target ?? '');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('target') === target);
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length < 3);
    await reject.first().waitFor();

    await page.goto(address);
    await page.getByRole('button', { name: /^Days All/ }).click();
    await page.getByLabel('From').fill('2001-01-02');
    await page.getByLabel('To', { exact: true }).fill('2001-01-01');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Must not be before “From”').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByLabel('To', { exact: true }).fill('2001-01-03');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No act fits these filters').waitFor();

    const answered = Promise.withResolvers<void>();
    await page.route('**/api/admin/operators', async (route) => {
      await answered.promise;
      await route.continue();
    });
    await page.goto(address);
    const operators = page.getByRole('button', { name: /^Operator All/ });
    await rows.first().waitFor();
    assert.ok(await operators.isDisabled(), 'no menu opens without its choices');
    answered.resolve();
    await operators.click();
    await page.getByRole('menuitemradio').first().click();
    await page.waitForURL(/operatorId=\d{9}/);
    await rows.first().waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('leads from an act to what it changed', async () => {
    await page.goto(`${address}?action=withdrawal.reject`);
    await rows.first().getByRole('link').first().click();
    await page.waitForURL(/x7k9w\/withdrawals\?(status=all&)?open=/);
    await sheet.getByText('Rejected').first().waitFor();
  });

  it('leads to the screen of each kind, and finds all acts on the member of one', async () => {
    for (const [action, path] of [
      ['site.change', '/config?tab=site'],
      ['payment-method.change', '/config?tab=payments&open='],
      ['provider.change', '/config?tab=providers&open='],
      ['points.grant', '/users/member?id='],
    ] as const) {
      await page.goto(`${address}?action=${action}`);
      const href = (await rows.first().getByRole('link').first().getAttribute('href')) ?? '';
      assert.ok(href.startsWith(`/management-panel-x7k9w${path}`), `${action}: ${href}`);
    }
    await page.goto(`${address}?action=site.change`);
    await rows.first().getByRole('link', { name: 'Site', exact: true }).waitFor();
    await page.goto(`${address}?action=withdrawal.reject`);
    await rows.first().getByRole('button', { name: 'Withdrawal rejected' }).click();
    const member = sheet.getByRole('definition').filter({ has: page.locator('a[href*="users/member"]') });
    const named = member.getByRole('link');
    const href = decodeURIComponent((await named.getAttribute('href')) ?? '');
    const memberId = /\d{9}/.exec(href)?.[0] ?? '';
    assert.match(await named.innerText(), /^\p{L}[\p{L} ]+$/u, 'a name, as elsewhere');
    assert.match(await member.innerText(), new RegExp(`@.* · ${memberId}$`));
    await page.goto(address);
    await page.getByRole('button', { name: /^Member’s id All/ }).click();
    await page.getByRole('textbox', { name: 'Member’s id' }).fill(memberId);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`memberId=[^&]*${memberId}`));
    await rows.filter({ hasText: 'Withdrawal rejected' }).first().waitFor();
    await page.goto(`${address}?actor=site`);
    await rows.filter({ hasText: 'Site itself' }).first().waitFor();
    assert.equal(await rows.filter({ hasNotText: 'Site itself' }).count(), 0);
  });

  it('works by keyboard, and exports the filtered acts', async () => {
    await page.goto(`${address}?action=site.change`);
    await rows.first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await sheet.getByText('Site settings changed').waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    const link = page.getByRole('link', { name: 'Export as CSV' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    assert.equal(download.suggestedFilename(), 'audit.csv');
    const [heading, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    assert.equal(
      heading,
      'id,at,operatorId,actor,action,target,targetKind,memberId,memberName,memberEmail,reason,before,after',
    );
    assert.ok(lines.length > 0 && lines.every((line) => line.includes(',site.change,')));
  });

  it('has no violation of accessibility on a phone and in the dark, and nothing wider than the window', async () => {
    const { SCREENSHOTS: folder } = process.env;
    const open = rows.first().getByRole('button');
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [1440, 'dark'],
      [390, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await page.goto(address);
      await (width === 390 ? page.locator('[id^="row-"]').first() : open).waitFor();
      if (folder) await page.screenshot({ path: `${folder}/audit-${width}-${colorScheme}.png` });
      assert.deepEqual(await violations(page), []);
      await page.locator('[id^="row-"]').first().click();
      await page.getByRole('rowheader', { name: 'Time to take back, seconds' }).waitFor();
      assert.deepEqual(await violations(page), []);
      assert.ok((await widerThanWindow(page)) <= 0);
      if (folder) await page.screenshot({ path: `${folder}/audit-sheet-${width}-${colorScheme}.png` });
    }
    assert.deepEqual(complaints, []);
  });
});
