import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openConnected, openPage, violations, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { signIn } from './sign-in.ts';

/** The brand of the site: an operator changes it, and members, visitors and mails have it without a restart. */
const { site, panel, browser, page, context, complaints } = await operatorPage(
  { after },
  { language: 'en', viewport: { width: 1440, height: 1000 } },
);

const address = `${panel}/config?tab=site`;
const logoFile = fileURLToPath(new URL('../web/public/icons/icon-192.png', import.meta.url));
const preview = page.getByRole('complementary', { name: 'Preview' });
const save = page.getByRole('button', { name: /^Save/ });
const tokenOf = (of: Page, name: string) =>
  of.evaluate((token) => getComputedStyle(document.documentElement).getPropertyValue(token), `--e-${name}`);
const savedNow = () =>
  page.getByRole('status').filter({ hasText: 'The settings of the site are saved.' }).waitFor();
const newestActs = async (count: number) => {
  const answer = await page.request.get(`${site.origin}/api/admin/audit?limit=${count}`);
  const { data } = (await answer.json()) as { data: { action: string; after: Record<string, unknown> }[] };
  return data;
};

describe('the brand', () => {
  it('has its contrast beside the colour, and a colour that can’t be read is not saved', async () => {
    await page.goto(address);
    const color = page.getByRole('textbox', { name: 'Main colour, light' });
    await color.fill('#E07A2F');
    const row = (name: string) => page.getByRole('row', { name });
    await row('Text on the button').getByText('2.95').waitFor();
    await row('Coin on the cover').getByText('1.55').waitFor();
    assert.equal(await save.isDisabled(), true);
    await preview.getByText('With #E07A2F, as typed. It is not saved like this.').waitFor();
    assert.deepEqual(await violations(page), []);
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

  it('changes by one act on open pages of members, the front page, documents, icons and mails', async () => {
    const member = await openPage(browser);
    await signIn(member.context, site, site.member);
    await openConnected(member.page, () => member.page.goto(`${site.origin}/`));
    await member.page.getByRole('banner').getByText('Earnest').waitFor();

    await page.getByRole('textbox', { name: 'Support address' }).fill('help@farthing.example');
    await page.getByRole('textbox', { name: 'Main colour, light' }).fill('#5b2a86');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Farthing & Co');
    await preview.getByRole('row', { name: 'Logo none new file' }).waitFor();
    assert.equal(await save.textContent(), 'Save 4 changes');
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize({ width: 390, height: 844 });
    const main = page.getByRole('main');
    assert.equal(await main.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0);
    await page.setViewportSize({ width: 1440, height: 1000 });
    await page.keyboard.press('Enter');
    await savedNow();
    const [act] = await newestActs(1);
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
    assert.deepEqual(await violations(member.page), []);
    await member.page.reload();
    await member.page.getByRole('banner').getByText('Farthing & Co').waitFor();
    assert.equal(await tokenOf(member.page, 'green'), '#5B2A86');
    await member.page.emulateMedia({ colorScheme: 'dark' });
    await member.page.reload();
    await member.page.getByRole('banner').getByText('Farthing & Co').waitFor();
    assert.notEqual(await tokenOf(member.page, 'green'), '#8fcdaa');
    assert.deepEqual(await violations(member.page), []);
    assert.deepEqual(member.complaints, []);
    await member.context.close();
  });

  it('is on what visitors read, in both languages, without a complaint of the content policy', async () => {
    for (const [language, colorScheme] of [
      ['en', 'light'],
      ['ko', 'dark'],
    ] as const) {
      const viewport = { width: language === 'ko' ? 390 : 1440, height: 900 };
      const visitor = await openPage(browser, { colorScheme, viewport });
      for (const path of ['/', '/terms', '/offline', '/auth']) {
        await visitor.page.goto(`${site.origin}${path}?lang=${language}`);
        const shown = visitor.page.getByText('Farthing & Co').first();
        await shown.waitFor();
        assert.match(await visitor.page.title(), /Farthing & Co/, path);
        assert.notEqual((await tokenOf(visitor.page, 'green-text')).toLowerCase(), '#0f4d37', path);
        assert.equal((await visitor.page.locator('img[src^="/brand/"]').count()) > 0, true, path);
        const icon = visitor.page.locator('link[rel="icon"]');
        assert.match((await icon.getAttribute('href')) ?? '', /^\/brand\/[0-9a-f]{32}-192\.png$/);
        assert.deepEqual(await violations(visitor.page), [], path);
      }
      await visitor.page.goto(`${site.origin}/terms?lang=${language}`);
      await visitor.page.getByText('help@farthing.example').first().waitFor();
      assert.deepEqual(visitor.complaints, []);
      await visitor.context.close();
    }
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
      const mails = (await (await page.request.get(`${site.origin}/sandbox/outbox`)).json()) as {
        to: string;
        subject: string;
        text: string;
      }[];
      return mails.find(({ to, subject }) => to === email && subject.includes('Farthing & Co'));
    };
    let mail = await find();
    for (let tries = 0; tries < 600 && mail === undefined; tries += 1) {
      await page.waitForTimeout(100);
      mail = await find();
    }
    assert.ok(mail !== undefined, 'no mail with the name came');
    assert.ok(mail.text.endsWith('Farthing & Co\nhelp@farthing.example'), mail.text);
  });
});

describe('the daily bonus', () => {
  it('is edited a day a field, in Korean on a phone, and members see it on their open page', async () => {
    const member = await openPage(browser);
    await signIn(member.context, site, site.member);
    await openConnected(member.page, () => member.page.goto(`${site.origin}/`));
    await context.addInitScript(() => localStorage.setItem('operatorLanguage', 'ko'));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(address);
    const card = page.getByRole('region', { name: '출석 보너스' });
    await card.getByRole('textbox', { name: '7일째' }).fill('1.5');
    await page.getByRole('button', { name: '변경 1건 저장' }).click();
    await card
      .getByRole('alert')
      .getByText(/^7일째: /)
      .waitFor();
    complaints.splice(0);
    await card.getByRole('textbox', { name: '7일째' }).fill('77');
    await card.getByRole('button', { name: '하루 추가' }).press('Enter');
    await card.getByRole('textbox', { name: '8일째' }).fill('88');
    await card.getByText(/일주일을 채우면 회원 한 명당 182/).waitFor();
    assert.equal(await widerThanWindow(page), 0);
    const main = page.getByRole('main');
    assert.equal(await main.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0);
    assert.deepEqual(await violations(page), []);
    await card.getByRole('textbox', { name: '8일째' }).press('Enter');
    await page.getByRole('status').filter({ hasText: '사이트 설정을 저장했습니다.' }).waitFor();
    const bonusSchedule = ['5', '10', '15', '20', '25', '30', '77', '88'];
    assert.deepEqual((await newestActs(1))[0]?.after, { bonusSchedule });
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
  });
});
