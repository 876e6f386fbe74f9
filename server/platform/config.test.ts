import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { commonPasswordFaults } from './common-passwords.ts';
import { ConfigFault, readConfig } from './config.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'earnest-config-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));

const secret = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64');
const live = {
  MODE: 'live',
  DATA_DIR: dataDir,
  APP_SECRET: secret,
  PUBLIC_URL: 'https://rewards.example',
  HCAPTCHA_SITEKEY: '5f4dcc3b-5aa7-65d6-1d83-27deb882cf99',
  HCAPTCHA_SECRET: '0x52c1d6b7a6a54f2c8d9e0f1a2b3c4d5e6f708192',
  SMTP_URL: 'smtps://mail.example',
  TWILIO_ACCOUNT_SID: 'AC0123456789abcdef0123456789abcdef',
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_VERIFY_SERVICE_SID: 'VA0123456789abcdef0123456789abcdef',
  TRUSTED_PROXIES: 'none',
};
const faultsOf = (environment: Record<string, string>, known: string[] = []): string[] => {
  try {
    readConfig(environment, known);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigFault);
    return error.lines;
  }
};

describe('the environment', () => {
  it('accepts only valid addresses and ranges of proxies', () => {
    const faults = (proxies: string) => faultsOf({ DATA_DIR: dataDir, TRUSTED_PROXIES: proxies });
    for (const right of ['10.0.0.1', '10.0.0.0/8, 192.168.1.1', '2001:db8::/32'])
      assert.deepEqual(faults(right), []);
    for (const wrong of ['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/x', '2001:db8::/129', 'proxy'])
      assert.match(faults(wrong).join(), /^TRUSTED_PROXIES: /, wrong);
  });
  it('has a default for everything in sandbox mode', () => {
    const config = readConfig({ DATA_DIR: dataDir });
    assert.deepEqual(
      [
        config.mode,
        config.port,
        config.sandboxPort,
        config.publicUrl,
        config.siteTimezone,
        config.limitFactor,
      ],
      ['sandbox', 3000, 3001, 'http://localhost:3000', 'Asia/Seoul', 1000],
    );
    assert.ok(config.appSecret.length >= 32);
    assert.deepEqual(readConfig({ DATA_DIR: dataDir }).appSecret, config.appSecret);
    assert.deepEqual(config.rpcAllowedHosts, ['127.0.0.1']);
  });
  it('treats an empty value as not set', () => {
    assert.equal(readConfig({ DATA_DIR: dataDir, REDIS_URL: '', ADMIN_EMAIL: ' ' }).redisUrl, null);
  });
  it('reports all faults at once, one line each, with the name', () => {
    const lines = faultsOf({
      PORT: 'x',
      MODE: 'test',
      SITE_TIMEZONE: 'UTC+9',
      DATABASE_URL: 'mysql://x',
    });
    assert.equal(lines.length, 4);
    for (const name of ['PORT', 'MODE', 'SITE_TIMEZONE', 'DATABASE_URL'])
      assert.ok(
        lines.some((line) => line.startsWith(`${name}: `)),
        name,
      );
    assert.ok(lines.every((line) => !line.includes('\n')));
  });
  it('reports malformed values together with missing and unsafe ones', () => {
    const { TWILIO_AUTH_TOKEN: _, ...rest } = live;
    const lines = faultsOf({
      ...rest,
      PORT: 'x',
      SMTP_URL: 'mail.example',
      PUBLIC_URL: 'http://rewards.example',
      HCAPTCHA_VERIFY_URL: 'http://captcha.example/verify',
      GOOGLE_CLIENT_ID: 'half',
      ADMIN_EMAIL: 'not an address',
    });
    assert.deepEqual(lines.map((line) => line.split(':')[0]).sort(), [
      'ADMIN_EMAIL',
      'GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET',
      'HCAPTCHA_VERIFY_URL',
      'PORT',
      'PUBLIC_URL',
      'SMTP_URL',
      'TWILIO_AUTH_TOKEN',
    ]);
  });
  it('takes an address for reports that leaves room for a token, and a mailbox with a login', () => {
    for (const address of ['bounce+x@points.example', 'a-name-of-17-char@points.example', 'bounce'])
      assert.match(
        faultsOf({ BOUNCE_ADDRESS: address }).join(),
        /^BOUNCE_ADDRESS: must be an address/,
        address,
      );
    assert.match(faultsOf({ IMAP_URL: 'imaps://mail.example' }).join(), /^IMAP_URL: must be imaps:\/\/USER/);
    assert.deepEqual(faultsOf({ IMAP_URL: 'mail.example' }), ['IMAP_URL: must be a URL']);
    const given = { BOUNCE_ADDRESS: 'bounce@points.example', IMAP_URL: 'imaps://a:b@mail.example/Bounces' };
    assert.deepEqual(faultsOf(given), []);
  });
  it('asks live mode for its proxies; `none` is an answer', () => {
    assert.deepEqual(readConfig(live).trustedProxies, []);
    assert.deepEqual(readConfig({ ...live, TRUSTED_PROXIES: '10.0.0.1' }).trustedProxies, ['10.0.0.1']);
    assert.deepEqual(readConfig({ DATA_DIR: dataDir }).trustedProxies, []);
    assert.match(faultsOf({ ...live, TRUSTED_PROXIES: 'none, 10.0.0.1' }).join(), /^TRUSTED_PROXIES: /);
  });
  it('accepts plain http in live mode only on the machine itself', () => {
    for (const name of ['HCAPTCHA_VERIFY_URL', 'GOOGLE_ISSUER']) {
      assert.deepEqual(faultsOf({ ...live, [name]: 'http://127.0.0.1:9/x' }), [], name);
      assert.match(faultsOf({ ...live, [name]: 'http://127.0.0.1.example/x' }).join(), RegExp(`^${name}: `));
    }
  });
  it('accepts complete live settings', () => assert.deepEqual(faultsOf(live), []));
  for (const name of Object.keys(live).filter((key) => !['MODE', 'DATA_DIR'].includes(key)))
    it(`refuses live mode without ${name}`, () => {
      const { [name]: _, ...rest } = live as Record<string, string>;
      const lines = faultsOf(rest);
      assert.ok(
        lines.some((line) => line.startsWith(`${name}: `)),
        lines.join('\n'),
      );
    });
  for (const [name, value] of [
    ['HCAPTCHA_SITEKEY', '10000000-ffff-ffff-ffff-000000000001'],
    ['HCAPTCHA_SECRET', '0x0000000000000000000000000000000000000000'],
    ['APP_SECRET', Buffer.alloc(32).toString('base64')],
    ['APP_SECRET_FORMER', Buffer.alloc(32).toString('base64')],
    ['TRUSTED_PROXIES', '10.0.0.1, 0.0.0.0/0'],
    ['TRUSTED_PROXIES', '::/0'],
    ['ADMIN_GATE_KEY', 'short'],
    ['LIMIT_FACTOR', '999999999'],
    ['APP_SECRET', 'c2hvcnQ='],
    ['PUBLIC_URL', 'http://rewards.example'],
    ['PUBLIC_URL', 'https://rewards.example/app'],
    ['RATE_SOURCE_URL', 'http://rates.example/simple'],
    ['HCAPTCHA_VERIFY_URL', 'http://captcha.example/siteverify'],
    ['GOOGLE_ISSUER', 'http://accounts.example'],
    ['HSTS_SCOPE', 'everything'],
    ['RATE_SOURCE_URL_2', 'http://rates.example/simple'],
    ['RATE_SOURCE_URL', 'bitstamp'],
    ['RATE_SOURCE_URL', 'https://user:password@rates.example/simple'],
    ['RATE_SOURCE_URL_2', 'https://user@rates.example/simple'],
    ['RATE_SOURCE_URL_2', 'coingecko'],
    ['RATE_SOURCE_URL_2', 'https://pro-api.coingecko.com/api/v3/simple/price'],
    ['MAIL_FROM', 'Earnest <no-reply@rewards.example>\nBcc: all@rewards.example'],
    ['MAIL_FROM', 'no-reply@rewards.example\rnext'],
    ['MAIL_FROM', 'Earnest'],
    ['MAIL_FROM', 'Earnest <no-reply>'],
    ['RPC_ALLOWED_HOSTS', '*'],
    ['RPC_ALLOWED_HOSTS', '10.0.0.5, *.nodes.example'],
    ['RPC_ALLOWED_HOSTS', '10.0.0.0/8'],
    ['RPC_ALLOWED_HOSTS', 'http://10.0.0.5'],
    ['RPC_ALLOWED_HOSTS', '10.0.0.5:9332'],
  ] as const)
    it(`refuses live mode with ${name}=${JSON.stringify(value).slice(1, 40)}`, () =>
      assert.ok(faultsOf({ ...live, [name]: value }).some((line) => line.startsWith(`${name}: `))));
  it('asks live mode with an own PostgreSQL for its owner', () => {
    const faults = faultsOf({ ...live, DATABASE_URL: 'postgresql://app@db/earnest' });
    assert.deepEqual(faults, ['DATABASE_OWNER_URL: is required in live mode with DATABASE_URL']);
  });
  it('refuses a short or common password of the first operator in live mode', async () => {
    const faults = (ADMIN_PASSWORD: string) =>
      faultsOf({ ...live, ADMIN_EMAIL: 'first@rewards.example', ADMIN_PASSWORD }).join();
    for (const weak of ['elevenchars', 'x'.repeat(5)]) assert.match(faults(weak), /^ADMIN_PASSWORD: /, weak);
    assert.equal(faults('a quiet river 7'), '');
    for (const [ADMIN_PASSWORD, wanted] of [
      ['QWERTY123456', ['ADMIN_PASSWORD: is one of the most common passwords']],
      ['passwordpassword', ['ADMIN_PASSWORD: is one of the most common passwords']],
      ['abcabcabcabc', ['ADMIN_PASSWORD: is one of the most common passwords']],
      ['a quiet river 7', []],
    ] as const) {
      const known = await commonPasswordFaults({ ...live, ADMIN_PASSWORD });
      assert.deepEqual(known, wanted);
      const lines = faultsOf(
        { ...live, PORT: 'x', ADMIN_EMAIL: 'first@rewards.example', ADMIN_PASSWORD },
        known,
      );
      assert.deepEqual(lines.slice(1), wanted, 'beside the fault of PORT');
    }
    const sandbox = { DATA_DIR: dataDir, ADMIN_EMAIL: 'first@rewards.example', ADMIN_PASSWORD: 'sixsix' };
    assert.deepEqual(faultsOf(sandbox), []);
  });
  it('asks two rate sources of different owners in live mode', () => {
    const sourcesOf = (environment: Record<string, string>) => {
      const { rateSourceUrl, rateSourceUrl2 } = readConfig({ ...live, ...environment });
      return [rateSourceUrl, rateSourceUrl2];
    };
    assert.deepEqual(sourcesOf({}), ['coingecko', 'kraken']);
    assert.deepEqual(sourcesOf({ RATE_SOURCE_URL: 'kraken' }), ['kraken', 'coingecko']);
    const own = 'https://rates.example/simple';
    assert.deepEqual(sourcesOf({ RATE_SOURCE_URL: own }), [own, 'kraken']);
    assert.deepEqual(sourcesOf({ RATE_SOURCE_URL_2: own }), ['coingecko', own]);
  });
  it('takes a sender with or without a name, and hosts by name or address', () => {
    for (const MAIL_FROM of [
      'no-reply@rewards.example',
      'Earnest <no-reply@rewards.example>',
      '어니스트 <a@b.example>',
    ])
      assert.equal(readConfig({ ...live, MAIL_FROM }).mailFrom, MAIL_FROM);
    const hosts = ['10.0.0.5', '::1', 'localhost', 'coin_node', 'node-1.rewards.example'];
    assert.deepEqual(readConfig({ ...live, RPC_ALLOWED_HOSTS: hosts.join(', ') }).rpcAllowedHosts, hosts);
  });
  it('allows no RPC host in live mode by default', () =>
    assert.deepEqual(readConfig(live).rpcAllowedHosts, []));
});
