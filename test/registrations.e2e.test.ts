import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { refuseCalls, violations, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';

/** Operators approve and reject registrations that wait, with the demo world. */
const { site, panel, read, page, complaints } = await operatorPage({ after });
const { owner } = site;

const rows = () => page.locator('tbody').getByRole('row');
const sheet = () => page.getByRole('complementary');
const dialog = () => page.getByRole('dialog');
const speak = (language: string) =>
  page.evaluate((chosen) => localStorage.setItem('operatorLanguage', chosen), language);
const idOf = async (name: string): Promise<number> => Number((await read(`users?q=${name}`))[0].id);

/** A registration that came so many hours ago. */
const insert = (email: string, hoursAgo: number, facts: object) =>
  owner.rows(sql`
    insert into access.registration_reviews (email, facts, created_at)
    values (${email}, ${JSON.stringify(facts)}::jsonb, platform.business_now() - make_interval(hours => ${hoursAgo}))`);
const memberIds = [await idOf('noah'), await idOf('theo'), await idOf('liam')];
const shared = { flags: ['shared-device'], address: '203.0.113.20', language: 'en', memberIds };
const banned = {
  flags: ['shared-device', 'banned-member'],
  address: '203.0.113.21',
  language: 'ko',
  memberIds,
};
await owner.rows(sql`update members.members set role = 'banned' where id = ${memberIds[1]}`);
for (const [email, hoursAgo, facts] of [
  ['late.person@example.org', 27, shared],
  ['soon.person@example.org', 20, banned],
  ['new.person@example.org', 2, shared],
  ['newer.person.whose.mailbox.is.named.longer.than.a.phone.is.wide@example.org', 1, banned],
] as const)
  await insert(email, hoursAgo, facts);

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

describe('the registrations that wait', () => {
  it('are in Korean first, the most overdue on top, and sound in both languages and sizes', async () => {
    await page.goto(`${panel}/registrations`);
    await page.getByRole('heading', { level: 1, name: '가입 검토' }).waitFor();
    await rows().first().getByText('기한 3시간 지남').waitFor();
    await isSound('registrations-ko');
    await page.setViewportSize({ width: 390, height: 900 });
    const cards = page.locator('main li').getByRole('button');
    await cards.nth(3).waitFor();
    assert.deepEqual(
      await cards.evaluateAll((found) => found.filter((card) => card.scrollWidth > card.clientWidth).length),
      0,
      'no card is cut off',
    );
    await page.setViewportSize({ width: 1440, height: 900 });
    await speak('en');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Registrations' }).waitFor();
    await rows().first().getByText('3 hours overdue').waitFor();
    assert.deepEqual(
      await rows().evaluateAll((found) =>
        found.map(({ textContent }) => /\w+\.person/.exec(textContent ?? '')?.[0]),
      ),
      ['late.person', 'soon.person', 'new.person', 'newer.person'],
    );
    await page
      .getByLabel('Totals')
      .locator('div')
      .filter({ hasText: /^Overdue1$/ })
      .waitFor();
    await isSound('registrations-en');
  });

  it('are counted in the rail and on the overview, which leads to them', async () => {
    await page.goto(panel);
    await page.getByRole('link', { name: /^Registrations\s*4$/ }).waitFor();
    const line = page.getByRole('listitem').filter({ hasText: 'promised an answer within 24 hours' });
    await line.getByText(/^Was due /).waitFor();
    await line.getByRole('link').press('Enter');
    await page.waitForURL(`${panel}/registrations`);
  });

  it('show why each waits and who used the device, and are rejected with a reason by keyboard alone', async () => {
    await page.goto(`${panel}/registrations`);
    await rows().first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await sheet().getByText('Three members or more use this device at this network address.').waitFor();
    await sheet()
      .getByRole('link', { name: /^Noah / })
      .waitFor();
    await sheet().getByRole('listitem').filter({ hasText: 'Theo' }).getByText('Banned').waitFor();
    await isSound('registration-sheet');
    // The sheet takes the focus again.
    await page.reload();
    await tabTo(sheet().getByRole('button', { name: 'Reject…' }));
    await page.keyboard.press('Enter');
    const reject = dialog().getByRole('button', { name: 'Reject the registration' });
    await tabTo(reject);
    await page.keyboard.press('Enter');
    await dialog().getByText('Reason is required').waitFor();
    assert.deepEqual(await violations(page), []);
    await tabTo(dialog().getByLabel('Reason'));
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
    await sheet().getByText('A banned member uses this device at this network address.').waitFor();
    await refuseCalls(page, '**/approve');
    const approve = sheet().getByRole('button', { name: 'Approve, next' });
    await tabTo(approve);
    await page.keyboard.press('Enter');
    await sheet().getByRole('alert').getByText('The registration was not approved. ').waitFor();
    await page.unroute('**/approve');
    complaints.splice(0);
    await sheet().getByLabel('Reason').fill('A family with one computer');
    await approve.click();
    await page.getByText('soon.person@example.org can register. A mail says so.').waitFor();
    await sheet().getByText('new.person@example.org', { exact: true }).waitFor();
    const [approved] = await read('registration-reviews?q=soon.person');
    assert.deepEqual([approved.status, approved.decisionReason], ['approved', 'A family with one computer']);
  });

  it('are approved together, and then nothing waits', async () => {
    await page.goto(`${panel}/registrations`);
    for (const index of [0, 1]) await rows().nth(index).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Approve 2…' }).click();
    await dialog().getByRole('button', { name: 'Approve 2', exact: true }).click();
    await dialog().getByText('2 approved').waitFor();
    await dialog().getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText('No registration waits').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.goto(`${panel}/registrations?status=all`);
    await rows().filter({ hasText: 'late.person' }).getByText('Rejected').waitFor();
    await rows().filter({ hasText: 'late.person' }).getByRole('button').click();
    await sheet().getByText('The same person as Theo').waitFor();
    await isSound('registration-decided');
  });

  it('are linked from the audit trail, and say that they did not load', async () => {
    const [act] = (await read('audit?action=registration.reject&limit=1')).data;
    await page.goto(`${panel}/audit?open=${act.id}`);
    await sheet().getByText('Registration rejected').first().waitFor();
    await sheet().locator(`a[href*="/registrations?"]`).first().click();
    await page.waitForURL((url) => url.pathname.endsWith('/registrations'));
    await sheet().getByText('late.person@example.org', { exact: true }).waitFor();
    await refuseCalls(page, '**/api/admin/registration-reviews?*');
    await page.goto(`${panel}/registrations`);
    await page.getByText('The registrations didn’t load').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    complaints.splice(0);
  });
});

it('leaves no error in the console', () => assert.deepEqual(complaints, []));
