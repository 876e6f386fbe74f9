import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { advanceClock } from '#platform/clock.ts';
import { sql } from '#platform/database.ts';
import { testSite } from '../../test/site.ts';
import { readSealed } from '../secret-command.ts';
import { lookAtCompanies } from './wallets.ts';

/** The site's accounts at PayPal and at the crypto provider, against servers that answer as their documents say. */
const site = await testSite({ after });
const { owner, call, platform } = site;
const operator = await site.member({ role: 'admin' });
const member = await site.member();

const SECRET = 'paypal-secret-4711';
const KEY = 'nowpayments-key-4711';
const basic = `Basic ${Buffer.from(`client:${SECRET}`).toString('base64')}`;

/** What a company says to a call, and what it was asked. */
type Reply = { status: number; body: unknown };
const SCOPE = 'https://uri.paypal.com/payments/payouts';
let scope = SCOPE;
let silentMs = 0;
let hasBalance = true;
const asked: string[] = [];

function replyTo({ url, headers }: IncomingMessage, body: string): Reply {
  if (url === '/v1/oauth2/token' && body === 'grant_type=client_credentials')
    return headers.authorization === basic
      ? { status: 200, body: { access_token: 'token', token_type: 'Bearer', expires_in: 300, scope } }
      : { status: 401, body: { error: 'invalid_client', error_description: `not ${SECRET}` } };
  if (url === '/v1/reporting/balances?currency_code=USD' && headers.authorization === 'Bearer token')
    return hasBalance
      ? { status: 200, body: { balances: [{ currency: 'USD', available_balance: { value: '640.00' } }] } }
      : { status: 403, body: { name: 'NOT_AUTHORIZED' } };
  if (url === '/v1/balance')
    return headers['x-api-key'] === KEY
      ? { status: 200, body: { ltc: { amount: 0.5, pendingAmount: 0 } } }
      : { status: 403, body: { code: 'INVALID_API_KEY' } };
  if (url === '/v1/auth')
    return body === JSON.stringify({ email: 'pay@example.com', password: 'np-password' })
      ? { status: 200, body: { token: 'jwt' } }
      : { status: 403, body: { code: 'AUTH_REQUIRED' } };
  return { status: 404, body: {} };
}

const company = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  asked.push(`${request.method} ${request.url}`);
  const { status, body } = replyTo(request, Buffer.concat(chunks).toString());
  setTimeout(() => response.writeHead(status).end(JSON.stringify(body)), silentMs);
});
company.listen(0, '127.0.0.1');
await once(company, 'listening');
after(() => {
  company.closeAllConnections();
  company.close();
});
const origin = `http://127.0.0.1:${(company.address() as AddressInfo).port}`;
const nowhere = 'http://127.0.0.1:9';
platform.config.companies = {
  paypal: { sandbox: origin, production: nowhere },
  nowpayments: { sandbox: origin, production: nowhere },
};

const as = operator;
const paypal = {
  clientId: 'client',
  clientSecret: SECRET,
  businessEmail: 'pay@example.com',
  environment: 'sandbox',
};
const crypto = { apiKey: KEY, ipnSecret: 'ipn-secret-4711', environment: 'sandbox' };
const save = (name: 'paypal' | 'nowpayments', body: object) =>
  call('POST', `/api/admin/wallet/${name}`, { as, body });
const read = async (name: string) => (await call('GET', `/api/admin/wallet/${name}`, { as })).body;
const balances = () => read('balances');
const test = async (name: 'paypal' | 'nowpayments', body?: object) =>
  (await call('POST', `/api/admin/wallet/${name}/test`, { as, ...(body === undefined ? {} : { body }) })).body
    .steps as { name: string; ok: boolean; text: string }[];
const acts = () =>
  owner.rows<{ act: string; target: string; text: string }>(sql`
    select act, target, concat(before::text, after::text) as text from platform.acts
    where target_kind = 'wallet' order by id`);

beforeEach(async () => {
  await owner.rows(sql`delete from wallets.accounts`);
  [scope, silentMs, hasBalance] = [SCOPE, 0, true];
  asked.length = 0;
});

describe('the account at a company', () => {
  it('§2-3 companies: is empty at first, with the specified default currencies', async () => {
    const { version: _, ...first } = await read('paypal');
    assert.deepEqual(first, {
      clientId: '',
      clientSecret: '',
      businessEmail: '',
      environment: 'sandbox',
      webhookId: '',
    });
    const { supportedCurrencies, apiKey } = await read('nowpayments');
    assert.deepEqual(supportedCurrencies, ['btc', 'ltc', 'dash', 'eth', 'usdt']);
    assert.equal(apiKey, '');
  });

  it('shows stored secrets as the mask alone, and keeps one that is sent back as the mask', async () => {
    const stored = await save('paypal', { ...paypal, webhookId: 'WH-1' });
    assert.equal(stored.status, 200);
    assert.equal(stored.body.clientSecret, '***encrypted***');
    const again = await save('paypal', { ...paypal, clientSecret: '***encrypted***', clientId: 'other' });
    assert.deepEqual([again.body.clientId, again.body.webhookId], ['other', 'WH-1']);
    await save('paypal', { ...paypal, clientSecret: '***encrypted***' });
    assert.deepEqual(
      (await test('paypal')).map(({ ok }) => ok),
      [true, true, true],
    );
    await save('nowpayments', { ...crypto, password: 'np-password', totpSecret: 'totp-4711' });
    const { apiKey, ipnSecret, password, totpSecret } = await read('nowpayments');
    assert.deepEqual(new Set([apiKey, ipnSecret, password, totpSecret]), new Set(['***encrypted***']));
    const texts = await owner.one<{ text: string }>(sql`
      select string_agg(a::text, ' ') as text from wallets.accounts a`);
    assert.doesNotMatch(texts.text, /4711|np-password/);
  });

  it('§2-5 companies: refuses a form that lacks what is required, and a mask without a stored secret', async () => {
    const pathsOf = async (name: 'paypal' | 'nowpayments', body: object) => {
      const { status, problem } = await save(name, body);
      assert.equal(status, 400);
      return problem.errors?.map(({ path }) => path).sort();
    };
    assert.deepEqual(
      await pathsOf('paypal', { clientId: ' ', clientSecret: '', businessEmail: 'no', environment: 'live' }),
      ['businessEmail', 'clientId', 'clientSecret', 'environment'],
    );
    assert.deepEqual(await pathsOf('nowpayments', { ...crypto, apiKey: '', ipnSecret: '' }), [
      'apiKey',
      'ipnSecret',
    ]);
    assert.deepEqual(await pathsOf('paypal', { ...paypal, clientSecret: '***encrypted***' }), [
      'clientSecret',
    ]);
    assert.deepEqual(await pathsOf('nowpayments', { ...crypto, supportedCurrencies: ['L T C'] }), [
      'supportedCurrencies.0',
    ]);
  });

  it('sends a stored secret to no other environment', async () => {
    await save('paypal', paypal);
    const moved = { ...paypal, clientSecret: '***encrypted***', environment: 'production' };
    assert.equal((await save('paypal', moved)).status, 400);
    const tested = await call('POST', '/api/admin/wallet/paypal/test', {
      as,
      body: { environment: 'production' },
    });
    assert.equal(tested.status, 400);
    assert.equal((await save('paypal', { ...moved, clientSecret: SECRET })).status, 200);
  });

  it('is not overwritten by an operator who has not seen the newest', async () => {
    const { version } = await read('paypal');
    assert.equal((await save('paypal', { ...paypal, version })).status, 200);
    const late = await save('paypal', { ...paypal, clientId: 'late', version });
    assert.deepEqual([late.status, late.problem.code], [409, 'settings-changed']);
  });

  it('§2-7 companies: leaves one act for each change and test, without a secret, none for no change', async () => {
    const before = (await acts()).length;
    await save('paypal', paypal);
    await save('paypal', { ...paypal, clientSecret: '***encrypted***' });
    await test('paypal', { clientSecret: 'wrong-4711' });
    const left = (await acts()).slice(before);
    assert.deepEqual(
      left.map(({ act, target }) => [act, target]),
      [
        ['wallet.change', 'paypal'],
        ['wallet.test', 'paypal'],
      ],
    );
    assert.match(left[0]?.text ?? '', /newCredentials.*clientSecret/);
    assert.doesNotMatch(left.map(({ text }) => text).join(' '), /4711/);
  });

  it('is sealed anew with the other secrets', async () => {
    await save('paypal', paypal);
    await save('nowpayments', crypto);
    const contexts = (await readSealed(owner)).map(({ context }) => context);
    for (const name of ['paypal', 'nowpayments'])
      assert.ok(contexts.includes(`wallets.accounts ${name} credentials`), contexts.join());
  });

  it('is an operator’s alone', async () => {
    for (const name of ['paypal', 'nowpayments', 'balances'])
      assert.equal((await call('GET', `/api/admin/wallet/${name}`, { as: member })).status, 403);
  });
});

describe('the test of a company', () => {
  it('names what PayPal refuses, and repeats no word of its answer', async () => {
    const [wrong] = await test('paypal', { ...paypal, clientSecret: 'wrong' });
    assert.deepEqual(wrong, {
      name: 'credentials',
      ok: false,
      text: 'PayPal refuses these credentials: clientId, clientSecret, environment.',
    });
    scope = 'openid';
    const steps = await test('paypal', paypal);
    assert.deepEqual(
      steps.map(({ name, ok }) => [name, ok]),
      [
        ['credentials', true],
        ['payouts', false],
      ],
    );
  });

  it('passes without a balance that the app may not read', async () => {
    hasBalance = false;
    assert.equal((await test('paypal', paypal)).at(-1)?.ok, true);
  });

  it('asks the crypto provider by key, and signs in if e-mail and password are given', async () => {
    assert.equal((await test('nowpayments', { ...crypto, apiKey: 'wrong' }))[0]?.ok, false);
    assert.ok((await test('nowpayments', crypto)).every(({ ok }) => ok));
    assert.deepEqual(asked, ['GET /v1/balance', 'GET /v1/balance']);
    const signIn = { ...crypto, email: 'pay@example.com', password: 'np-password' };
    assert.ok((await test('nowpayments', signIn)).every(({ ok }) => ok));
    const failed = (await test('nowpayments', { ...signIn, password: 'wrong' })).find(({ ok }) => !ok);
    assert.equal(failed?.text, 'NOWPayments refuses these credentials: email, password.');
  });

  it('says that a company did not answer in time or could not be reached', async () => {
    const away = await test('paypal', { ...paypal, environment: 'production' });
    assert.deepEqual(away, [{ name: 'answer', ok: false, text: 'PayPal did not answer in time.' }]);
    silentMs = 6_000;
    assert.equal((await test('nowpayments', crypto))[0]?.text, 'NOWPayments did not answer in time.');
  });
});

describe('the balances', () => {
  it('§2-3 balances of wallets: say connected only after an answer to these credentials', async () => {
    assert.equal((await balances()).paypal.status, 'not_configured');
    await save('paypal', paypal);
    await save('nowpayments', crypto);
    const unasked = await balances();
    assert.deepEqual([unasked.paypal.status, unasked.paypal.lastUpdated], ['error', null]);
    await lookAtCompanies(platform);
    const known = await balances();
    assert.deepEqual([known.paypal.status, known.paypal.balance], ['connected', '640']);
    assert.equal(known.nowpayments.status, 'connected');
    assert.ok(Date.parse(known.paypal.lastUpdated) > 0);
    await save('paypal', { ...paypal, clientSecret: 'another' });
    const changed = (await balances()).paypal;
    assert.deepEqual([changed.status, changed.balance], ['error', null]);
    await lookAtCompanies(platform);
    assert.match((await balances()).paypal.trouble, /^PayPal refuses/);
  });

  it('say error again when the last answer is minutes old, and ask nobody when they are read', async () => {
    await save('paypal', paypal);
    await lookAtCompanies(platform);
    const before = asked.length;
    assert.equal((await balances()).paypal.status, 'connected');
    await advanceClock(owner, 360n);
    const old = (await balances()).paypal;
    assert.deepEqual([old.status, old.balance], ['error', '640']);
    assert.equal(asked.length, before);
  });

  it('keep no answer that came after the credentials had changed', async () => {
    await save('paypal', paypal);
    silentMs = 400;
    const look = lookAtCompanies(platform);
    while (asked.length === 0) await sleep(5);
    await save('paypal', { ...paypal, clientId: 'next' });
    await look;
    const { status, trouble } = (await balances()).paypal;
    assert.deepEqual([status, trouble], ['error', 'Not asked yet. The site asks once a minute.']);
  });

  it('hold the coins’ wallets as the watch of rails last saw them', async () => {
    const first = await balances();
    assert.equal(first.litecoin.currency, 'LTC');
    await call('PUT', '/api/admin/payment-methods/litecoin', {
      as,
      body: {
        isEnabled: true,
        credentials: { rpcUser: 'user', rpcPassword: 'word', rpcHost: '127.0.0.1', rpcPort: 9 },
      },
    });
    await owner.rows(sql`
      insert into withdrawals.balance_days (method, site_day, balance, usd, needed, noted_at)
      select 'litecoin', platform.site_day(platform.business_now()), 14.042, 85, 0, platform.business_now()`);
    const { litecoin } = await balances();
    assert.deepEqual([litecoin.status, litecoin.balance], ['connected', '14.042']);
    await call('PUT', '/api/admin/payment-methods/litecoin', { as, body: { isEnabled: false } });
    assert.match((await balances()).litecoin.trouble, /switched off/);
  });
});
