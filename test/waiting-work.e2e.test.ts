import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { sql } from '#platform/database.ts';
import { refuseCalls, violations, visit } from './browser.ts';
import { operatorPage } from './operator-browser.ts';

/**
 * What waits for an operator beside withdrawals: held credits, manual rewards and registrations, with those of the
 * demo world.
 */
const { site, headers, panel, read, page, context, complaints } = await operatorPage({ after });

const rows = page.locator('tbody').getByRole('row');
const row = (text: string) => rows.filter({ hasText: text });
const sheet = page.getByRole('complementary');
const dialog = page.getByRole('dialog');
const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();
const titled = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Presses Tab until this is focused, once it can be: a sheet that has just opened takes no decision for a moment. */
async function tabTo(target: Locator): Promise<void> {
  await target.and(page.locator(':enabled')).waitFor();
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail('The keyboard did not reach it');
}

/** Confirms an act on selected rows in its dialog, and closes its result. */
async function confirmBulk(name: string | RegExp, result: string): Promise<void> {
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.getByText(result).waitFor();
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await dialog.waitFor({ state: 'detached' });
}

describe('the approvals', () => {
  it('are in Korean until the operator chooses English, and counted in the rail', async () => {
    await page.goto(`${panel}/approvals`);
    await titled('적립 승인');
    await page.getByRole('link', { name: /^적립 승인\s*3$/ }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await titled('Approvals');
    await rows.nth(2).waitFor();
    assert.equal(await rows.count(), 3);
  });

  it('§2-2 approvals: reject the oldest credit with a note, and not without one, by keyboard alone', async () => {
    const [oldest] = await read('pending-earnings?sort=createdAt');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await sheet.getByText('A single credit of 10,000 points or more waits for an operator.').waitFor();
    assert.deepEqual(await violations(page), []);
    await tabTo(sheet.getByRole('button', { name: 'Reject…' }));
    await page.keyboard.press('Enter');
    const reject = dialog.getByRole('button', { name: /^Reject [\d,]+/ });
    await tabTo(reject);
    await page.keyboard.press('Enter');
    await dialog.getByText('Rejection Note Required: Please provide a reason for rejection').waitFor();
    assert.deepEqual(await violations(page), []);
    await tabTo(dialog.getByLabel('Reason'));
    await page.keyboard.type('The provider did not confirm it.');
    await tabTo(reject);
    await page.keyboard.press('Enter');
    await said('rejected. The member is told why.');
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await read('approval-stats')).rejectedCount, 2);
    await page.waitForURL((url) => ![null, oldest.id].includes(url.searchParams.get('open')));
  });

  it('§2-8 approvals: say why a decision failed, and approve and go on to the next', async () => {
    const approve = sheet.getByRole('button', { name: /^Approve [\d,]+.P, next$/ });
    await refuseCalls(page, '**/approve');
    await tabTo(approve);
    await page.keyboard.press('Enter');
    await sheet.getByRole('alert').getByText('Approval Failed. ').waitFor();
    await page.unroute('**/approve');
    complaints.splice(0);
    const open = new URL(page.url()).searchParams.get('open');
    await sheet.getByLabel('Note').fill('Checked with the provider.');
    await approve.click();
    await said('approved. The points are credited.');
    await page.waitForURL((url) => ![null, open].includes(url.searchParams.get('open')));
    await visit(page, `${panel}/approvals?open=${open}`);
    await sheet.getByText('This credit does not wait any more.').waitFor();
  });

  it('approve the selected credits, and then have nothing to show', async () => {
    await visit(page, `${panel}/approvals`);
    await sheet.waitFor({ state: 'detached' });
    await rows.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Approve 1…' }).click();
    await confirmBulk(/^Approve 1, /, '1 approved');
    await page.getByText('No credit waits').waitFor();
  });
});

describe('manual rewards', () => {
  it('§2-2 manual rewards: are given by keyboard alone, once a member is known and every field is filled', async () => {
    await visit(page, `${panel}/manual-rewards`);
    await titled('Manual rewards');
    await rows.nth(3).waitFor();
    assert.equal(await rows.count(), 4);
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
    // The member is wrong too, and is the first field.
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(site.member.email);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('500');
    await dialog.getByText('Balance then').waitFor();
    await dialog.getByText(/^The member sees: 500.P from .+ For the survey that closed halfway\.$/).waitFor();
    assert.deepEqual(await violations(page), []);
    await tabTo(dialog.getByRole('button', { name: /^Give 500.P$/ }));
    await page.keyboard.press('Enter');
    await said(/^500.P given to /);
    await dialog.waitFor({ state: 'detached' });
    const [newest] = await read('manual-rewards');
    const { userEmail, amount, status } = newest;
    assert.deepEqual([userEmail, amount, status], [site.member.email, '500', 'completed']);
    await rows.first().getByText('For the survey that closed halfway.').waitFor();
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
    await dialog.getByRole('button', { name: /^Give 0/ }).click();
    await dialog.getByText('Please fill in every field').nth(2).waitFor();
    await fillGrant('7');
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
    const found: { amount: string }[] = await read(
      `manual-rewards?q=${encodeURIComponent(site.member.email)}`,
    );
    assert.deepEqual(
      found.map(({ amount }) => amount),
      ['7', '500'],
    );
  });

  it('wait for another operator from the sum for two people on', async () => {
    const data = { caps: { secondPersonFrom: '5000' } };
    await context.request.put(`${site.origin}/api/admin/site`, { headers, data });
    // The page has read the sum for two people before it was changed.
    await page.goto(`${panel}/manual-rewards?status=pending`);
    await page.getByRole('button', { name: 'Give points…' }).click();
    await fillGrant('6000');
    await dialog.getByText(/under 5,000/).waitFor();
    await dialog.getByRole('button', { name: /^Ask for 6,000.P$/ }).click();
    await said('wait for another operator.');
    await dialog.waitFor({ state: 'detached' });
    await row('25,000').getByRole('button').click();
    await sheet.getByText('You are the second operator.').waitFor();
    await sheet.getByRole('button', { name: /^Confirm 25,000.P, next$/ }).click();
    await said('confirmed. The points are booked.');
    // The sheet goes on to the grant that still waits.
    await sheet.getByText('You gave it. Another operator must confirm it.').waitFor();
    assert.ok(await sheet.getByRole('button', { name: /^Confirm 6,000/ }).isDisabled());
    await sheet.getByRole('button', { name: 'Decline…' }).click();
    await dialog.getByLabel('Reason').fill('Given by mistake');
    await dialog.getByRole('button', { name: /^Decline 6,000/ }).click();
    await said('declined');
    await page.waitForURL((url) => url.searchParams.get('open') === null);
  });

  async function fillGrant(points: string): Promise<void> {
    await dialog.getByRole('textbox', { name: /^Member/ }).fill(site.member.email);
    await dialog.getByRole('spinbutton', { name: /^Points/ }).fill(points);
    await dialog.getByRole('textbox', { name: /^Reason/ }).fill('Prize');
  }
});

/** Registrations that came some hours ago; those of `banned` from a device of a banned member. */
async function insertRegistrations(): Promise<void> {
  const idOf = async (name: string): Promise<number> => Number((await read(`users?q=${name}`))[0].id);
  const memberIds = [await idOf('noah'), await idOf('theo'), await idOf('liam')];
  const shared = { flags: ['shared-device'], address: '203.0.113.20', language: 'en', memberIds };
  const banned = { ...shared, flags: ['shared-device', 'banned-member'], address: '203.0.113.21' };
  await site.owner.rows(sql`update members.members set role = 'banned' where id = ${memberIds[1]}`);
  for (const [email, hoursAgo, facts] of [
    ['late.person@example.org', 27, shared],
    ['soon.person@example.org', 20, banned],
    ['new.person@example.org', 2, shared],
    ['newer.person.whose.mailbox.is.named.longer.than.a.phone.is.wide@example.org', 1, banned],
  ] as const)
    await site.owner.rows(sql`
      insert into access.registration_reviews (email, facts, created_at)
      values (${email}, ${JSON.stringify(facts)}::jsonb,
        platform.business_now() - make_interval(hours => ${hoursAgo}))`);
}

describe('the registrations that wait', () => {
  it('have the most overdue on top, are counted, and no card is cut off on a phone', async () => {
    await insertRegistrations();
    // The rail and the overview count them when they are read the next time.
    await page.goto(panel);
    await page.getByRole('link', { name: /^Registrations\s*4$/ }).waitFor();
    const line = page.getByRole('listitem').filter({ hasText: 'promised an answer within 24 hours' });
    await line.getByText(/^Was due /).waitFor();
    await line.getByRole('link').press('Enter');
    await page.waitForURL(`${panel}/registrations`);
    await row('late.person').getByText('3 hours overdue').waitFor();
    const names = (await rows.allInnerTexts()).map((text) => /\w+\.person/.exec(text)?.[0]);
    assert.deepEqual(names, ['late.person', 'soon.person', 'new.person', 'newer.person']);
    const figures = page.getByLabel('Totals').locator('div');
    await figures.filter({ hasText: /^Overdue1$/ }).waitFor();
    await page.setViewportSize({ width: 390, height: 900 });
    const cards = page.locator('main li').getByRole('button');
    await cards.nth(3).waitFor();
    const cutOff = (found: Element[]) =>
      found.filter((card) => card.scrollWidth > card.clientWidth).map(({ textContent }) => textContent);
    assert.deepEqual(await cards.evaluateAll(cutOff), []);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('show why each waits and who used the device, and are rejected with a reason by keyboard alone', async () => {
    await row('late.person').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await sheet.getByText('Three members or more use this device at this network address.').waitFor();
    await sheet.getByRole('link', { name: /^Noah / }).waitFor();
    await sheet.getByRole('listitem').filter({ hasText: 'Theo' }).getByText('Banned').waitFor();
    assert.deepEqual(await violations(page), []);
    await tabTo(sheet.getByRole('button', { name: 'Reject…' }));
    await page.keyboard.press('Enter');
    const reject = dialog.getByRole('button', { name: 'Reject the registration' });
    await tabTo(reject);
    await page.keyboard.press('Enter');
    await dialog.getByText('Reason is required').waitFor();
    await tabTo(dialog.getByLabel('Reason'));
    await page.keyboard.type('The same person as Theo');
    await tabTo(reject);
    const before = new URL(page.url()).searchParams.get('open');
    await page.keyboard.press('Enter');
    await page.getByText('late.person@example.org can’t register. A mail says so.').waitFor();
    await page.waitForURL((url) => ![null, before].includes(url.searchParams.get('open')));
    const [rejected] = await read('registration-reviews?q=late.person');
    assert.deepEqual([rejected.status, rejected.decisionReason], ['rejected', 'The same person as Theo']);
  });

  it('say why a decision failed, and are approved one after the other', async () => {
    await sheet.getByText('A banned member uses this device at this network address.').waitFor();
    await refuseCalls(page, '**/approve');
    const approve = sheet.getByRole('button', { name: 'Approve, next' });
    await tabTo(approve);
    await page.keyboard.press('Enter');
    await sheet.getByRole('alert').getByText('The registration was not approved. ').waitFor();
    await page.unroute('**/approve');
    complaints.splice(0);
    await sheet.getByLabel('Reason').fill('A family with one computer');
    await approve.click();
    await page.getByText('soon.person@example.org can register. A mail says so.').waitFor();
    await sheet.getByText('new.person@example.org', { exact: true }).waitFor();
    const [approved] = await read('registration-reviews?q=soon.person');
    assert.deepEqual([approved.status, approved.decisionReason], ['approved', 'A family with one computer']);
  });

  it('are approved together, and a decided one says why, also from the audit trail', async () => {
    await visit(page, `${panel}/registrations`);
    await sheet.waitFor({ state: 'detached' });
    for (const index of [0, 1]) await rows.nth(index).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Approve 2…' }).click();
    await confirmBulk('Approve 2', '2 approved');
    await page.getByText('No registration waits').waitFor();
    const [act] = (await read('audit?action=registration.reject&limit=1')).data;
    await visit(page, `${panel}/audit?open=${act.id}`);
    await sheet.getByText('Registration rejected').first().waitFor();
    await sheet.locator(`a[href*="/registrations?"]`).first().click();
    await page.waitForURL((url) => url.pathname.endsWith('/registrations'));
    await sheet.getByText('late.person@example.org', { exact: true }).waitFor();
    await sheet.getByText('The same person as Theo').waitFor();
    await row('late.person').getByText('Rejected').waitFor();
  });

  it('say that they did not load', async () => {
    await refuseCalls(page, '**/api/admin/registration-reviews?*');
    await visit(page, `${panel}/registrations?q=never-looked-for`);
    await page.getByText('The registrations didn’t load').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    complaints.splice(0);
  });
});

it('leaves no error in the console', () => assert.deepEqual(complaints, []));
