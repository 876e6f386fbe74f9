import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, sqlText } from '#platform/database.ts';
import { demoWorld, needDemoWorld, startedSite } from './running-site.ts';
import { listeningPortsOf, skipWithoutSocketTimers } from './socket-timers.ts';

/** Nothing of the sandbox ends the process: neither what is sent to its listeners, nor what it can't store. */
await needDemoWorld({ after });
const { database, node: environment } = await demoWorld({ after });
const { owner } = database;
const dataDir = environment.DATA_DIR;
const site = await startedSite({ after }, environment);
const headers = { origin: site.origin, 'content-type': 'application/json' };

const post = (url: string, body: unknown, more: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
const forgetPassword = () => post(`${site.origin}/api/auth/forgot-password`, { email: site.member.email });
async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; !(await isSo()); waitedMs += 50) {
    assert.ok(waitedMs < 20_000, `${what}; the log:\n${site.log()}`);
    await sleep(50);
  }
}

/** The wall of CPX Research as the demo member's browser opens it. */
const login = await post(`${site.origin}/api/auth/login`, site.member);
const cookie = login.headers
  .getSetCookie()
  .map((line) => line.split(';')[0])
  .join('; ');
const offered = await fetch(`${site.origin}/api/offerwalls`, { headers: { cookie } });
const walls = (await offered.json()) as { id: string; url: string }[];
const wall = new URL(walls.find(({ id }) => id === 'cpx')?.url ?? '');
const completeOffer = () =>
  post(`${wall.origin}/sandbox/wall/cpx/complete`, {
    userId: wall.searchParams.get('ext_user_id'),
    points: 10,
  });

async function assertWell(): Promise<void> {
  assert.equal((await fetch(`${site.origin}/readyz`)).status, 200);
  assert.equal((await completeOffer()).status, 200);
  assert.doesNotMatch(site.log(), /"level":60/);
}

const MAIL = 'EHLO x\r\nMAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.com>\r\nDATA\r\n';
const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
/** What no client in its right mind sends: half, too long, of another protocol, broken inside. */
const broken = [
  '',
  '\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\n',
  `${POST}Content-Length: 50\r\n\r\n{`,
  `${POST}Content-Length: 2000000\r\n\r\n${'x'.repeat(2_000_000)}`,
  `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  `${POST}Content-Length: 4\r\n\r\nnull`,
  `${POST}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
  `${MAIL}Subject: half`,
  `${MAIL}Content-Type: multipart/mixed; boundary=\r\nSubject: =?utf-8?B?%%%?=\r\n\r\n--\r\n.\r\nQUIT\r\n`,
  `${MAIL}${'x'.repeat(2_000_000)}\r\n.\r\n`,
];

async function send(port: number, bytes: string | Buffer, isReset: boolean): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  // A listener that hangs up is right.
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  socket.write(bytes);
  await sleep(150);
  if (isReset) socket.resetAndDestroy();
  else socket.destroy();
}

describe('the listeners of the sandbox', { skip: skipWithoutSocketTimers }, () => {
  it('get half, huge and senseless calls, and the process goes on', async () => {
    const ports = listeningPortsOf(site.pid);
    const nodes = await owner.rows<{ port: number }>(sql`select port from sandbox.coin_nodes`);
    for (const port of [Number(wall.port), ...nodes.map((node) => node.port)])
      assert.ok(ports.includes(port), `${port} of ${ports}`);
    // The fifth is that of the mail server, besides the site's own, the walls' and two coin nodes'.
    assert.equal(ports.length, 5, String(ports));
    for (const isReset of [true, false])
      await Promise.all(
        ports.flatMap((port) => [...broken, randomBytes(65_536)].map((bytes) => send(port, bytes, isReset))),
      );
    await assertWell();
    await forgetPassword();
    await until('no mail arrives', async () => {
      const outbox = await (await fetch(`${site.origin}/sandbox/outbox`)).json();
      return (outbox as { to: string }[]).some(({ to }) => to === site.member.email);
    });
  });
});

describe('the sandbox', () => {
  it('answers failures while its tables are away, and goes on with them', async () => {
    const tables = ['outbox', 'verifications', 'wall_calls'];
    const rename = async (from: string, to: string) => {
      for (const table of tables)
        await owner.rows(sqlText(`alter table sandbox.${table}${from} rename to ${table}${to}`));
    };
    await rename('', '_away');
    assert.equal((await completeOffer()).status, 502);
    assert.equal((await fetch(`${site.origin}/sandbox`)).status, 500);
    assert.equal((await fetch(`${site.origin}/sandbox/outbox`)).status, 500);
    const phoneNumber = '+821055001234';
    const sent = await post(`${site.origin}/api/auth/send-phone-verification`, { phoneNumber }, { cookie });
    assert.ok(sent.status >= 400, String(sent.status));
    await forgetPassword();
    await sleep(1_000);
    await rename('_away', '');
    await assertWell();
    assert.equal((await fetch(`${site.origin}/sandbox`)).status, 200);
  });

  it('answers failures while the chain of a coin node can’t be saved, and saves it afterwards', async () => {
    const [node] = await owner.rows<{ coin: string; port: number }>(
      sql`select coin, port from sandbox.coin_nodes where coin = 'litecoin'`,
    );
    const password = readFileSync(join(dataDir, 'site/secrets/sandbox-coin-node'), 'utf8').trim();
    const authorization = `Basic ${Buffer.from(`sandbox:${password}`).toString('base64')}`;
    const mine = () =>
      post(
        `http://127.0.0.1:${node?.port}`,
        { method: 'generatetoaddress', params: [1, 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'] },
        { authorization },
      );
    assert.equal((await mine()).status, 200);
    const folder = join(dataDir, 'node/sandbox');
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    const failures = () => site.log().split('could not save its chain').length - 1;
    assert.equal((await mine()).status, 500);
    const before = failures();
    // Nobody calls now: the node's own turn, each five seconds, fails too.
    await until('the node makes no turn', () => failures() > before);
    rmSync(folder);
    await until('the chain is not saved', () => existsSync(folder));
    assert.equal((await mine()).status, 200);
    await assertWell();
    assert.equal(await site.stop('SIGTERM'), 0);
  });
});
