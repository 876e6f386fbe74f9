import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#platform/database.ts';
import { createSecrets } from '#platform/secrets.ts';
import { builtWeb } from './built-web.ts';
import { createCanaries, linkTokensIn } from './canaries.ts';
import { deviceTextOf } from './device.ts';
import { freePort } from './free-port.ts';
import { readEverything } from './read-everything.ts';
import { addRowsToRead } from './rows-to-read.ts';
import { demoWorld, needDemoWorld, startedSite } from './running-site.ts';

/** Searches every answer of the real process, and its most verbose log, for every secret that it holds or receives. */
const captcha = createServer((_request, response) => response.end('{"success":true}'));
captcha.listen(0, '127.0.0.1');
await once(captcha, 'listening');
after(() => captcha.close());

await needDemoWorld({ after });
const { database, node } = await demoWorld({ after });
const { appUrl, ownerUrl, owner } = database;
const appSecret = node.APP_SECRET;
const metricsPort = await freePort();
const environment = {
  ...node,
  LOG_LEVEL: 'debug',
  METRICS_PORT: String(metricsPort),
  ADMIN_GATE_KEY: 'canary-gate-key-4711',
  HCAPTCHA_SECRET: 'canary-captcha-secret-4711',
  // No server answers there. The secrets must not reach an answer or the log anyway.
  GOOGLE_ISSUER: 'http://127.0.0.1:9',
  GOOGLE_CLIENT_ID: 'earnest-test',
  GOOGLE_CLIENT_SECRET: 'canary-google-secret-4711',
  HCAPTCHA_VERIFY_URL: `http://127.0.0.1:${(captcha.address() as AddressInfo).port}/`,
};
const site = await startedSite({ after }, environment);

const canaries = createCanaries();
const { plant, plantForLog, plantStored } = canaries;
plant('APP_SECRET', appSecret);
plant('the bytes of APP_SECRET', Buffer.from(appSecret, 'base64').toString('hex'));
plant('ADMIN_GATE_KEY', environment.ADMIN_GATE_KEY);
plant('HCAPTCHA_SECRET', environment.HCAPTCHA_SECRET);
plant('GOOGLE_CLIENT_SECRET', environment.GOOGLE_CLIENT_SECRET);
plant('the database password of the application', new URL(appUrl).password);
plant('the database password of the owner', new URL(ownerUrl).password);
plant('the member’s password', site.member.password);
plant('the operator’s password', site.operator.password);

type Session = { cookie: string };
const call = async (method: string, path: string, as?: Session, body?: unknown, headersToo = {}) => {
  const response = await fetch(`${site.origin}${path}`, {
    method,
    headers: {
      origin: site.origin,
      ...(as === undefined ? {} : { cookie: as.cookie }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headersToo,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const headers = [...response.headers].filter(([name]) => name !== 'set-cookie');
  canaries.assertClean(`${JSON.stringify(headers)}\n${text}`, `the answer to ${method} ${path}`);
  return { status: response.status, text, headers: response.headers };
};
const ok = async (...given: Parameters<typeof call>) => {
  const answer = await call(...given);
  assert.ok(answer.status < 300, `${given[0]} ${given[1]}: ${answer.status} ${answer.text}`);
  return answer;
};

async function signIn(path: string, who: string, body: unknown): Promise<Session> {
  const { headers } = await ok('POST', path, undefined, body);
  const cookies = headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  for (const cookie of cookies)
    if (cookie.startsWith('sid=')) plant(`the session of ${who}`, cookie.slice('sid='.length));
  return { cookie: cookies.join('; ') };
}

/** A PNG of one pixel. */
const ONE_PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const outboxCode = async (to: string): Promise<string> => {
  const entries = (await (await fetch(`${site.origin}/sandbox/outbox`)).json()) as {
    to: string;
    code: string;
  }[];
  return entries.filter((entry) => entry.to === to).at(-1)?.code ?? '';
};

async function outboxToken(to: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const entries = (await (await fetch(`${site.origin}/sandbox/outbox`)).json()) as {
      to: string;
      text: string;
    }[];
    const mail = entries.find((entry) => entry.to === to && entry.text.includes('/reset-password?token='));
    if (mail !== undefined) return /token=([\w-]+)/.exec(mail.text)?.[1] ?? '';
    await sleep(100);
  }
  return assert.fail('no mail came');
}

const gate = await fetch(`${site.origin}/api/auth/admin/gate`, {
  method: 'POST',
  headers: { origin: site.origin, 'content-type': 'application/json' },
  body: JSON.stringify({ key: environment.ADMIN_GATE_KEY }),
});
const gateCookie = gate.headers.getSetCookie()[0]?.split(';')[0] ?? '';
const operator = await (async () => {
  const response = await fetch(`${site.origin}/api/auth/admin/login`, {
    method: 'POST',
    headers: { origin: site.origin, 'content-type': 'application/json', cookie: gateCookie },
    body: JSON.stringify({ username: site.operator.email, password: site.operator.password }),
  });
  assert.equal(response.status, 200);
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const token = cookies.find((cookie) => cookie.startsWith('sid='))?.slice('sid='.length) ?? '';
  plant('the session of the operator', token);
  return { cookie: cookies.join('; ') };
})();
plant('the gate’s cookie', gateCookie.split('=')[1] ?? '');

let phoneCode = '';
const providerSecrets = {
  cpx: 'canary-cpx-secret-4711',
  bitlabs: 'canary-bitlabs-secret-4711',
  theoremreach: 'canary-theorem-secret-4711',
  wannads: 'canary-wannads-secret-4711',
  adgem: 'canary-adgem-key-4711',
  ayetstudios: 'canary-ayet-key-4711',
};

describe('the secrets of the site', () => {
  it('are all found by the search itself, also URL-encoded', () => {
    for (const [what, value] of canaries.all())
      for (const form of [value, encodeURIComponent(value), Buffer.from(value).toString('hex')])
        assert.throws(() => canaries.assertClean(`x${form}x`, 'a text'), {
          message: new RegExp(`^${what} in a text`),
        });
  });
  it('stay out of the answers while people register, sign in and verify their phone', async () => {
    const password = plant('a new member’s password', 'canary quiet river 4711');
    await signIn('/api/auth/register', 'a new member', {
      email: 'canary@example.com',
      password,
      firstName: 'Mina',
      deviceFingerprint: deviceTextOf(),
      hcaptchaToken: plant('a captcha token', '10000000-aaaa-bbbb-cccc-canary004711'),
    });
    const wrong = {
      email: 'canary@example.com',
      password: plant('a mistyped password', 'canary mistyped 4711'),
    };
    assert.equal((await call('POST', '/api/auth/login', undefined, wrong)).status, 401);
    const member = await signIn('/api/auth/login', 'a new member again', {
      email: 'canary@example.com',
      password,
    });
    const phoneNumber = '+821098765432';
    await ok('POST', '/api/auth/send-phone-verification', member, { phoneNumber });
    phoneCode = await outboxCode(phoneNumber);
    assert.match(phoneCode, /^\d{6}$/);
    await ok('POST', '/api/auth/verify-phone-code', member, { phoneNumber, code: phoneCode });
  });

  it('stay out of the answers of a password reset and a sign-in with Google', async () => {
    assert.equal((await call('GET', '/api/auth/google')).status, 200, 'led back to the form');
    const email = 'canary@example.com';
    await ok('POST', '/api/auth/forgot-password', undefined, { email });
    const token = plant('a token of a mail', await outboxToken(email));
    const newPassword = plant('a password chosen anew', 'canary wide meadow 4711');
    await ok('POST', '/api/auth/reset-password', undefined, { token, newPassword });
    assert.equal(
      (await call('POST', '/api/auth/reset-password', undefined, { token, newPassword })).status,
      422,
    );
  });

  it('stay out of the answers while operators set them', async () => {
    for (const [id, secret] of Object.entries(providerSecrets)) {
      plant(`the secret of ${id}`, secret);
      await ok('PUT', `/api/admin/providers/${id}`, operator, { secret, apiKey: '4711', isEnabled: true });
    }
    const pathToken = plantForLog('a path token', 'canary-path-token-4711');
    await ok('PUT', '/api/admin/providers/kiwiwall', operator, { settings: { pathToken } });
    const { sealed } = await owner.one<{ sealed: string }>(
      sql`select sealed_credentials as sealed from withdrawals.methods where method = 'litecoin'`,
    );
    const secrets = createSecrets(Buffer.from(appSecret, 'base64'));
    const rpcPassword = plant(
      'the node’s password',
      JSON.parse(secrets.open(sealed, 'withdrawals.methods litecoin credentials')).rpcPassword,
    );
    await ok('PUT', '/api/admin/payment-methods/litecoin', operator, { credentials: { rpcPassword } });
    await ok('POST', '/api/admin/wallet/paypal', operator, {
      clientId: 'client',
      clientSecret: plant('the secret of PayPal', 'canary-paypal-secret-4711'),
      businessEmail: 'pay@example.com',
      environment: 'sandbox',
    });
    await ok('POST', '/api/admin/wallet/nowpayments', operator, {
      apiKey: plant('the API key of NOWPayments', 'canary-nowpayments-key-4711'),
      ipnSecret: plant('the IPN secret', 'canary-ipn-secret-4711'),
      password: plant('the password at NOWPayments', 'canary-nowpayments-password-4711'),
      totpSecret: plant('the second factor at NOWPayments', 'canary-totp-secret-4711'),
      email: 'pay@example.com',
      environment: 'sandbox',
    });
    for (const company of ['paypal', 'nowpayments'])
      await ok('POST', `/api/admin/wallet/${company}/test`, operator);
    const stored = await owner.rows<{ sealed: string | null }>(sql`
      select sealed_secret as sealed from earning.providers
      union all select sealed_credentials from wallets.accounts
      union all select sealed_credentials from withdrawals.methods`);
    const values = stored.flatMap(({ sealed: value }) => value ?? []);
    assert.ok(values.length >= 6);
    for (const [index, value] of values.entries()) plantStored(`sealed value ${index}`, value);
  });

  it('stay out of the answers to good and bad postbacks', async () => {
    const { id } = JSON.parse((await ok('GET', '/api/user', await memberSession())).text);
    const queryOf = (transaction: string, points: number, signature: string, status = 1) =>
      `status=${status}&trans_id=${transaction}&user_id=${id}&amount_local=${points}&secure_hash=${signature}`;
    const good = queryOf(
      '70004711',
      5_000,
      plantForLog('a good signature', md5(`70004711-${providerSecrets.cpx}`)),
    );
    assert.equal((await call('GET', `/api/webhooks/postback/cpx?${good}`)).text, '1');
    const forged = queryOf('70004711', 5_000, plantForLog('a bad signature', md5('bad')));
    assert.equal((await call('GET', `/api/webhooks/postback/cpx?${forged}`)).status, 403);
    assert.equal((await call('POST', `/api/webhooks/chargeback/cpx?${good}`, undefined, {})).status, 422);
    // Reverses another earning than the one that pays for the next calls.
    const otherHash = plantForLog('another good signature', md5(`70004712-${providerSecrets.cpx}`));
    for (const status of [1, 2]) {
      const other = queryOf('70004712', 10, otherHash, status);
      assert.equal((await call('GET', `/api/webhooks/postback/cpx?${other}`)).text, '1');
    }
    const booked = await owner.rows<{ verdict: string }>(
      sql`select verdict from earning.postbacks where transaction_id = '70004712' order by id`,
    );
    assert.deepEqual(booked, [{ verdict: 'credited' }, { verdict: 'reversed' }]);
    assert.equal((await call('GET', `/api/webhooks/postback/cpx?${good}&user_id=1&x=%E0%A4%A`)).status, 400);
    assert.equal((await call('GET', `/api/webhooks/postback/nobody?${good}`)).status, 404);
    const query = `uid=${id}&tx=canary1&val=7&usd=0.1&type=COMPLETE&offer=x`;
    const url = `${site.origin}/api/webhooks/postback/bitlabs?${query}`;
    const digest = createHmac('sha1', providerSecrets.bitlabs).update(url).digest('hex');
    plantForLog('a good signature of BitLabs', digest);
    assert.equal((await call('GET', `/api/webhooks/postback/bitlabs?${query}&hash=${digest}`)).text, 'OK');
    const data = { player_id: id, transaction_id: 'canary2', amount: 7 };
    const signature = createHmac('sha256', providerSecrets.adgem)
      .update(JSON.stringify({ data }))
      .digest('hex');
    plantForLog('a good signature of AdGem', signature);
    const adgem = '/api/webhooks/postback/adgem';
    assert.equal((await call('POST', adgem, undefined, { data }, { signature })).text, 'OK');
    assert.equal((await call('POST', adgem, undefined, { data: 1 }, { signature })).status, 403);
    const ayetHash = plantForLog('a wrong hash of ayeT-Studios', md5('ayet').repeat(2));
    const header = { 'x-ayetstudios-security-hash': ayetHash };
    for (const name of ['theoremreach', 'wannads', 'ayetstudios'])
      assert.equal(
        (await call('GET', `/api/webhooks/postback/${name}?${good}`, undefined, undefined, header)).status,
        403,
      );
    for (const token of ['canary-path-token-4711', plantForLog('a guessed path', 'canary-path-guess-4711')])
      assert.ok((await call('GET', `/api/webhooks/postback/kiwiwall/${token}?status=1`)).status >= 400);
  });

  it('stay out of the answers while coins are flipped and seeds are replaced', async () => {
    const member = await memberSession();
    const { id } = JSON.parse((await ok('GET', '/api/user', member)).text);
    const plantSeed = async (what: string) => {
      const { seed } = await owner.one<{ seed: string }>(
        sql`select server_seed as seed from coinflip.players where member_id = ${Number(id)}`,
      );
      return plantStored(what, seed);
    };
    const body = { betAmount: 1, playerChoice: 'heads' };
    await ok('POST', '/api/coin-flip', member, body);
    const replaced = await plantSeed('the first server seed');
    const { text } = await ok('GET', '/api/coin-flip/fairness', member);
    assert.ok(text.includes(createHash('sha256').update(replaced).digest('hex')), 'its seal is to be seen');
    for (const path of ['history', 'daily-status', 'fairness'])
      await ok('GET', `/api/coin-flip/${path}`, member);
    canaries.release('the first server seed');
    const rotated = await ok('POST', '/api/coin-flip/fairness', member, { clientSeed: 'mine' });
    assert.equal(JSON.parse(rotated.text).revealed.serverSeed, replaced);
    await plantSeed('the server seed in use');
    await ok('POST', '/api/coin-flip', member, body);
    await call('POST', '/api/coin-flip', member, { ...body, betAmount: 501 });
    await ok('GET', '/api/coin-flip/history', member);
  });

  it('stay out of the answers while a withdrawal is requested, approved and paid', async () => {
    const member = await memberSession();
    const { id: memberId } = JSON.parse((await ok('GET', '/api/user', member)).text);
    await owner.rows(sql`
      update members.members set phone_number = '+821012344711', phone_verified_at = platform.business_now()
      where id = ${Number(memberId)}`);
    const address = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';
    const body = { amountPoints: '1000', method: 'litecoin', recipientInfo: { address } };
    const { id } = JSON.parse((await ok('POST', '/api/withdrawal', member, body)).text);
    await ok('POST', `/api/admin/withdrawals/${id}/approve`, operator);
    for (let attempt = 0; ; attempt += 1) {
      const { text } = await ok('POST', `/api/admin/withdrawals/${id}/sync`, operator);
      if (JSON.parse(text).txId !== null) break;
      assert.ok(attempt < 60, text);
      await sleep(500);
    }
  });

  it('are in no answer of any GET, for visitors, members and operators, as JSON or CSV', async () => {
    const mails = (await (await fetch(`${site.origin}/sandbox/outbox`)).json()) as { text: string }[];
    const links = mails.flatMap(({ text }) => linkTokensIn(text));
    assert.ok(links.length > 2);
    for (const [index, token] of links.entries()) plant(`the token of link ${index}`, token);
    const member = await memberSession();
    const { id: withdrawalId } = await owner.one<{ id: string }>(
      sql`select id::text as id from withdrawals.withdrawals limit 1`,
    );
    const { id: chargebackId } = await owner.one<{ id: string }>(
      sql`select seq::text as id from ledger.movements where kind = 'reversal' and transaction_id = '70004712'`,
    );
    const { id: memberId } = JSON.parse((await ok('GET', '/api/user', member)).text);
    const entry = {
      kind: 'task',
      category: 'game',
      provider: 'kiwiwall',
      title: 'Harbour',
      description: 'Level 12',
    };
    const { text: added } = await ok('POST', '/api/admin/catalogue', operator, {
      ...entry,
      reward: '2400',
      minutes: 180,
      picture: ONE_PIXEL,
    });
    const pictureId = String(JSON.parse(added).imageUrl).split('/').at(-1) ?? '';
    const message = { channelId: '1', content: 'Use my code' };
    const { id: messageId } = JSON.parse((await ok('POST', '/api/chat/messages', member, message)).text);
    const rowIds = await addRowsToRead(owner, String(memberId), BigInt(messageId));
    const things = [messageId, withdrawalId, chargebackId, pictureId];
    const ids = ['1', 'cpx', ...things, ...rowIds, String(memberId)];
    const answered = await readEverything(
      (path, as) => call('GET', path, as),
      [undefined, member, operator],
      ids,
    );
    const { reads } = answered;
    assert.ok(reads.length > 15, reads.join(' '));
    const silent = reads.filter((path) => !answered.paths.has(path));
    assert.deepEqual(silent, [], 'a call that nobody could make was not looked at');
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    canaries.assertLogClean(metrics, 'the metrics');
  });

  it('are in no file of the web', () => {
    const files = globSync(`${builtWeb()}/**/*.{js,css,html,json,svg,webmanifest}`);
    assert.ok(files.length > 20);
    for (const file of files) canaries.assertClean(readFileSync(file, 'utf8'), file);
  });

  it('are stored sealed or as hashes, also in what waits to be sent', () =>
    // The sandbox shows the mails with their links.
    canaries.assertStoredClean(owner, ['sandbox']));

  it('are nowhere in the log, which recorded these calls', () => {
    const log = site.log();
    assert.match(log, /sign-in failed/);
    canaries.assertLogClean(log, 'the log');
    assert.ok(!new RegExp(`(?<!\\d)${phoneCode}(?!\\d)`).test(log), 'a phone code');
    assert.ok(!/secure_hash|hash=/.test(log), 'a postback’s query');
  });
});

let known: Session | undefined;
async function memberSession(): Promise<Session> {
  known ??= await signIn('/api/auth/login', 'the member', site.member);
  return known;
}
