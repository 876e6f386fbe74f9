import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { configureClock } from '#platform/clock.ts';
import { type Config, readConfig } from '#platform/config.ts';
import { captchaTestPair } from '#platform/config-values.ts';
import { sql } from '#platform/database.ts';
import { createHealth } from '#platform/health.ts';
import { createLog } from '#platform/log.ts';
import { createMailer } from '#platform/mail.ts';
import { createPhoneVerification } from '#platform/phone-verification.ts';
import { testDatabase } from '../../test/database.ts';
import { checkCaptcha } from '../access/captcha.ts';
import { addToOutbox, readOutbox } from './outbox.ts';
import { startSandbox } from './sandbox.ts';

/** The simulated services, each called by the site's own client. */
const test = await testDatabase({ after });
const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));
const log = createLog('silent');
const health = createHealth(log);
const start = (given: Config) =>
  startSandbox({ config: given, database: test.database, ownerUrl: test.ownerUrl, log });
await configureClock(test.ownerUrl, { siteTimezone: 'Asia/Seoul', mode: 'sandbox' });
const sandbox = await start(readConfig({ DATA_DIR: dataDir, SANDBOX_PORT: '0' }));
after(sandbox.close);
const { config } = sandbox;

const newest = async () => (await readOutbox(test.database)).at(-1);
const passTime = (minutes: number) => test.database.rows(sql`select platform.advance_clock(${minutes * 60})`);

describe('the captcha', () => {
  const token = '10000000-aaaa-bbbb-cccc-000000000001';
  const refused = { code: 'captcha-failed' };
  const unchecked = { code: 'overloaded' };
  const check = (given: string, other: Partial<Config['hcaptcha']> = {}) =>
    checkCaptcha({ config: { hcaptcha: { ...config.hcaptcha, ...other } }, health }, given, '127.0.0.1');

  it('accepts the test token any number of times', async () => {
    for (let time = 0; time < 3; time += 1) await check(token);
  });

  it('refuses every other token, secret and site key', async () => {
    await assert.rejects(check('10000000-aaaa-bbbb-cccc-000000000002'), refused);
    await assert.rejects(check(''), refused);
    await assert.rejects(check(token, { secret: '0x1' }), unchecked);
    await assert.rejects(check(token, { sitekey: 'mine' }), unchecked);
  });
});

describe('text messages', () => {
  const begin = async (to: string) => {
    const service = createPhoneVerification(config.twilio, health);
    const id = await service.start(to);
    const message = await newest();
    assert.equal(message?.to, to);
    return { service, id, message, code: message?.code ?? '' };
  };
  const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

  it('store a code of six digits in the outbox and approve it once', async () => {
    const { service, id, message, code } = await begin('+13075550101');
    assert.match(code, /^\d{6}$/);
    assert.deepEqual([message?.kind, message?.subject], ['sms', null]);
    assert.ok(message?.text.includes(code));
    assert.equal(await service.check(id, wrong(code)), false);
    assert.equal(await service.check(id, code), true);
    assert.equal(await service.check(id, code), false, 'an approved verification is forgotten');
  });

  it('repeat the code of a pending verification, up to five sends', async () => {
    const first = await begin('+13075550102');
    for (let time = 0; time < 4; time += 1) {
      const again = await begin('+13075550102');
      assert.deepEqual([again.id, again.code], [first.id, first.code]);
    }
    await assert.rejects(first.service.start('+13075550102'), { code: 'rate-limited' });
  });

  it('expire a code after ten minutes', async () => {
    const { service, id, code } = await begin('+13075550103');
    await passTime(11);
    assert.equal(await service.check(id, code), false);
    assert.notEqual((await begin('+13075550103')).id, id);
  });

  it('refuse the sixth check, even with the right code', async () => {
    const { service, id, code } = await begin('+13075550104');
    for (let time = 0; time < 5; time += 1) assert.equal(await service.check(id, wrong(code)), false);
    assert.equal(await service.check(id, code), false);
  });

  it('count parallel guesses separately', async () => {
    const { service, id, code } = await begin('+13075550105');
    await Promise.all(Array.from({ length: 20 }, () => service.check(id, wrong(code))));
    const { checks } = await test.database.one<{ checks: number }>(
      sql`select least(checks, 6) as checks from sandbox.verifications where sid = ${id}`,
    );
    assert.equal(checks, 6);
    assert.equal(await service.check(id, code), false);
  });

  it('end with a cancellation; a new start makes a new code and id', async () => {
    const { service, id, code } = await begin('+13075550106');
    await service.cancel(id);
    assert.equal(await service.check(id, code), false);
    await service.cancel(id);
    assert.notEqual((await begin('+13075550106')).id, id);
  });

  it('refuse calls without the account, the service or a number', async () => {
    const { twilio } = config;
    const to = '+13075550107';
    const outage = (status: number) => (error: { code: string; cause: Error }) =>
      error.code === 'overloaded' && error.cause.message.includes(String(status));
    await assert.rejects(
      createPhoneVerification({ ...twilio, authToken: 'x' }, health).start(to),
      outage(401),
    );
    await assert.rejects(
      createPhoneVerification({ ...twilio, serviceSid: 'VA0' }, health).start(to),
      outage(404),
    );
    await assert.rejects(createPhoneVerification(twilio, health).start('3075550107'), {
      code: 'invalid-request',
    });
  });
});

describe('mail', () => {
  it('is stored in the outbox with subject and text, also in Korean', async () => {
    const send = createMailer(config);
    const text = '안녕하세요.\n\nhttp://localhost:3000/reset-password?token=abc';
    await send({ to: 'someone@example.com', subject: '비밀번호 다시 정하기', text });
    const { id: _, createdAt, ...mail } = (await newest()) ?? assert.fail('the outbox is empty');
    assert.deepEqual(mail, {
      kind: 'mail',
      to: 'someone@example.com',
      subject: '비밀번호 다시 정하기',
      text,
      code: null,
    });
    assert.ok(!Number.isNaN(Date.parse(createdAt)));
  });
});

describe('the outbox', () => {
  it('keeps the newest thousand, oldest first', async () => {
    const send = (text: string) =>
      addToOutbox(test.database, { kind: 'mail', to: 'many@example.com', subject: null, text, code: null });
    for (let count = 0; count < 1_005; count += 1) await send(`number ${count}`);
    const kept = await readOutbox(test.database);
    assert.equal(kept.length, 1_000);
    assert.deepEqual([kept[0]?.text, kept.at(-1)?.text], ['number 5', 'number 1004']);
  });
});

describe('the configuration', () => {
  it('gets the simulated services, except those that the environment sets', async (t) => {
    for (const url of [
      config.hcaptcha.verifyUrl,
      config.twilio.baseUrl,
      config.rateSourceUrl,
      config.smtpUrl,
      ...Object.values(config.companies.paypal),
      ...Object.values(config.companies.nowpayments),
    ])
      assert.equal(new URL(url ?? '').hostname, '127.0.0.1');
    assert.notEqual(config.sandboxPort, 0);
    assert.deepEqual(Object.keys((await (await fetch(config.rateSourceUrl ?? '')).json()) as object), [
      'litecoin',
      'dash',
    ]);
    assert.equal(config.hcaptcha.secret, captchaTestPair.secret);

    const named = readConfig({
      DATA_DIR: dataDir,
      SANDBOX_PORT: '0',
      SMTP_URL: 'smtp://mail.example:25',
      RATE_SOURCE_URL: 'http://rates.example/simple',
      HCAPTCHA_SECRET: 'a real one',
      TWILIO_ACCOUNT_SID: 'AC1',
      TWILIO_AUTH_TOKEN: 'token',
      TWILIO_VERIFY_SERVICE_SID: 'VA1',
    });
    const other = await startSandbox({
      config: named,
      database: test.database,
      ownerUrl: test.ownerUrl,
      log,
    });
    t.after(other.close);
    const { smtpUrl, rateSourceUrl, hcaptcha, twilio } = other.config;
    assert.deepEqual(
      { smtpUrl, rateSourceUrl, hcaptcha, twilio },
      {
        smtpUrl: named.smtpUrl,
        rateSourceUrl: named.rateSourceUrl,
        hcaptcha: named.hcaptcha,
        twilio: named.twilio,
      },
    );
  });

  it('is refused with one line if the port is taken', async () => {
    const taken = readConfig({ DATA_DIR: dataDir, SANDBOX_PORT: String(config.sandboxPort) });
    await assert.rejects(start(taken), (error: { lines?: string[] }) =>
      /^SANDBOX_PORT: \d+ is taken/.test(error.lines?.[0] ?? ''),
    );
  });
});
