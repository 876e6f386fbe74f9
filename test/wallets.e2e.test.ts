import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sandboxCompanies } from '../server/sandbox/companies.ts';
import { violations, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';

/** The site's accounts at PayPal and at the crypto provider, against the sandbox's simulated companies. */
const { site, panel, page, context, complaints } = await operatorPage({ after });
const { SCREENSHOTS: folder } = process.env;

async function look(name: string): Promise<void> {
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 1_000 });
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await violations(page), [], `${name} at ${width}, ${colorScheme}`);
    assert.equal(await widerThanWindow(page), 0, `${name} at ${width}`);
    if (folder)
      await page.screenshot({
        path: `${folder}/wallets-${name}-${width}-${colorScheme}.png`,
        fullPage: true,
      });
  }
  await page.setViewportSize({ width: 1440, height: 1_000 });
  await page.emulateMedia({ colorScheme: 'light' });
}

const field = (name: string) => page.getByLabel(name, { exact: true });
const account = (name: string) =>
  page.getByRole('region', { name: 'Wallet balances' }).getByRole('listitem').filter({ hasText: name });

describe('the wallet settings', () => {
  it('§2-2 wallet settings: open at their address, with both tabs and their texts, in both languages', async () => {
    await page.goto(`${site.origin}/wallet-settings`);
    await page.getByRole('heading', { level: 1, name: '지갑 설정' }).waitFor();
    await page.getByRole('link', { name: '암호화폐 결제 업체' }).click();
    await page.getByText(/0\.5%.*300개 이상/).waitFor();
    await page.getByText('설정 안 됨').first().waitFor();
    await look('korean');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByText('It charges a 0.5% fee and supports 300+ coins.', { exact: false }).waitFor();
    assert.equal(await page.getByLabel(/^Supported currencies/).inputValue(), 'btc, ltc, dash, eth, usdt');
    await page.getByRole('link', { name: 'PayPal business account' }).click();
    await account('PayPal').getByText('Not set up').waitFor();
    await account('Litecoin').getByText('Connected').waitFor({ timeout: 60_000 });
  });

  it('§2-5 companies: name each field that is missing, and refuse to save', async () => {
    await field('Client id').fill('x');
    await page.getByRole('button', { name: 'Save PayPal business account' }).click();
    await page.getByText('Client secret is required').waitFor();
    await page.getByText('Enter a valid e-mail address').waitFor();
    await look('invalid');
  });

  it('are filled in, tested and saved by keyboard, and show the secret only while it is typed', async () => {
    const { clientId, clientSecret } = sandboxCompanies.paypal;
    await field('Client id').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(clientId);
    await page.keyboard.press('Tab');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Tab');
    await page.keyboard.type('pay@example.com');
    assert.equal(await field('Client secret').getAttribute('type'), 'password');
    await page.getByRole('switch').press('Space');
    assert.equal(await field('Client secret').getAttribute('type'), 'text');
    await page.getByRole('button', { name: 'Test the connection' }).press('Enter');
    await page.getByText('PayPal refuses these credentials: clientId, clientSecret, environment.').waitFor();
    await field('Client secret').fill(clientSecret);
    await page.getByRole('button', { name: 'Test the connection' }).press('Enter');
    await page.getByText('The account holds 640.00 USD.').waitFor();
    await field('Client secret').press('Enter');
    await page.getByText('PayPal business account is saved').waitFor();
    assert.equal(await field('Client secret').inputValue(), '***encrypted***');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Wallet settings' }).waitFor();
    assert.equal(await field('Client secret').inputValue(), '***encrypted***');
  });

  it('say connected after the site has asked, and not before', async () => {
    type Reading = { status: string; lastUpdated: string | null };
    const read = async (): Promise<Reading> =>
      (await (await context.request.get(`${site.origin}/api/admin/wallet/balances`)).json()).paypal;
    const endMs = Date.now() + 120_000;
    for (let reading = await read(); reading.status !== 'connected'; reading = await read()) {
      assert.equal(reading.lastUpdated, null);
      assert.ok(Date.now() < endMs, 'the account is not asked once a minute');
      await page.waitForTimeout(1_000);
    }
    await page.reload();
    await account('PayPal').getByText('Connected', { exact: true }).waitFor();
    await account('PayPal').getByText('640 USD').waitFor();
    await look('connected');
  });

  it('§2-8 companies: tell to check the key when the crypto provider’s settings are not saved', async () => {
    await page.goto(`${panel}/wallets?tab=crypto`);
    await field('API key').fill('key');
    await field('IPN secret').fill('ipn');
    await page.getByLabel(/^Supported currencies/).fill('l t c');
    await page.getByRole('button', { name: 'Save Crypto payment provider' }).click();
    await page.getByText('Check the API key and the settings again.').waitFor();
    await page.getByText('Must be a currency such as ltc').waitFor();
    await look('refused');
    assert.deepEqual(
      complaints.filter((text) => !/400|WebSocket is closed before/.test(text)),
      [],
    );
  });
});
