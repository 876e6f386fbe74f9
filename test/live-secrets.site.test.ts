import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigFault, readConfig, variables } from '#platform/config.ts';
import { sql } from '#platform/database.ts';
import { runAdmin } from './admin-command.ts';
import { createCanaries, linkTokensIn } from './canaries.ts';
import { testDatabase } from './database.ts';
import { deviceTextOf } from './device.ts';
import { freePort } from './free-port.ts';
import { testImap } from './imap-server.ts';
import { readEverything } from './read-everything.ts';
import { refusingHttp, refusingMailServer } from './refusing-services.ts';

/**
 * The real process in live mode, whose every secret is a canary and whose every outside party refuses it: what fails
 * tells no secret either, in an answer, the log, the metrics, the database, or at the command line.
 */
const root = resolve(import.meta.dirname, '..');
const directory = mkdtempSync(join(tmpdir(), 'live-secrets-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const { owner, appUrl, ownerUrl } = await testDatabase({ after });
const canaries = createCanaries();
const { plant } = canaries;

const [captcha, messages, node, mailPort] = [
  await refusingHttp({ after }, 200, (asked) =>
    asked.includes('response=a-good-token')
      ? '{"success":true}'
      : '{"success":false,"error-codes":["invalid-input-secret"]}',
  ),
  await refusingHttp({ after }, 401, () => '{"code":20003,"message":"Authenticate"}'),
  await refusingHttp({ after }, 401, () => ''),
  await refusingMailServer({ after }),
];

const secretBytes = (what: string): string => {
  const bytes = randomBytes(32);
  plant(`the bytes of ${what}`, bytes.toString('hex'));
  return plant(what, bytes.toString('base64'));
};
const [port, metricsPort] = [await freePort(), await freePort()];
const publicUrl = 'https://rewards.example';
const mailPassword = plant('the password of SMTP_URL', 'canary-smtp-4711');
const mailbox = new URL((await testImap({ after })).url);
mailbox.password = plant('the password of IMAP_URL', 'canary-imap-4712');
const messageToken = plant('TWILIO_AUTH_TOKEN', 'canary-twilio-4711');
const accountSid = 'AC00000000000000000000000000000001';
plant('the authorization at Twilio', `${accountSid}:${messageToken}`);

/** Every variable that holds a secret. */
const secretEnvironment = {
  APP_SECRET: secretBytes('APP_SECRET'),
  APP_SECRET_FORMER: secretBytes('APP_SECRET_FORMER'),
  DATABASE_URL: appUrl,
  DATABASE_OWNER_URL: ownerUrl,
  REDIS_URL: `redis://user:${plant('the password of REDIS_URL', 'canary-redis-4711')}@127.0.0.1:9`,
  ADMIN_PASSWORD: plant('ADMIN_PASSWORD', 'canary operator 4711'),
  ADMIN_GATE_KEY: plant('ADMIN_GATE_KEY', 'canary-gate-key-4711'),
  HCAPTCHA_SECRET: plant('HCAPTCHA_SECRET', 'ES_canary_captcha_4711'),
  GOOGLE_CLIENT_SECRET: plant('GOOGLE_CLIENT_SECRET', 'canary-google-4711'),
  SMTP_URL: `smtp://mailer:${mailPassword}@127.0.0.1:${mailPort}`,
  IMAP_URL: mailbox.href,
  TWILIO_AUTH_TOKEN: messageToken,
  RATE_SOURCE_URL: `https://127.0.0.1:9/prices?key=${plant('the key of RATE_SOURCE_URL', 'canary-rates-4711')}`,
  RATE_SOURCE_URL_2: `https://localhost:9/prices?key=${plant('the key of RATE_SOURCE_URL_2', 'canary-rates-4712')}`,
};
plant('the database password of the application', new URL(appUrl).password);
plant('the database password of the owner', new URL(ownerUrl).password);

/** Every other variable. Somebody may read its value. */
const openEnvironment = {
  MODE: 'live',
  LOG_LEVEL: 'debug',
  HOST: '127.0.0.1',
  PORT: String(port),
  METRICS_PORT: String(metricsPort),
  METRICS_HOST: '127.0.0.1',
  SANDBOX_PORT: '0',
  PUBLIC_URL: publicUrl,
  DATA_DIR: join(directory, 'data'),
  ADMIN_EMAIL: 'operator@rewards.example',
  SITE_TIMEZONE: 'Asia/Seoul',
  LITECOIN_NETWORK: 'main',
  DASH_NETWORK: 'main',
  RPC_ALLOWED_HOSTS: '127.0.0.1',
  TRUSTED_PROXIES: 'none',
  RATE_MAX_AGE_S: '600',
  HCAPTCHA_SITEKEY: '7b3c1f0e-5a0d-4f0b-9f0e-2f6f3a1c9d11',
  HCAPTCHA_VERIFY_URL: `${captcha}/siteverify`,
  GOOGLE_ISSUER: 'http://127.0.0.1:9',
  GOOGLE_CLIENT_ID: 'earnest-test',
  MAIL_FROM: 'no-reply@rewards.example',
  BOUNCE_ADDRESS: 'bounce@rewards.example',
  BROADCAST_PER_SECOND: '10',
  TWILIO_ACCOUNT_SID: accountSid,
  TWILIO_VERIFY_SERVICE_SID: 'VA00000000000000000000000000000001',
  ANALYTICS_MEASUREMENT_ID: 'G-TEST',
  GEOIP_DB: '',
  THROWAWAY_DOMAINS_ALLOWED: 'rewards.example',
  HSTS_SCOPE: 'host',
  LIMIT_FACTOR: '100',
};

/** Sends what would go to Twilio to the party above. */
const redirected = `data:text/javascript,${encodeURIComponent(`
  const real = globalThis.fetch;
  globalThis.fetch = (url, options) =>
    real(String(url).replace('https://verify.twilio.com', ${JSON.stringify(messages)}), options);`)}`;

type Ran = { child: ChildProcess; output: () => string };
function run(script: string, words: string[], environment: Record<string, string> = {}): Ran {
  const child = spawn(process.execPath, ['--import', redirected, script, ...words], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...openEnvironment,
      ...secretEnvironment,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      said += String(piece);
    });
  return { child, output: () => said };
}

const site = run('server/main.ts', []);
const ended = once(site.child, 'exit');
after(async () => {
  site.child.kill('SIGTERM');
  await ended;
});
while (!site.output().includes('Address: ')) {
  assert.equal(site.child.exitCode, null, site.output());
  await sleep(50);
}

type Session = { cookie: string };
async function call(method: string, path: string, as?: Session, body?: unknown) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      origin: publicUrl,
      ...(as === undefined ? {} : { cookie: as.cookie }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const headers = [...response.headers].filter(([name]) => name !== 'set-cookie');
  canaries.assertClean(`${JSON.stringify(headers)}\n${text}`, `the answer to ${method} ${path}`);
  return { status: response.status, text, headers: response.headers };
}

/** Calls, and keeps the cookies of the answer. */
async function signedIn(path: string, who: string, body: unknown, with_?: Session): Promise<Session> {
  const { status, text, headers } = await call('POST', path, with_, body);
  assert.ok(status < 300, `${path}: ${status} ${text}`);
  const cookies = headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  for (const cookie of cookies)
    if (cookie.startsWith('__Host-sid=')) plant(`the session of ${who}`, cookie.slice('__Host-sid='.length));
  return { cookie: [with_?.cookie, ...cookies].filter((one) => one !== undefined).join('; ') };
}

let member: Session = { cookie: '' };
let operator: Session = { cookie: '' };

describe('a live site that every outside party refuses', () => {
  it('has a canary in each variable that holds a secret', () => {
    const names = variables.map(({ name }) => name);
    assert.deepEqual(names.sort(), Object.keys({ ...openEnvironment, ...secretEnvironment }).sort());
  });

  it('tells no secret while mails, messages, captchas and sign-ins fail', async () => {
    const password = plant('the password of a member', 'canary quiet river 4711');
    const registration = {
      email: 'canary@example.com',
      password,
      firstName: 'Mina',
      deviceFingerprint: deviceTextOf(),
    };
    const wrong = await call('POST', '/api/auth/register', undefined, {
      ...registration,
      hcaptchaToken: 'a-wrong-token',
    });
    assert.equal(wrong.status, 503);
    member = await signedIn('/api/auth/register', 'a member', {
      ...registration,
      hcaptchaToken: 'a-good-token',
    });
    const phoneNumber = '+821098765432';
    assert.equal(
      (await call('POST', '/api/auth/send-phone-verification', member, { phoneNumber })).status,
      503,
    );
    await call('POST', '/api/auth/forgot-password', undefined, { email: registration.email });
    assert.equal(
      (await call('GET', '/api/auth/google')).headers.get('location'),
      '/auth?error=google-unavailable',
    );
  });

  it('has links in mails that were refused, which are listed as failed', async () => {
    // The mail of the forgotten password is written by a job, so it may come later than the first refused one.
    const linksOf = (jobs: { payload: string }[]) => jobs.flatMap(({ payload }) => linkTokensIn(payload));
    const waiting = () =>
      owner.rows<{ payload: string }>(
        sql`select payload::text as payload from graphile_worker._private_jobs`,
      );
    const deadline = performance.now() + 30_000;
    while (
      (!/535/.test(site.output()) || linksOf(await waiting()).length < 2) &&
      performance.now() < deadline
    )
      await sleep(50);
    const links = linksOf(
      await owner.rows<{ payload: string }>(sql`
        update graphile_worker._private_jobs set attempts = max_attempts returning payload::text as payload`),
    );
    assert.ok(links.length >= 2);
    // A mail that waits is stored whole.
    for (const [index, token] of links.entries()) canaries.plantStored(`the token of link ${index}`, token);
  });

  it('tells no secret while operators set up payments and providers that refuse them', async () => {
    const gate = await signedIn('/api/auth/admin/gate', 'nobody', { key: secretEnvironment.ADMIN_GATE_KEY });
    plant('the cookie of the gate', gate.cookie.split('=')[1] ?? '');
    const body = { username: openEnvironment.ADMIN_EMAIL, password: secretEnvironment.ADMIN_PASSWORD };
    operator = await signedIn('/api/auth/admin/login', 'the operator', body, gate);
    const rpcPassword = plant('the node’s password', 'canary-node-4711');
    const credentials = {
      rpcUser: 'payer',
      rpcPassword,
      rpcHost: '127.0.0.1',
      rpcPort: Number(new URL(node).port),
    };
    plant('the authorization at the node', `payer:${rpcPassword}`);
    const path = '/api/admin/payment-methods/litecoin';
    const changed = await call('PUT', path, operator, { isEnabled: true, credentials });
    assert.ok(changed.status < 500, changed.text);
    const tested = await call('POST', `${path}/test`, operator, { credentials });
    assert.ok(
      JSON.parse(tested.text).steps.some(({ ok }: { ok: boolean }) => !ok),
      tested.text,
    );
    const secret = plant('the secret of a provider', 'canary-provider-4711');
    const provider = { secret, apiKey: 'app', url: `https://127.0.0.1:9/wall` };
    await call('PUT', '/api/admin/providers/cpx', operator, provider);
    await call('POST', '/api/admin/providers/cpx/test', operator, provider);
  });

  it('tells no secret in any read, page or file', async () => {
    const { paths } = await readEverything(
      (path, as) => call('GET', path, as),
      [undefined, member, operator],
      ['1', 'cpx'],
    );
    assert.ok(paths.size > 40, [...paths].join(' '));
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    assert.match(metrics, /earnest_/);
    canaries.assertLogClean(metrics, 'the metrics');
  });

  it('tells no secret in its log, which has the failures', async () => {
    for (const failure of [
      /535/,
      /Redis/i,
      /an outside party failed/,
      /the sign-in provider does not answer/,
    ])
      assert.match(site.output(), failure);
    canaries.assertLogClean(site.output(), 'the log');
  });

  it('keeps no secret as such in its database', async () => {
    await canaries.assertStoredClean(owner);
    const shown = createCanaries();
    shown.plant('an address', 'canary@example.com');
    await assert.rejects(shown.assertStoredClean(owner), { message: /^an address in the table \w+\./ });
  });

  it('tells no secret at the command line', async () => {
    // The one that asks every outside party, with its log; the others print in this process.
    const { child, output } = run('server/admin.ts', ['doctor']);
    await once(child, 'close');
    for (const name of ['mail', 'sms', 'captcha', 'redis'])
      assert.match(output(), new RegExp(`^WRONG ${name}`, 'm'));
    canaries.assertLogClean(output(), 'doctor');
    for (const word of ['audit', 'reconcile', 'confirm-settings']) {
      const { said, complained } = await runAdmin({ ...openEnvironment, ...secretEnvironment }, word);
      assert.notEqual(said + complained, '', word);
      canaries.assertLogClean(said + complained, word);
    }
  });

  it('tells no secret when it does not start', async () => {
    const wrongPassword = plant('a wrong password of the database', 'canary-wrong-4711');
    const url = new URL(appUrl);
    url.password = wrongPassword;
    const { child, output } = run('server/main.ts', [], { DATABASE_URL: url.href });
    const [code] = await once(child, 'close');
    assert.notEqual(code, 0);
    assert.notEqual(output(), '');
    canaries.assertLogClean(output(), 'a start with a wrong password');
  });

  it('tells no value of a variable that it refuses', () => {
    for (const name of Object.keys(secretEnvironment))
      for (const wrong of [
        'canary-malformed-4711',
        'http://user:canary-malformed-4711@[nowhere',
        'mailto:canary-malformed-4711',
      ])
        try {
          readConfig({ ...openEnvironment, ...secretEnvironment, [name]: wrong });
        } catch (error) {
          if (!(error instanceof ConfigFault)) throw error;
          assert.ok(!error.message.includes('malformed'), `${name}: ${error.message}`);
          canaries.assertClean(error.message, name);
        }
  });
});
