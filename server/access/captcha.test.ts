import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, it } from 'node:test';
import { deviceTextOf } from '../../test/device.ts';
import { testSite } from '../../test/site.ts';

/** hCaptcha's answers, as https://docs.hcaptcha.com lists them. */
let answer: { status: number; body: unknown } = { status: 200, body: { success: true } };
const hcaptcha = createServer((_request, response) => {
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
});
await new Promise<void>((resolve) => hcaptcha.listen(0, '127.0.0.1', resolve));
after(() => void hcaptcha.close());
const refusedFor = (...codes: string[]) => ({ status: 200, body: { success: false, 'error-codes': codes } });

const site = await testSite(
  { after },
  {
    HCAPTCHA_SITEKEY: '00000000-aaaa-bbbb-cccc-000000000009',
    HCAPTCHA_SECRET: '0x9999999999999999999999999999999999999999',
    HCAPTCHA_VERIFY_URL: `http://127.0.0.1:${(hcaptcha.address() as AddressInfo).port}/siteverify`,
  },
);
let count = 0;
const register = async (): Promise<[number, string | undefined]> => {
  count += 1;
  const { status, problem } = await site.call('POST', '/api/auth/register', {
    body: {
      email: `captcha${count}@example.com`,
      password: 'a quiet river 7',
      firstName: 'Mina',
      deviceFingerprint: deviceTextOf({ canvas: `captcha ${count}` }),
      hcaptchaToken: 'a token',
    },
  });
  return [status, problem.code];
};
const troubleOf = (name: string) => site.platform.health.troubles().find((one) => one.name === name)?.trouble;

it('says that hCaptcha refuses the site, and does not blame the person', async () => {
  for (const code of ['sitekey-secret-mismatch', 'invalid-input-secret', 'an-unknown-code']) {
    answer = refusedFor(code);
    assert.deepEqual(await register(), [503, 'overloaded']);
    assert.match(troubleOf('captcha') ?? '', new RegExp(`HCAPTCHA_SECRET with HCAPTCHA_SITEKEY.*: ${code}$`));
  }
});

it('says that hCaptcha does not answer', async () => {
  answer = { status: 502, body: 'bad gateway' };
  assert.deepEqual(await register(), [503, 'overloaded']);
  assert.match(troubleOf('captcha') ?? '', /^Captchas can’t be checked: /);
});

it('is well again with the next token that hCaptcha judged, whatever it judged', async () => {
  for (const code of ['invalid-input-response', 'expired-input-response', 'already-seen-response']) {
    answer = refusedFor('invalid-input-secret');
    await register();
    answer = refusedFor(code);
    assert.deepEqual(await register(), [422, 'captcha-failed']);
    assert.equal(troubleOf('captcha'), undefined);
  }
  answer = { status: 200, body: { success: true } };
  assert.equal((await register())[0], 201);
});
