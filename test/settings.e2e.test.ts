import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { sql } from '#platform/database.ts';
import { openConnected, openPage, violations, visit, wrongField } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { signIn } from './sign-in.ts';

/**
 * The settings in the browser: payment methods and providers, each with its test, and those of the site. Of these,
 * members, visitors and mails have the brand without a restart.
 */
const { site, panel, browser, page, complaints } = await operatorPage(
  { after },
  { language: 'en', viewport: { width: 1440, height: 1000 } },
);

const address = `${panel}/config`;
const sheet = () => page.getByRole('complementary');
/** Goes to a tab of the settings from another one, so that nothing is left of an edit. */
async function open(search: string): Promise<void> {
  await visit(page, address);
  await page.getByRole('button', { name: 'KiwiWall' }).waitFor();
  await visit(page, address + search);
}
const speak = (language: string) =>
  page.evaluate((chosen) => localStorage.setItem('operatorLanguage', chosen), language);
const change = (path: string, data: object) =>
  page.request.put(`${site.origin}/api/admin/${path}`, { headers: { origin: site.origin }, data });
const readMethods = async () => (await page.request.get(`${site.origin}/api/admin/payment-methods`)).json();
const newestAct = async () => {
  const answer = await page.request.get(`${site.origin}/api/admin/audit?limit=1`);
  const { data } = (await answer.json()) as { data: { action: string; target: string; after: object }[] };
  return data[0];
};

describe('the settings of a payment method', () => {
  it('§2-2 system settings: are tested before they are saved, and the test names a wrong password', async () => {
    await page.goto(`${address}?tab=payments`);
    await page.getByRole('button', { name: 'Litecoin' }).click();
    const password = sheet().getByLabel('Password');
    assert.equal(await password.inputValue(), '***encrypted***');
    await sheet().getByRole('button', { name: 'Test the connection' }).click();
    await sheet().getByText('Everything works').waitFor();
    await sheet().getByText('It is in sync, at block ', { exact: false }).waitFor();
    await password.focus();
    await page.keyboard.type('not the password');
    assert.equal(await password.inputValue(), 'not the password');
    const button = sheet().getByRole('button', { name: 'Test the connection' });
    await button.click();
    const refused = 'The node refused the RPC user or password.';
    await sheet().getByRole('listitem').getByText(refused).waitFor();
    await button.locator('xpath=ancestor::div[2]').getByText(refused).waitFor();
    await sheet().getByText('Something is wrong').waitFor();
    assert.deepEqual(await violations(page, { part: 'aside' }), []);
    assert.doesNotMatch(JSON.stringify(await readMethods()), /not the password/);
  });

  it('say before the press that another port needs the secrets again', async () => {
    const stored = await readMethods();
    await open('?tab=payments&open=litecoin');
    await sheet().getByLabel('Port').fill('1');
    await sheet()
      .getByText(/^The host or the port is another one\. Type these in again: User, Password\./)
      .waitFor();
    const press = sheet().getByRole('button', { name: 'Test the connection' });
    assert.equal(await press.isDisabled(), true);
    assert.equal(await sheet().getByRole('button', { name: 'Save Litecoin' }).isDisabled(), true);
    await sheet().getByLabel('User').fill('user');
    await sheet()
      .getByText(/Type these in again: Password\./)
      .waitFor();
    await sheet().getByLabel('Password').fill('word');
    await press.click();
    await sheet().getByRole('listitem').getByText('The node is not reachable.').waitFor();
    assert.deepEqual(await readMethods(), stored);
    assert.deepEqual(complaints, []);
  });

  it('are saved field by field by keyboard, with one act, and the secret stays', async () => {
    await open('?tab=payments&open=litecoin');
    await sheet().getByLabel('Minimum (points)').fill('2,000');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Litecoin is saved.' }).waitFor();
    const act = await newestAct();
    assert.deepEqual([act?.action, act?.target], ['payment-method.change', 'litecoin']);
    assert.deepEqual(act?.after, { minimumAmount: 2_000 });
    await sheet().getByRole('button', { name: 'Test the connection' }).click();
    await sheet().getByText('Everything works').waitFor();
    await sheet().getByLabel('Maximum (points)').fill('many');
    await page.keyboard.press('Enter');
    await sheet().getByText('Must be a whole number').waitFor();
    await sheet().getByLabel('Maximum (points)').fill('1500');
    await page.keyboard.press('Enter');
    await sheet().getByText('Must be 0 or at least 2000').waitFor();
    await sheet()
      .getByText(/^Failed to update payment method\./)
      .waitFor();
    complaints.splice(0);
  });

  it('§2-8 system settings: are not overwritten by an operator who saw others', async () => {
    await open('?tab=payments&open=dash');
    await sheet().getByLabel('Fee (points)').fill('7');
    assert.equal(
      (await change('payment-methods/dash', { settings: { minimumAmount: 3_000 } })).status(),
      200,
    );
    await sheet().getByRole('button', { name: 'Save Dash' }).click();
    await sheet()
      .getByText(/Another operator changed these settings meanwhile/)
      .waitFor();
    complaints.splice(0);
    await sheet().getByRole('button', { name: 'Drop my changes and show what is stored' }).click();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('input')].some(({ value }) => value === '3,000'),
    );
    await sheet().getByLabel('Fee (points)').fill('7');
    await sheet().getByRole('button', { name: 'Save Dash' }).click();
    await page.getByRole('status').filter({ hasText: 'Dash is saved.' }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it('say that a method has no account', async () => {
    await open('?tab=payments&open=paypal');
    await sheet()
      .getByText('This method has no account that can be set here, so no request can be approved.')
      .waitFor();
  });
});

describe('the settings of a provider', () => {
  it('have the address to copy, explain signature and policy, and are tested', async () => {
    await visit(page, address);
    await page.getByRole('button', { name: 'KiwiWall' }).click();
    assert.equal(
      await sheet().getByLabel('Secret', { exact: false }).first().inputValue(),
      '***encrypted***',
    );
    const shown = await sheet().locator('code').innerText();
    assert.match(shown, /\/api\/webhooks\/postback\/kiwiwall\?status=\{status\}&/);
    await sheet().getByRole('button', { name: 'Copy the postback address' }).waitFor();
    await sheet()
      .getByText(/^Transaction: anybody who sees a signed call could give it another number/)
      .waitFor();
    await sheet().getByText('Refuse', { exact: true }).click();
    await sheet()
      .getByText(/^They are refused and stored as evidence\./)
      .waitFor();
    await sheet().getByRole('button', { name: 'Test the connection' }).click();
    await sheet().getByText('The wall answers.').waitFor();

    await sheet()
      .getByLabel(/^Known addresses/)
      .fill('no address');
    await sheet().getByRole('button', { name: 'Save KiwiWall' }).click();
    await sheet().getByText('no: Must be an address or a CIDR range').waitFor();
    await sheet()
      .getByText(/^Failed to update provider\./)
      .waitFor();
    complaints.splice(0);
    await sheet()
      .getByLabel(/^Known addresses/)
      .fill('192.0.2.7, 198.51.100.0/24');
    await sheet().getByRole('button', { name: 'Save KiwiWall' }).click();
    await page.getByRole('status').filter({ hasText: 'KiwiWall is saved.' }).waitFor();
    const act = await newestAct();
    assert.deepEqual(act?.after, {
      sourceAddresses: ['192.0.2.7', '198.51.100.0/24'],
      sourcePolicy: 'refuse',
    });
    assert.deepEqual(complaints, []);
  });
});

const logoFile = fileURLToPath(new URL('../web/public/icons/icon-192.png', import.meta.url));
const preview = page.getByRole('complementary', { name: 'Preview' });
const save = page.getByRole('button', { name: /^Save/ });
const tokenOf = (of: Page, name: string) =>
  of.evaluate((token) => getComputedStyle(document.documentElement).getPropertyValue(token), `--e-${name}`);
const member = await openPage(browser);
const savedNow = () =>
  page.getByRole('status').filter({ hasText: 'The settings of the site are saved.' }).waitFor();

describe('the brand', () => {
  it('has its contrast beside the colour, and a colour that can’t be read is not saved', async () => {
    await open('?tab=site');
    const color = page.getByRole('textbox', { name: 'Main colour, light' });
    await color.fill('#E07A2F');
    const row = (name: string) => page.getByRole('row', { name });
    await row('Text on the button').getByText('2.95').waitFor();
    await row('Coin on the cover').getByText('1.55').waitFor();
    assert.equal(await save.isDisabled(), true);
    await preview.getByText('With #E07A2F, as typed. It is not saved like this.').waitFor();
    const use = page.getByRole('button', { name: 'Use it' });
    await use.focus();
    await page.keyboard.press('Enter');
    assert.match(await color.inputValue(), /^#[0-9A-F]{6}$/);
    assert.equal(await use.count(), 0);
    assert.equal(await save.isDisabled(), false);
    await page.getByRole('button', { name: 'Discard' }).click();
    assert.equal(await color.inputValue(), '');
    assert.deepEqual(complaints, []);
  });

  it('refuses a file that is no logo, at its field', async () => {
    const file = page.getByLabel('File of the logo');
    await file.setInputFiles(logoFile.replace('icon-192', 'share'));
    await page
      .getByRole('alert')
      .getByText(/^The image must be square/)
      .waitFor();
    await file.setInputFiles(logoFile.replace('icons/icon-192.png', 'icon.svg'));
    await page.getByRole('alert').getByText('This is no PNG, JPEG or WebP image.').waitFor();
    await file.setInputFiles(logoFile);
    await page.waitForFunction(() => document.querySelector('[role=alert]') === null);
    assert.deepEqual(complaints, []);
  });

  it('changes by one act on open pages of members', async () => {
    await signIn(member.context, site, site.member);
    await openConnected(member.page, () => member.page.goto(`${site.origin}/`));
    await member.page.getByRole('banner').getByText('Earnest').waitFor();

    await page.getByRole('textbox', { name: 'Support address' }).fill('help@farthing.example');
    await page.getByRole('textbox', { name: 'Main colour, light' }).fill('#5b2a86');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Farthing & Co');
    await preview.getByRole('row', { name: 'Logo none new file' }).waitFor();
    assert.equal(await save.textContent(), 'Save 4 changes');
    await page.keyboard.press('Enter');
    await savedNow();
    const act = await newestAct();
    assert.equal(act?.action, 'site.change');
    assert.deepEqual(Object.keys(act?.after ?? {}), ['brand']);

    await member.page.getByRole('banner').getByText('Farthing & Co').waitFor();
    await member.page.waitForFunction(() => document.title.endsWith('Farthing & Co'));
    assert.equal(await tokenOf(member.page, 'green'), '#5B2A86');
    const logo = member.page.getByRole('banner').locator('img[src^="/brand/"]');
    assert.equal(
      await logo.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
      192,
    );
    await member.page.emulateMedia({ colorScheme: 'dark' });
    await member.page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === 'dark');
    assert.ok(!['#8fcdaa', '#5b2a86'].includes((await tokenOf(member.page, 'green')).toLowerCase()));
    assert.deepEqual(await violations(member.page), []);
    assert.deepEqual(member.complaints, []);
  });

  it('is on what visitors read, without a complaint of the content policy', async () => {
    const viewport = { width: 390, height: 844 };
    const visitor = await openPage(browser, { colorScheme: 'dark', viewport, locale: 'ko-KR' });
    for (const path of ['/', '/terms', '/auth']) {
      await visitor.page.goto(`${site.origin}${path}?lang=ko`);
      await visitor.page.getByText('Farthing & Co').first().waitFor();
      assert.match(await visitor.page.title(), /Farthing & Co/, path);
      assert.notEqual((await tokenOf(visitor.page, 'green-text')).toLowerCase(), '#0f4d37', path);
      assert.equal((await visitor.page.locator('img[src^="/brand/"]').count()) > 0, true, path);
      const icon = visitor.page.locator('link[rel="icon"]');
      assert.match((await icon.getAttribute('href')) ?? '', /^\/brand\/[0-9a-f]{32}-192\.png$/);
      if (path === '/terms') await visitor.page.getByText('help@farthing.example').first().waitFor();
    }
    assert.deepEqual(visitor.complaints, []);
    await visitor.context.close();
    const notice = await (await page.request.get(`${site.origin}/offline?lang=ko`)).text();
    assert.match(notice, /Farthing &amp; Co/);
    const manifest = await (await page.request.get(`${site.origin}/manifest.webmanifest`)).json();
    assert.equal(manifest.name, 'Farthing & Co');
    assert.deepEqual(
      manifest.icons.map(({ sizes, type }: Record<string, string>) => [sizes, type]),
      [['192x192', 'image/png']],
    );
    const documentation = await (await page.request.get(`${site.origin}/api/openapi.json`)).json();
    assert.equal(documentation.info.title, 'Farthing & Co API');
  });

  it('is in the mails that are sent from now on', async () => {
    const { email } = site.member;
    const headers = { origin: site.origin };
    const asked = await page.request.post(`${site.origin}/api/auth/forgot-password`, {
      headers,
      data: { email },
    });
    assert.equal(asked.ok(), true);
    const find = async () => {
      const outbox = await page.request.get(`${site.origin}/sandbox/outbox`);
      const mails: Record<string, string>[] = await outbox.json();
      return mails.find(({ to, subject }) => to === email && subject?.includes('Farthing & Co'));
    };
    let mail = await find();
    for (let tries = 0; tries < 300 && mail === undefined; tries += 1) {
      await page.waitForTimeout(200);
      mail = await find();
    }
    assert.ok(mail !== undefined, 'no mail with the name came');
    assert.ok(mail.text?.endsWith('Farthing & Co\nhelp@farthing.example'), mail.text);
  });
});

describe('the settings of the site', () => {
  it('are changed field by field, with one act, and an empty cap is none', async () => {
    await open('?tab=site');
    await page.getByLabel('Daily limit per member (points)').fill('90,000');
    await page.getByLabel('A rate may move in an hour by at most (%)').fill('20');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'The settings of the site are saved.' }).waitFor();
    const act = await newestAct();
    assert.equal(act?.action, 'site.change');
    const read = async () => (await page.request.get(`${site.origin}/api/admin/site`)).json();
    const saved = (await read()) as { caps: object; rateBounds: object };
    assert.deepEqual(saved.caps, { memberDay: '90000', methodDay: null, secondPersonFrom: null });
    assert.deepEqual(saved.rateBounds, { differencePercent: 2, jumpPercent: 20 });
    await page.getByLabel('Daily limit per member (points)').fill('');
    await page.getByLabel('Undo window (seconds)').fill('soon');
    await page.getByRole('button', { name: /^Save \d+ changes?$/ }).click();
    await page
      .getByRole('alert')
      .getByText(/^The settings were not saved\./)
      .waitFor();
    complaints.splice(0);
    await page.getByLabel('Undo window (seconds)').fill('5');
    await page.getByRole('button', { name: /^Save \d+ changes?$/ }).click();
    await page.waitForFunction(() => document.querySelector('[role=alert]') === null);
    assert.deepEqual(complaints, []);
  });

  it('have the daily bonus, a day a field, in Korean on a phone, and members see it on their open page', async () => {
    await speak('ko');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${address}?tab=site`);
    const card = page.getByRole('region', { name: '출석 보너스' });
    await card.getByRole('textbox', { name: '7일째' }).fill('1.5');
    await page.getByRole('button', { name: '변경 1건 저장' }).click();
    await card.getByText(/^7일째: /).waitFor();
    await wrongField(page, 'Invalid amount');
    complaints.splice(0);
    await card.getByRole('textbox', { name: '7일째' }).fill('77');
    await card.getByRole('button', { name: '하루 추가' }).press('Enter');
    await card.getByRole('textbox', { name: '8일째' }).fill('88');
    await card.getByText(/일주일을 채우면 회원 한 명당 182/).waitFor();
    await card.getByRole('textbox', { name: '8일째' }).press('Enter');
    await page.getByRole('status').filter({ hasText: '사이트 설정을 저장했습니다.' }).waitFor();
    const bonusSchedule = ['5', '10', '15', '20', '25', '30', '77', '88'];
    assert.deepEqual((await newestAct())?.after, { bonusSchedule });
    await member.page
      .getByText(/\b77\b/)
      .first()
      .waitFor();
    const textAt = async (path: string) => (await fetch(`${site.origin}${path}`)).text();
    assert.ok((await textAt('/?lang=en')).includes('5 to 88 P a day'));
    assert.ok((await textAt('/faq?lang=en')).includes('5, 10, 15, 20, 25, 30, 77 and 88 points'));
    assert.ok((await textAt('/faq?lang=ko')).includes('5, 10, 15, 20, 25, 30, 77, 88포인트'));
    assert.deepEqual(member.complaints, []);
    assert.deepEqual(complaints, []);
    await member.context.close();
    await page.setViewportSize({ width: 1440, height: 1000 });
  });

  it('wait for another operator where a bound is loosened', async () => {
    const caps = { memberDay: '80000', secondPersonFrom: '1000' };
    assert.equal((await change('site', { caps })).status(), 200);
    await speak('en');
    await page.goto(`${address}?tab=site`);
    await page.getByRole('textbox', { name: /^Daily limit per member/ }).fill('');
    await page.getByRole('button', { name: /^Save \d+ changes?$/ }).click();
    await page.getByRole('status').filter({ hasText: 'waits for another operator' }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: /^Daily limit per member/ }).inputValue(), '80,000');
    const waiting = page.getByRole('region', { name: 'Waits for another operator' });
    const own = waiting.getByRole('listitem', { name: /^Daily limit per member/ });
    await own.getByText('80,000 → none').waitFor();
    assert.equal(await own.getByRole('button', { name: 'Confirm' }).count(), 0);
    assert.deepEqual(await violations(page), []);
    await own.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('status').filter({ hasText: 'is withdrawn.' }).waitFor();
    await waiting.waitFor({ state: 'detached' });

    await site.owner.rows(sql`update members.members set role = 'admin' where email = ${site.member.email}`);
    const others = await browser.newContext();
    await signIn(others, site, site.member);
    const data = { caps: { secondPersonFrom: '5000' }, payoutDelaySeconds: 0 };
    const headers = { origin: site.origin };
    const asked = await others.request.put(`${site.origin}/api/admin/site`, { headers, data });
    assert.equal(asked.status(), 200);
    await others.close();
    await visit(page, panel);
    await page.getByRole('link', { name: /^Site settings/ }).click();
    const sum = waiting.getByRole('listitem', { name: /^Needs a second approval/ });
    await sum.getByText(/^Asked by /).waitFor();
    await sum.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('“Needs a second approval from (points)” is changed.').first().waitFor();
    await sum.waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('textbox', { name: /^Needs a second approval/ }).inputValue(), '5,000');
    assert.equal((await newestAct())?.action, 'site.confirm');
    assert.deepEqual(complaints, []);
  });
});
