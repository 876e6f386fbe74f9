import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser, openPage, violations } from './browser.ts';
import { testDatabase } from './database.ts';
import { freePort } from './free-port.ts';

/**
 * The captcha's widget in live mode. The test replaces hCaptcha: its script draws a button instead of pictures, and its
 * server accepts one token once.
 */
const publicUrl = 'https://rewards.example';
const port = await freePort();
const GOOD_TOKEN = 'a-token-of-somebody-who-is-there';

const asked: URLSearchParams[] = [];
const verifier = createServer((request, response) => {
  let body = '';
  request.on('data', (piece) => {
    body += piece;
  });
  request.on('end', () => {
    const form = new URLSearchParams(body);
    asked.push(form);
    const success = form.get('response') === GOOD_TOKEN && asked.length > 1;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ success }));
  });
});
verifier.listen(0, '127.0.0.1');
await once(verifier, 'listening');
after(() => verifier.close());

/** The widget as documented: it calls the functions that the site passes to `render`. */
const widget = `
  let token = '';
  window.hcaptcha = {
    render(container, options) {
      window.widgets = (window.widgets ?? 0) + 1;
      window.captcha = {
        sitekey: options.sitekey, theme: options.theme, hl: options.hl,
        pass: () => { token = '${GOOD_TOKEN}'; options.callback(token); },
        expire: () => { token = ''; options['expired-callback'](); },
        fail: () => { token = ''; options['error-callback']('network-error'); },
        expireChallenge: () => { token = ''; options['chalexpired-callback'](); },
      };
      return 'widget-' + window.widgets;
    },
    reset() { token = ''; }, getResponse: () => token, getRespKey: () => '',
    remove() {}, execute() {}, setData() {},
  };
  const asked = new URL(document.currentScript.src).searchParams.get('onload');
  if (asked !== null) window[asked]?.();
`;

async function startLive(): Promise<void> {
  const { appUrl, ownerUrl } = await testDatabase({ after });
  const dataDir = mkdtempSync(join(tmpdir(), 'earnest-captcha-'));
  const child: ChildProcess = spawn(process.execPath, ['server/start.ts'], {
    cwd: resolve(import.meta.dirname, '..'),
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      MODE: 'live',
      PORT: String(port),
      PUBLIC_URL: publicUrl,
      DATA_DIR: dataDir,
      DATABASE_URL: appUrl,
      DATABASE_OWNER_URL: ownerUrl,
      APP_SECRET: randomBytes(32).toString('base64'),
      HCAPTCHA_SITEKEY: '7b3c1f0e-5a0d-4f0b-9f0e-2f6f3a1c9d11',
      HCAPTCHA_SECRET: 'ES_a_secret_of_our_own',
      HCAPTCHA_VERIFY_URL: `http://127.0.0.1:${(verifier.address() as AddressInfo).port}/siteverify`,
      SMTP_URL: 'smtp://127.0.0.1:9',
      TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000001',
      TWILIO_AUTH_TOKEN: 'a-token-of-our-own',
      TWILIO_VERIFY_SERVICE_SID: 'VA00000000000000000000000000000001',
      TRUSTED_PROXIES: 'none',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  after(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  });
  let said = '';
  for await (const piece of child.stdout ?? []) {
    said += String(piece);
    if (said.includes('Address: ')) return;
  }
  throw new Error(`The site did not start: ${said}`);
}
await startLive();
const browser = await openBrowser({ after });

/** Answers in place of the HTTPS proxy and of hCaptcha's hosts. */
async function routeWires(page: Page): Promise<void> {
  await page.route(`${publicUrl}/**`, async (route) => {
    const url = route.request().url().replace(publicUrl, `http://127.0.0.1:${port}`);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await page.route('https://js.hcaptcha.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: widget }),
  );
}

type Captcha = Record<'pass' | 'expire' | 'fail' | 'expireChallenge', () => void>;
const happens = (page: Page, what: keyof Captcha) =>
  page.evaluate((name) => (window as unknown as { captcha: Captcha }).captcha[name](), what);
const widgets = (page: Page) =>
  page.evaluate(() => (window as unknown as { widgets: number | undefined }).widgets ?? 0);

for (const { language, locale, register, firstName, texts } of [
  {
    language: 'en',
    locale: 'en-US',
    register: 'Create account',
    firstName: 'First name',
    texts: {
      missing: 'Please complete the captcha verification',
      failed: 'Captcha verification failed. Please try again.',
      expired: 'Captcha verification expired. Please verify again.',
    },
  },
  {
    language: 'ko',
    locale: 'ko-KR',
    register: '가입하기',
    firstName: '이름',
    texts: {
      missing: '보안 확인을 해 주세요',
      failed: '보안 확인에 실패했습니다. 다시 시도해 주세요.',
      expired: '보안 확인 시간이 지났습니다. 다시 확인해 주세요.',
    },
  },
])
  it(`§1-4 captcha: shows in ${language} that the captcha failed or expired, and drops its token`, async () => {
    asked.length = 0;
    const { page, context } = await openPage(browser, { locale });
    await routeWires(page);
    await page.goto(`${publicUrl}/auth?tab=register`);
    await page.waitForFunction(() => 'captcha' in window);
    const known = await page.evaluate(() => {
      const { sitekey, hl } = (window as unknown as { captcha: { sitekey: string; hl?: string } }).captcha;
      return { sitekey, hl };
    });
    assert.equal(known.sitekey, '7b3c1f0e-5a0d-4f0b-9f0e-2f6f3a1c9d11');

    await page.getByLabel(firstName, { exact: true }).fill('Mina');
    await page.locator('input[type=email]').fill(`captcha.${language}@example.com`);
    for (const index of [0, 1]) await page.locator('input[type=password]').nth(index).fill('a quiet river 7');
    const submit = () => page.getByRole('button', { name: register }).click();
    for (const [what, text] of [
      ['expire', texts.expired],
      ['fail', texts.failed],
      ['expireChallenge', texts.expired],
    ] as const) {
      await happens(page, 'pass');
      await page.getByText(text).waitFor({ state: 'detached' });
      await happens(page, what);
      await page.getByRole('alert').getByText(text).waitFor();
      await submit();
      await page.getByText(texts.missing).waitFor();
      assert.deepEqual(asked, [], 'without a token nothing is asked');
    }
    assert.deepEqual(await violations(page), []);

    const before = await widgets(page);
    await happens(page, 'pass');
    await submit();
    await page.getByText(texts.failed).first().waitFor();
    assert.deepEqual(
      [asked[0]?.get('response'), asked[0]?.get('secret')],
      [GOOD_TOKEN, 'ES_a_secret_of_our_own'],
    );
    await page.waitForFunction(
      (count) => ((window as unknown as { widgets: number }).widgets ?? 0) > count,
      before,
    );
    await submit();
    await page.getByText(texts.missing).waitFor();
    await happens(page, 'pass');
    const registered = page.waitForResponse('**/api/auth/register');
    await submit();
    assert.equal((await registered).status(), 201);
    // The member's page is loading by now.
    await page.unrouteAll({ behavior: 'wait' });
    await context.close();
  });
