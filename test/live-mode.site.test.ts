import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { providers } from '../server/earning/providers/registry.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { deviceTextOf } from './device.ts';
import { freePort } from './free-port.ts';
import { demoWorld, liveNode, needDemoWorld, refusalLines } from './running-site.ts';

/**
 * The real process in live mode. No module of the sandbox may be loaded or reachable, no sandbox credential may be
 * accepted, and it must not start with published secrets.
 */
const root = resolve(import.meta.dirname, '..');
const directory = mkdtempSync(join(tmpdir(), 'live-mode-'));
after(() => rmSync(directory, { recursive: true, force: true }));

/** Records every module that the process loads, before it runs. */
const recorder = `data:text/javascript,${encodeURIComponent(`
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) {
    appendFileSync(process.env.LOADED_MODULES, url + '\\n');
    return next(url, context);
  } });`)}`;

type Started = { output: () => string; faults: () => string; loaded: () => string[]; process: ChildProcess };

let starts = 0;

function start(environment: Record<string, string>): Started {
  starts += 1;
  const record = join(directory, `loaded-${starts}`);
  const child = spawn(process.execPath, ['--import', recorder, 'server/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      LOADED_MODULES: record,
      DATA_DIR: join(directory, `data-${starts}`),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { output: '', faults: '' };
  child.stdout.on('data', (piece) => {
    texts.output += piece;
  });
  child.stderr.on('data', (piece) => {
    texts.faults += piece;
  });
  return {
    output: () => texts.output,
    faults: () => texts.faults,
    loaded: () => readFileSync(record, 'utf8').split('\n'),
    process: child,
  };
}

async function untilReady(started: Started): Promise<void> {
  const deadline = performance.now() + 240_000;
  while (!started.output().includes('Address: ')) {
    if (started.process.exitCode !== null || performance.now() > deadline)
      assert.fail(`The site did not start: ${started.faults()}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function stop({ process }: Started): Promise<void> {
  if (process.exitCode !== null) return;
  const exited = once(process, 'exit');
  process.kill('SIGTERM');
  await exited;
}

/** A stand-in for hCaptcha that records requests and accepts no token. */
const asked: URLSearchParams[] = [];
const hcaptcha = createServer((request, response) => {
  let body = '';
  request.on('data', (piece) => {
    body += piece;
  });
  request.on('end', () => {
    asked.push(new URLSearchParams(body));
    response.setHeader('content-type', 'application/json').end('{"success":false}');
  });
});
await new Promise<void>((done) => hcaptcha.listen(0, '127.0.0.1', done));
after(() => hcaptcha.close());

await needDemoWorld({ after });
const { database, owner, appUrl, ownerUrl } = await testDatabase({ after });
const [port, sandboxPort] = [await freePort(), await freePort()];
const publicUrl = 'https://rewards.example';
const liveEnvironment = {
  MODE: 'live',
  PORT: String(port),
  SANDBOX_PORT: String(sandboxPort),
  PUBLIC_URL: publicUrl,
  DATABASE_URL: appUrl,
  DATABASE_OWNER_URL: ownerUrl,
  APP_SECRET: randomBytes(32).toString('base64'),
  HCAPTCHA_SITEKEY: '7b3c1f0e-5a0d-4f0b-9f0e-2f6f3a1c9d11',
  HCAPTCHA_SECRET: 'ES_a_secret_of_our_own',
  HCAPTCHA_VERIFY_URL: `http://127.0.0.1:${(hcaptcha.address() as AddressInfo).port}/siteverify`,
  SMTP_URL: 'smtp://127.0.0.1:9',
  TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000001',
  TWILIO_AUTH_TOKEN: 'a-token-of-our-own',
  TWILIO_VERIFY_SERVICE_SID: 'VA00000000000000000000000000000001',
  TRUSTED_PROXIES: 'none',
};
const live = start(liveEnvironment);
after(() => stop(live));
await untilReady(live);

const call = async (method: string, path: string, body?: unknown, origin = publicUrl) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { origin, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, headers: response.headers };
};

describe('live mode', () => {
  it('loads no module of the sandbox and no package that only the sandbox needs', () => {
    const loaded = live.loaded();
    assert.ok(loaded.some((url) => url.endsWith('/server/main.ts')));
    assert.ok(loaded.some((url) => url.includes('/node_modules/fastify/')));
    const strange = /\/server\/sandbox\/|\/node_modules\/(smtp-server|postal-mime)\//;
    assert.deepEqual(
      loaded.filter((url) => strange.test(url)),
      [],
    );
  });

  it('loads the OpenID client at its first use', () => {
    const early = live
      .loaded()
      .filter((url) => /\/node_modules\/(openid-client|oauth4webapi|jose)\//.test(url));
    assert.deepEqual(early, []);
  });

  it('prints no account', () => {
    assert.equal(live.output(), `Address: ${publicUrl}\nPanel: ${publicUrl}/admin-login\n`);
  });

  it('answers 404 at /sandbox', async () => {
    for (const path of [
      '',
      '/',
      '/outbox',
      '/chain',
      '/rates',
      '/clock',
      '/wall/cpx',
      '/hcaptcha/siteverify',
    ])
      assert.equal((await call('GET', `/sandbox${path}`)).status, 404, path);
    assert.equal((await call('POST', '/sandbox/clock', { advanceSeconds: 60 })).status, 404);
    assert.equal((await call('POST', '/sandbox/wall/cpx/complete', { userId: '123456789' })).status, 404);
  });

  it('does not listen on SANDBOX_PORT', async () => {
    const socket = connect(sandboxPort, '127.0.0.1');
    const [error] = await once(socket, 'error').catch((thrown: Error) => [thrown]);
    assert.equal((error as NodeJS.ErrnoException).code, 'ECONNREFUSED');
  });

  it('refuses to move its clock, even for the application’s role', async () => {
    await assert.rejects(
      database.rows(sql`select platform.advance_clock(60)`),
      /moves by itself in live mode/,
    );
  });

  it('has neither the sandbox’s tables nor its members', async () => {
    const { schemas, members } = await owner.one<{ schemas: bigint; members: bigint }>(sql`
      select (select count(*) from pg_namespace where nspname = 'sandbox') as schemas,
        (select count(*) from members.members) as members`);
    assert.deepEqual({ schemas, members }, { schemas: 0n, members: 0n });
  });

  it('accepts the captcha’s test token only if hCaptcha does', async () => {
    const token = '10000000-aaaa-bbbb-cccc-000000000001';
    const refused = await call('POST', '/api/auth/register', {
      email: 'new@example.com',
      password: 'a long enough one',
      firstName: 'New',
      hcaptchaToken: token,
      deviceFingerprint: deviceTextOf(),
    });
    assert.deepEqual([refused.status, JSON.parse(refused.text).code], [422, 'captcha-failed']);
    const question = asked.at(-1);
    assert.deepEqual(
      [question?.get('response'), question?.get('secret')],
      [token, liveEnvironment.HCAPTCHA_SECRET],
    );
  });

  it('allows hCaptcha’s scripts, styles, calls and frames in its documents', async () => {
    const { headers } = await call('GET', '/auth?tab=register');
    const policy = headers.get('content-security-policy')?.split('; ') ?? [];
    for (const name of ['script-src', 'style-src', 'connect-src', 'frame-src']) {
      const sources = policy.find((directive) => directive.startsWith(`${name} `))?.split(' ') ?? [];
      for (const origin of ['https://hcaptcha.com', 'https://*.hcaptcha.com'])
        assert.ok(sources.includes(origin), `${name} without ${origin}`);
    }
  });

  it('refuses calls for the names of its own machine', async () => {
    for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`])
      assert.equal((await call('POST', '/api/auth/logout', undefined, origin)).status, 403);
  });

  it('starts with each provider switched off, with its published addresses', async () => {
    const rows = await owner.rows<{ id: string; is_enabled: boolean; settings: object }>(sql`
      select id, is_enabled, settings from earning.providers order by id`);
    const wanted = [...providers.values()].map((provider) => ({
      id: provider.id,
      is_enabled: false,
      addresses: [...provider.publishedSourceAddresses],
      policy: provider.liveSourcePolicy,
    }));
    const stored = rows.map(({ id, is_enabled, settings }) => {
      const { sourceAddresses: addresses, sourcePolicy: policy } = settings as Record<string, unknown>;
      return { id, is_enabled, addresses, policy };
    });
    assert.deepEqual(
      stored,
      wanted.sort((one, other) => (one.id < other.id ? -1 : 1)),
    );
  });
});

describe('a live start', () => {
  it('is refused with one line per fault if secrets are missing, known or weak', async () => {
    const started = start({
      ...liveEnvironment,
      APP_SECRET: Buffer.alloc(32, 7).toString('base64'),
      HCAPTCHA_SITEKEY: '10000000-ffff-ffff-ffff-000000000001',
      HCAPTCHA_SECRET: '0x0000000000000000000000000000000000000000',
      PUBLIC_URL: 'http://rewards.example',
      SMTP_URL: '',
    });
    const [code] = await once(started.process, 'exit');
    assert.deepEqual([code, started.output()], [1, '']);
    const lines = started.faults().trim().split('\n').sort();
    assert.deepEqual(
      lines.map((line) => line.split(':')[0]),
      ['APP_SECRET', 'HCAPTCHA_SECRET', 'HCAPTCHA_SITEKEY', 'PUBLIC_URL', 'SMTP_URL'],
    );
    assert.ok(started.loaded().every((url) => !url.includes('/server/sandbox/')));
  });
});

describe('a database', () => {
  /** The first thing that a start writes is the missing part of this release: here its list of functions. */
  const lackOfFunctions = sql`delete from platform.function_files`;
  const factsOf = (own: TestDatabase) =>
    own.owner.one<{ members: bigint; functions: bigint; schemas: bigint; mode: string }>(sql`
      select (select count(*) from members.members) as members,
        (select count(*) from platform.function_files) as functions,
        (select count(*) from pg_namespace where nspname = 'sandbox') as schemas,
        (select mode from platform.clock) as mode`);
  /** Starts in the other mode once more, after something to write is missing. */
  const assertRefused = async (own: TestDatabase, first: string, environment: Record<string, string>) => {
    const other = environment.MODE ?? 'sandbox';
    await own.owner.rows(lackOfFunctions);
    const before = await factsOf(own);
    assert.deepEqual([before.mode, before.functions], [first, 0n]);
    const lines = await refusalLines(environment);
    assert.match(lines.join('\n'), new RegExp(`^MODE: is ${other}, .*${first} mode.*$`));
    assert.deepEqual(await factsOf(own), before);
  };
  const environmentOf = async (own: TestDatabase, dataDir: string) => ({
    DATABASE_URL: own.appUrl,
    DATABASE_OWNER_URL: own.ownerUrl,
    DATA_DIR: join(directory, dataDir),
    PORT: String(await freePort()),
    SANDBOX_PORT: '0',
  });

  it('first used in live mode refuses sandbox mode, and its operator keeps a password changed since', async (t) => {
    const own = await testDatabase(t);
    const at = await environmentOf(own, 'data-first-live');
    const [given, changed] = ['the given password', 'a quiet river 7'];
    const startOwn = async () => {
      const operator = { ADMIN_EMAIL: 'first@rewards.example', ADMIN_PASSWORD: given };
      return liveNode(t, { ...liveEnvironment, ...at, ...operator });
    };
    const ask = (method: string, path: string, body: object, cookie = '') =>
      fetch(`http://127.0.0.1:${at.PORT}${path}`, {
        method,
        headers: { origin: publicUrl, 'content-type': 'application/json', cookie },
        body: JSON.stringify(body),
      });
    const signIn = (password: string) =>
      ask('POST', '/api/auth/admin/login', { username: 'first@rewards.example', password });

    const first = await startOwn();
    const signedIn = await signIn(given);
    assert.equal(signedIn.status, 200);
    const cookie = signedIn.headers.getSetCookie().map((line) => line.split(';')[0]);
    const body = { currentPassword: given, newPassword: changed };
    assert.equal((await ask('PUT', '/api/user/password', body, cookie.join('; '))).status, 204);
    await first.close();
    await assertRefused(own, 'live', at);

    const second = await startOwn();
    assert.deepEqual([(await signIn(given)).status, (await signIn(changed)).status], [401, 200]);
    await second.close();
  });

  it('first used in sandbox mode loads the sandbox, prints its accounts, and refuses live mode', async (t) => {
    const { database: own, node } = await demoWorld(t);
    const at = { ...node, ...(await environmentOf(own, 'data-first-sandbox')), DATA_DIR: node.DATA_DIR };
    const sandbox = start(at);
    t.after(() => stop(sandbox));
    await untilReady(sandbox);
    await stop(sandbox);
    // The record of modules is the one in which live mode shows none of the sandbox.
    assert.ok(sandbox.loaded().some((url) => url.endsWith('/server/sandbox/sandbox.ts')));
    const lines = [
      ...['Address: (\\S+)', 'Panel: \\1/admin-login', 'Sandbox: \\1/sandbox'],
      ...['Operator: \\S+@\\S+ \\S{12,}', 'Member: \\S+@\\S+ \\S{12,}', ''],
    ];
    assert.match(sandbox.output(), new RegExp(`^${lines.join('\n')}$`));
    assert.equal(sandbox.process.exitCode, 0);
    await assertRefused(own, 'sandbox', { ...liveEnvironment, ...at });
  });
});
