import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { refuseCalls, violations, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';

/** The operators' approvals of held earnings and their manual rewards, with those of the demo world. */
const { site, panel, read, page, context, complaints } = await operatorPage({ after });

const rows = () => page.locator('tbody').getByRole('row');
const sheet = () => page.getByRole('complementary');
const inEnglish = () => page.evaluate(() => localStorage.setItem('operatorLanguage', 'en'));

/** Axe and the width of the page, in both sizes. */
async function isSound(name: string): Promise<void> {
  const { SCREENSHOTS: folder } = process.env;
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await violations(page), []);
    assert.equal(await widerThanWindow(page), 0, `${name} on ${width} px`);
    if (folder) await page.screenshot({ path: `${folder}/${name}-${width}.png` });
  }
}

/** Presses Tab until this is focused, once it can be: a sheet that has just opened takes no decision for a moment. */
async function tabTo(target: ReturnType<typeof page.getByRole>): Promise<void> {
  await target.and(page.locator(':enabled')).waitFor();
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail('The keyboard did not reach it');
}

describe('the approvals', () => {
  it('are in Korean first, and sound in both languages and sizes', async () => {
    await page.goto(`${panel}/approvals`);
    await page.getByRole('heading', { level: 1, name: '적립 승인' }).waitFor();
    await rows().first().waitFor();
    await page.getByRole('link', { name: /^적립 승인\s*3$/ }).waitFor();
    await isSound('approvals-ko');
    await inEnglish();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
    await rows().first().waitFor();
    assert.equal(await rows().count(), 3);
    await isSound('approvals-en');
  });

  it('§2-2 approvals: reject the oldest credit with a note, and not without one, by keyboard alone', async () => {
    const [oldest] = await read('pending-earnings?sort=createdAt');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await sheet().getByText('A single credit of 10,000 points or more waits for an operator.').waitFor();
    assert.deepEqual(await violations(page), []);
    await tabTo(sheet().getByRole('button', { name: 'Reject…' }));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    const reject = dialog.getByRole('button', { name: /^Reject [\d,]+/ });
    await tabTo(reject);
    await page.keyboard.press('Enter');
    await dialog.getByText('Rejection Note Required: Please provide a reason for rejection').waitFor();
    assert.deepEqual(await violations(page), []);
    await tabTo(dialog.getByLabel('Reason'));
    await page.keyboard.type('The provider did not confirm it.');
    await tabTo(reject);
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'rejected. The member is told why.' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await read('approval-stats')).rejectedCount, 2);
    await page.waitForURL((url) => ![null, oldest.id].includes(url.searchParams.get('open')));
  });

  it('§2-8 approvals: say why a decision failed, and approve and go on to the next', async () => {
    const approve = sheet().getByRole('button', { name: /^Approve [\d,]+.P, next$/ });
    await refuseCalls(page, '**/approve');
    await tabTo(approve);
    await page.keyboard.press('Enter');
    await sheet().getByRole('alert').getByText('Approval Failed. ').waitFor();
    await page.unroute('**/approve');
    complaints.splice(0);
    const open = new URL(page.url()).searchParams.get('open');
    await sheet().getByLabel('Note').fill('Checked with the provider.');
    await approve.click();
    await page.getByRole('status').filter({ hasText: 'approved. The points are credited.' }).waitFor();
    await page.waitForURL((url) => ![null, open].includes(url.searchParams.get('open')));
    await page.goto(`${panel}/approvals?open=${open}`);
    await sheet().getByText('This credit does not wait any more.').waitFor();
  });

  it('approve the selected credits, and then have nothing to show', async () => {
    await page.goto(`${panel}/approvals`);
    await rows().first().getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Approve 1…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Approve 1, / }).click();
    await dialog.getByText('1 approved').waitFor();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText('No credit waits').waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(complaints, []);
  });
});

describe('manual rewards', () => {
  it('are sound in both languages and sizes', async () => {
    await page.evaluate(() => localStorage.setItem('operatorLanguage', 'ko'));
    await page.goto(`${panel}/manual-rewards`);
    await page.getByRole('heading', { level: 1, name: '수동 포인트 지급' }).waitFor();
    await rows().first().waitFor();
    await isSound('grants-ko');
    await page.getByRole('button', { name: '포인트 지급…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: '0 P 지급' }).click();
    assert.equal(await dialog.getByText('모든 항목을 입력해 주세요').count(), 3);
    await isSound('give-ko');
    await inEnglish();
    await page.goto(`${panel}/manual-rewards`);
    await page.getByRole('heading', { level: 1, name: 'Manual rewards' }).waitFor();
    await rows().first().waitFor();
    assert.equal(await rows().count(), 4);
    await isSound('grants-en');
  });

  it('§2-2 manual rewards: are given by keyboard alone, once a member is known and every field is filled', async () => {
    const dialog = page.getByRole('dialog');
    await tabTo(page.getByRole('button', { name: 'Give points…' }));
    await page.keyboard.press('Enter');
    await dialog.getByRole('textbox', { name: /^Member/ }).waitFor();
    await page.keyboard.type('nobody@example.com');
    await page.keyboard.press('Tab');
    await dialog.getByText('There is no such member.').waitFor();
    complaints.splice(0);
    await page.keyboard.type('0');
    await page.keyboard.press('Tab');
    await page.keyboard.type('For the survey that closed halfway.');
    await tabTo(dialog.getByRole('button', { name: /^Give 0/ }));
    await page.keyboard.press('Enter');
    await dialog.getByText('The amount must be more than 0').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('500');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(site.member.email);
    await page.keyboard.press('Tab');
    await dialog.getByText('Balance then').waitFor();
    await dialog.getByText(/^The member sees: 500.P from .+ For the survey that closed halfway\.$/).waitFor();
    await isSound('give-en');
    await tabTo(dialog.getByRole('button', { name: /^Give 500.P$/ }));
    await page.keyboard.press('Enter');
    await page
      .getByRole('status')
      .filter({ hasText: /^500.P given to / })
      .waitFor();
    await dialog.waitFor({ state: 'detached' });
    const [newest] = await read('manual-rewards');
    assert.deepEqual(
      [newest.userEmail, newest.amount, newest.status],
      [site.member.email, '500', 'completed'],
    );
    await rows().first().getByText('For the survey that closed halfway.').waitFor();
  });

  it('§2-8 manual rewards: say why giving failed, and send the same key again after a lost answer', async () => {
    const keys: (string | undefined)[] = [];
    const { promise: isSeen, resolve: markSeen } = Promise.withResolvers<void>();
    await page.route('**/api/admin/give-points', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      // The server books the points, and its answer gets lost.
      await route.fetch();
      await route.abort();
      markSeen();
    });
    await page.getByRole('button', { name: 'Give points…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: /^Member/ }).fill(site.member.email);
    await dialog.getByRole('spinbutton', { name: /^Points/ }).fill('7');
    await dialog.getByRole('textbox', { name: /^Reason/ }).fill('Prize');
    await dialog.getByText('Balance now').waitFor();
    const give = dialog.getByRole('button', { name: /^Give 7.P$/ });
    await give.click();
    await isSeen;
    await dialog.getByRole('alert').getByText('Giving points failed. ').waitFor();
    complaints.splice(0);
    await give.click();
    await dialog.waitFor({ state: 'detached' });
    await page.unroute('**/api/admin/give-points');
    assert.equal(keys.length, 2);
    assert.equal(keys[0], keys[1]);
    const found = await read(`manual-rewards?q=${encodeURIComponent(site.member.email)}`);
    assert.deepEqual(
      found.map(({ amount }: { amount: string }) => amount),
      ['7', '500'],
    );
  });

  it('wait for another operator from the sum for two people on', async () => {
    const headers = { origin: site.origin };
    const data = { caps: { secondPersonFrom: '5000' } };
    await context.request.put(`${site.origin}/api/admin/site`, { headers, data });
    await page.goto(`${panel}/manual-rewards?status=pending`);
    await page.getByRole('button', { name: 'Give points…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: /^Member/ }).fill(site.member.email);
    await dialog.getByRole('spinbutton', { name: /^Points/ }).fill('6000');
    await dialog.getByRole('textbox', { name: /^Reason/ }).fill('Prize');
    await dialog.getByText(/under 5,000/).waitFor();
    await dialog.getByRole('button', { name: /^Ask for 6,000.P$/ }).click();
    await page.getByRole('status').filter({ hasText: 'wait for another operator.' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await rows().filter({ hasText: '25,000' }).getByRole('button').click();
    const confirm = sheet().getByRole('button', { name: /^Confirm 25,000.P, next$/ });
    await sheet().getByText('You are the second operator.').waitFor();
    assert.deepEqual(await violations(page), []);
    await confirm.click();
    await page.getByRole('status').filter({ hasText: 'confirmed. The points are booked.' }).waitFor();
    // The sheet goes on to the grant that still waits.
    await sheet().getByText('You gave it. Another operator must confirm it.').waitFor();
    assert.equal(
      await sheet()
        .getByRole('button', { name: /^Confirm 6,000/ })
        .isDisabled(),
      true,
    );
    await sheet().getByRole('button', { name: 'Decline…' }).click();
    await dialog.getByLabel('Reason').fill('Given by mistake');
    await dialog.getByRole('button', { name: /^Decline 6,000/ }).click();
    await page.getByRole('status').filter({ hasText: 'declined' }).waitFor();
    await page.waitForURL((url) => url.searchParams.get('open') === null);
    assert.deepEqual(complaints, []);
  });
});
