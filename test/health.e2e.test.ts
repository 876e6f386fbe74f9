import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { readSettings } from '#platform/settings.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { buildWebIfStale } from '../web/build/build.ts';
import { openBrowser, violations } from './browser.ts';
import { openAs } from './open-as.ts';
import { testSite } from './site.ts';

/** What is not well, as operators see it in Chromium, and what they can do about it there. */
await buildWebIfStale();
const site = await testSite({ after });
const browser = await openBrowser({ after });
const operator = await site.member({ role: 'admin' });
const { health } = site.platform;

for (const { name, width, colorScheme, language } of [
  { name: 'a desk', width: 1440, colorScheme: 'light', language: 'en' },
  { name: 'a phone in the dark', width: 390, colorScheme: 'dark', language: 'ko' },
] as const)
  it(`tells operators on ${name} what is not well, and nothing while all is well`, async () => {
    const words = {
      en: { health: /^Not well/, menu: 'Menu', failed: 'The last turn failed:' },
      ko: { health: /^시스템 이상/, menu: '메뉴', failed: '마지막 실행에 실패했습니다:' },
    }[language];
    health.report('redis', 'Redis does not answer.');
    health.report('sweep-payouts', 'The last turn failed: the wallet is locked.');
    const { page, context, complaints } = await openAs(browser, site, operator, '/auth', {
      viewport: { width, height: 844 },
      colorScheme,
    });
    await page.evaluate((chosen) => localStorage.setItem('operatorLanguage', chosen), language);
    await page.goto(`${site.origin}/management-panel-x7k9w`);
    // On a phone the sign is in the bar, so that nobody has to open the menu to see it.
    const item = page.getByRole('button', { name: words.health });
    await item.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog').filter({ hasText: 'sweep-payouts' });
    await dialog.getByText('Redis does not answer.').waitFor();
    await dialog.getByText(language === 'en' ? 'Work on payouts' : '지급 처리').waitFor();
    // Our own sentence is in the language of the screen, and the words of a node are as they came.
    await dialog.getByText(`${words.failed} the wallet is locked.`).waitFor();
    assert.equal(await dialog.getByText('the wallet is locked.', { exact: true }).getAttribute('lang'), 'en');
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    for (const part of ['redis', 'sweep-payouts'] as const) health.report(part, undefined);
    await page.reload();
    if (width < 700) await page.getByRole('button', { name: words.menu }).click();
    await page.getByRole('navigation').last().waitFor();
    assert.equal(await item.count(), 0);
    assert.deepEqual(complaints, []);
    await context.close();
  });

it('ends a pause of payouts, and leads to the screen of each part', async () => {
  const { database, config } = site.platform;
  await changeSettings(database, config.mode, { payoutsPaused: true }, operator.id, 'The wallet is moved');
  health.report('payouts-paused', 'Payouts are paused by an operator.', { isByChoice: true });
  health.report('audit', 'The books differ.');
  health.report('redis', 'Redis does not answer.');
  const { page, context, complaints } = await openAs(browser, site, operator, '/auth', {
    viewport: { width: 390, height: 844 },
  });
  await page.evaluate(() => localStorage.setItem('operatorLanguage', 'en'));
  await page.goto(`${site.origin}/management-panel-x7k9w`);
  const item = page.getByRole('button', { name: /^Not well/ });
  await item.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/: The wallet is moved$/).waitFor();
  await dialog.getByRole('heading', { name: 'Paused by an operator' }).waitFor();
  assert.equal(await dialog.getByRole('link').count(), 2, 'Redis is mended outside the site');
  await dialog.getByRole('link', { name: 'Open Payouts' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole('button', { name: 'Resume payouts…' }).click();
  const asked = page.getByRole('dialog', { name: 'Resume payouts?' });
  await asked.getByLabel('Reason').fill('It is moved');
  assert.deepEqual(await violations(page), []);
  await asked.getByRole('button', { name: 'Resume payouts' }).click();
  await page.getByText('Payouts are resumed.').waitFor();
  await asked.waitFor({ state: 'detached' });
  assert.equal((await readSettings(database, config.mode)).payoutsPaused, false);
  await item.click();
  await dialog.getByRole('link', { name: 'Open Books' }).click();
  await page.waitForURL('**/management-panel-x7k9w/books');
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(complaints, []);
  await context.close();
});

it('tells operators of a pause apart from what is not well', async () => {
  const { database, config } = site.platform;
  for (const part of ['audit', 'redis'] as const) health.report(part, undefined);
  await changeSettings(database, config.mode, { payoutsPaused: true }, operator.id, 'The wallet is moved');
  health.report('payouts-paused', 'Payouts are paused by an operator.', { isByChoice: true });
  for (const width of [1440, 390]) {
    const { page, context, complaints } = await openAs(browser, site, operator, '/auth', {
      viewport: { width, height: 844 },
    });
    await page.evaluate(() => localStorage.setItem('operatorLanguage', 'en'));
    await page.goto(`${site.origin}/management-panel-x7k9w`);
    await page.getByRole('link', { name: 'Payouts are paused' }).waitFor();
    await page.getByRole('button', { name: 'Payouts paused' }).click();
    assert.equal(await page.getByRole('button', { name: /^Not well/ }).count(), 0);
    const dialog = page.getByRole('dialog', { name: 'Paused by an operator' });
    await dialog.getByText(/: The wallet is moved$/).waitFor();
    await dialog.getByRole('button', { name: 'Resume payouts…' }).waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(complaints, []);
    await context.close();
  }
  await changeSettings(database, config.mode, { payoutsPaused: false });
  health.report('payouts-paused', undefined);
});
