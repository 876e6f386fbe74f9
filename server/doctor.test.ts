import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { recordFolderOf } from '#platform/data-folders.ts';
import { sql } from '#platform/database.ts';
import { createSecrets } from '#platform/secrets.ts';
import { testSite } from '../test/site.ts';
import { examine, type Patient, type Reached } from './doctor.ts';
import { createRailWatch } from './withdrawals/rail-watch.ts';

/** The command `doctor`, against stand-ins of outside services that work, that refuse and that never answer. */
const site = await testSite({ after });

/** How each path of the stand-in answers now. */
const answers = new Map<string, { status: number; body: unknown }>();
const services = createServer((request: IncomingMessage, response) => {
  const answer = answers.get((request.url ?? '').split('?')[0] ?? '') ?? { status: 404, body: {} };
  request.resume().on('end', () => {
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer.body));
  });
});
await new Promise<void>((done) => services.listen(0, '127.0.0.1', done));
after(() => services.close());
const origin = `http://127.0.0.1:${(services.address() as AddressInfo).port}`;

/** Accepts connections and says nothing. */
const sockets = new Set<Socket>();
const silent = createTcpServer((socket) => void sockets.add(socket));
await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
after(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
});
const silentPort = (silent.address() as AddressInfo).port;

/** A live site whose services are the stand-ins; mail goes to the sandbox's server. */
const patient = (changes: Partial<Patient['config']> = {}, more: Partial<Reached> = {}): Patient => ({
  config: {
    ...site.config,
    mode: 'live',
    publicUrl: origin,
    hcaptcha: { sitekey: 'site', secret: 'canary-secret', verifyUrl: `${origin}/siteverify` },
    twilio: { accountSid: 'AC1', authToken: 'canary-token', serviceSid: 'VA1', baseUrl: origin },
    rateSourceUrl: `${origin}/rates`,
    rateSourceUrl2: null,
    ...changes,
  },
  secrets: site.platform.secrets,
  log: site.platform.log,
  reach: async () => ({
    database: site.database,
    description: 'PostgreSQL answers',
    appOwnsLedger: false,
    neededStatements: [],
    readSealed: async () => [],
    ...more,
  }),
});
const wellAnswers = () => {
  answers.set('/healthz', { status: 200, body: {} });
  answers.set('/readyz', { status: 200, body: { status: 'ready', degraded: ['mail'] } });
  answers.set('/siteverify', {
    status: 200,
    body: { success: false, 'error-codes': ['invalid-input-response'] },
  });
  answers.set('/v2/Services/VA1', { status: 200, body: {} });
  answers.set('/rates', { status: 200, body: { litecoin: { usd: 80.5 }, dash: { usd: 30.25 } } });
};
const wrongOf = async (given: Patient, limitMs = 5_000) =>
  (await examine(given, limitMs)).filter(({ isWell }) => !isWell).map(({ name, text }) => `${name}: ${text}`);

describe('doctor', () => {
  it('finds nothing wrong with services that work', async () => {
    wellAnswers();
    assert.deepEqual(await wrongOf(patient()), []);
    const names = (await examine(patient())).map(({ name }) => name);
    for (const name of [
      'database',
      'roles',
      'secret',
      'redis',
      'data-folder',
      'sent-payments',
      'proxy',
      'mail',
      'captcha',
      'sms',
    ])
      assert.ok(names.includes(name), name);
  });
  it('says on its own line what each service refuses, without a secret', async () => {
    answers.set('/healthz', { status: 502, body: {} });
    answers.set('/siteverify', {
      status: 200,
      body: { success: false, 'error-codes': ['invalid-input-secret'] },
    });
    answers.set('/v2/Services/VA1', { status: 401, body: {} });
    answers.set('/rates', { status: 200, body: { litecoin: { usd: 80.5 } } });
    const former = createSecrets(Buffer.alloc(32, 9));
    const wrong = await wrongOf(
      patient(
        { smtpUrl: 'smtp://127.0.0.1:1', imapUrl: 'imap://a:canary@127.0.0.1:1/INBOX' },
        {
          appOwnsLedger: true,
          readSealed: async () => [
            { context: 'a place', sealed: former.seal('x', 'a place'), replace: async () => undefined },
          ],
        },
      ),
    );
    const text = wrong.join('\n');
    for (const sentence of [
      /^roles: The role of DATABASE_URL owns the ledger/m,
      /^secret: .*a place was made with another APP_SECRET/m,
      /^proxy: PUBLIC_URL answers 502/m,
      /^mail: .*ECONNREFUSED/m,
      /^bounces: .*ECONNREFUSED/m,
      /^captcha: hCaptcha refuses HCAPTCHA_SECRET .*invalid-input-secret/m,
      /^sms: Twilio refuses TWILIO_ACCOUNT_SID/m,
      /^rates 127.*: The source has no price of dash/m,
    ])
      assert.match(text, sentence);
    assert.doesNotMatch(text, /canary/);
  });
  it('names a proxy that is not trusted', async () => {
    wellAnswers();
    const wrong = await wrongOf(patient({ publicUrl: 'https://rewards.example', trustedProxies: [] }));
    assert.match(wrong.join(), /^proxy: .*TRUSTED_PROXIES names none/);
  });
  it('asks the node behind the proxy whether it is named', async () => {
    wellAnswers();
    answers.set('/readyz', { status: 503, body: { code: 'overloaded', degraded: ['mail', 'proxy'] } });
    const wrong = await wrongOf(patient());
    assert.match(wrong.join(), /^proxy: The proxy forwards .* TRUSTED_PROXIES does not name/);
    answers.delete('/readyz');
    const proxy = (await examine(patient())).find(({ name }) => name === 'proxy');
    assert.deepEqual([proxy?.isWell, /not seen/.test(proxy?.text ?? '')], [true, true]);
  });
  it('names the folder and the Redis that can’t be used', async () => {
    wellAnswers();
    const dataDir = '/proc/nowhere';
    const wrong = await wrongOf(patient({ dataDir, redisUrl: 'redis://127.0.0.1:1' }));
    assert.equal(wrong.length, 2, wrong.join('\n'));
    assert.match(wrong.join('\n'), /^redis: .*ECONNREFUSED[\s\S]*^data-folder: ENOENT/m);
  });
  it('tries the methods that health watches, and says the same of them', async () => {
    wellAnswers();
    await site.owner.rows(sql`
      insert into withdrawals.methods (method, is_enabled) values ('paypal', true), ('dash', true)
      on conflict (method) do update set is_enabled = true`);
    const { health } = site.platform;
    await createRailWatch(site.platform).look();
    assert.deepEqual(
      await wrongOf(patient()),
      health.troubles().map(({ name, trouble }) => `${name.replace('rail-', 'payments ')}: ${trouble}`),
    );
    assert.deepEqual(
      health.troubles().map(({ name }) => name),
      ['rail-dash'],
      'PayPal is paid by hand',
    );
    await site.owner.rows(sql`update withdrawals.methods set is_enabled = false`);
  });
  it('tries the record of sent payments, and does not make its folder', async () => {
    wellAnswers();
    const dataDir = mkdtempSync(join(tmpdir(), 'doctor-'));
    after(() => rmSync(dataDir, { recursive: true, force: true }));
    const lineOf = async () =>
      (await examine(patient({ dataDir }))).find(({ name }) => name === 'sent-payments');
    const missing = await lineOf();
    assert.match(missing?.text ?? '', /^no payment was sent from this DATA_DIR/);
    const record = recordFolderOf(dataDir);
    assert.ok(!existsSync(record));
    mkdirSync(record, { recursive: true });
    writeFileSync(join(record, '2026-11-20.jsonl'), '{"formerDay":null}\n');
    const well = await lineOf();
    assert.match(
      well?.text ?? '',
      /^the record .* can be written, \d+ MiB are free; it is whole since 2026-11-20$/,
    );
    rmSync(record, { recursive: true });
    writeFileSync(record, 'in its place');
    const wrong = await lineOf();
    assert.deepEqual([missing?.isWell, well?.isWell, wrong?.isWell], [true, true, false]);
    assert.match(wrong?.text ?? '', /^EEXIST/);
  });
  it('tries the other services when the database fails', async () => {
    wellAnswers();
    const away = { ...patient(), reach: () => Promise.reject(new Error('DATABASE_URL: refused')) };
    const findings = await examine(away);
    const wrong = findings.filter(({ isWell }) => !isWell).map(({ name }) => name);
    assert.deepEqual(wrong, ['database', 'roles', 'secret', 'payments']);
    assert.equal(findings[0]?.text, 'DATABASE_URL: refused');
    assert.ok(findings.some(({ name, isWell }) => name === 'mail' && isWell));
    const broken = patient(
      {},
      { database: { ...site.database, rows: () => Promise.reject(new Error('gone')) } },
    );
    assert.deepEqual(await wrongOf(broken), ['payments: gone']);
  });
  it('ends in its time when nothing answers', async () => {
    const nowhere = `http://127.0.0.1:${silentPort}`;
    const startedAt = performance.now();
    const wrong = await wrongOf(
      patient({
        publicUrl: nowhere,
        smtpUrl: `smtp://127.0.0.1:${silentPort}`,
        imapUrl: `imap://a:b@127.0.0.1:${silentPort}/INBOX`,
        hcaptcha: { sitekey: 'site', secret: 'secret', verifyUrl: nowhere },
        twilio: { accountSid: 'AC1', authToken: 'token', serviceSid: 'VA1', baseUrl: nowhere },
        rateSourceUrl: nowhere,
      }),
      500,
    );
    assert.equal(wrong.length, 6, wrong.join('\n'));
    assert.ok(performance.now() - startedAt < 2_500);
  });
});
