import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { openDatabase, sql } from '#platform/database.ts';
import { testDatabase } from './database.ts';
import { embeddedWorld } from './embedded-world.ts';
import { freePort } from './free-port.ts';
import { redisServer, withoutRedis } from './redis-server.ts';
import { demoWorld, needDemoWorld, type RunningSite, startedSite } from './running-site.ts';
import { skipWithoutSocketTimers, tcpConnectionsOf } from './socket-timers.ts';
import { startTcpProxy } from './tcp-proxy.ts';

/** The process as operators run it: one node, killed, stopped, and two nodes. */
const signIn = async (site: RunningSite): Promise<string> => {
  const answer = await fetch(`${site.origin}/api/auth/login`, {
    method: 'POST',
    headers: { origin: site.origin, 'content-type': 'application/json' },
    body: JSON.stringify(site.member),
  });
  assert.equal(answer.status, 200);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
};
const statusOf = async (url: string, headers: Record<string, string> = {}) =>
  (await fetch(url, { headers })).status;
/** Every connection to the servers and from clients sends a TCP keepalive after 30 s of silence at the latest. */
async function assertKeptAlive({ pid, origin }: RunningSite, serverPorts: string[]): Promise<void> {
  const [ownPort, ...ports] = [new URL(origin).port, ...serverPorts].map(Number);
  const wrong = () => {
    const found = tcpConnectionsOf(pid);
    for (const port of ports) assert.ok(found.some(({ remotePort }) => remotePort === port));
    assert.ok(found.some(({ localPort }) => localPort === ownPort));
    return found.filter(
      ({ localPort, remotePort, keepAliveInMs = Number.POSITIVE_INFINITY }) =>
        (localPort === ownPort || ports.includes(remotePort)) && keepAliveInMs > 30_000,
    );
  };
  // A byte on its way has another timer for a moment.
  for (let tries = 0; wrong().length > 0 && tries < 100; tries += 1) await sleep(100);
  assert.deepEqual(wrong(), []);
}
await needDemoWorld({ after });
const copyOfWorld = embeddedWorld({ after });

/** Runs a site until its database can't be started any more. Earnest tries for half a minute. */
async function loseDatabase(): Promise<{ code: number | null; log: string }> {
  const environment = { DATA_DIR: await copyOfWorld() };
  const site = await startedSite({ after }, environment);
  const cluster = join(environment.DATA_DIR, 'postgres');
  rmSync(join(cluster, 'global/pg_control'));
  process.kill(Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
  return { code: await site.ended, log: site.log() };
}
// It waits beside all other tests of this file.
const databaseLoss = loseDatabase();

describe('one node', () => {
  it('answers liveness and readiness, and serves metrics on their own port only', async (t) => {
    const metricsPort = await freePort();
    const site = await startedSite(t, { DATA_DIR: await copyOfWorld(), METRICS_PORT: String(metricsPort) });
    assert.equal(await statusOf(`${site.origin}/healthz`), 200);
    assert.equal(await statusOf(`${site.origin}/readyz`), 200);
    assert.equal(await statusOf(`${site.origin}/metrics`), 404);
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    assert.match(metrics, /^earnest_http_request_seconds_bucket/m);
    assert.match(metrics, /^process_resident_memory_bytes/m);
    assert.equal(await statusOf(`http://127.0.0.1:${metricsPort}/`), 404);
  });
  it('keeps everything that it acknowledged after kill -9, and names a zone that is not the site’s', async (t) => {
    const environment = { DATA_DIR: await copyOfWorld() };
    const first = await startedSite(t, environment);
    const cookie = await signIn(first);
    await first.stop('SIGKILL');
    const changed = { PORT: new URL(first.origin).port, SITE_TIMEZONE: 'Europe/Berlin' };
    const second = await startedSite(t, { ...environment, ...changed });
    assert.equal(second.origin, first.origin);
    assert.equal(await statusOf(`${second.origin}/api/user`, { cookie }), 200);
    assert.deepEqual(second.member, first.member);
    // A node with another zone changes no day, and says so.
    const { degraded } = (await (await fetch(`${second.origin}/readyz`)).json()) as { degraded: string[] };
    assert.ok(degraded.includes('site-timezone'), String(degraded));
    assert.match(second.log(), /Europe\/Berlin.*Asia\/Seoul|Asia\/Seoul.*Europe\/Berlin/);
  });
  it('starts the embedded PostgreSQL again after kill -9, and goes on', async (t) => {
    const environment = { DATA_DIR: await copyOfWorld() };
    const site = await startedSite(t, environment);
    const cookie = await signIn(site);
    const pidFile = join(environment.DATA_DIR, 'postgres/postmaster.pid');
    process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGKILL');
    const statuses: number[] = [];
    while (statuses.at(-1) !== 200 || !site.log().includes('PostgreSQL was started again')) {
      statuses.push(await statusOf(`${site.origin}/api/user/history?format=csv`, { cookie }));
      assert.ok(statuses.length < 400, `only ${[...new Set(statuses)]}; the log:\n${site.log()}`);
      await sleep(100);
    }
    assert.ok(
      statuses.every((status) => status === 200 || status === 503),
      String(statuses),
    );
    assert.equal((await signIn(site)).length > 0, true);
    assert.equal(await site.stop('SIGTERM'), 0);
    assert.ok(!/"level":60/.test(site.log()), site.log());
  });
  it('keeps running when a second start on its data is stopped while it waits', async (t) => {
    const environment = { DATA_DIR: await copyOfWorld() };
    const site = await startedSite(t, environment);
    const second = spawn(process.execPath, ['server/start.ts'], {
      cwd: join(import.meta.dirname, '..'),
      env: { ...process.env, PORT: String(await freePort()), SANDBOX_PORT: '0', ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(second, 'exit');
    for await (const lines of second.stderr) if (/waiting for 20 s at most/.test(String(lines))) break;
    second.kill('SIGTERM');
    await ended;
    assert.equal(await statusOf(`${site.origin}/readyz`), 200);
    assert.equal(await statusOf(`${site.origin}/api/user`, { cookie: await signIn(site) }), 200);
    assert.equal(await site.stop('SIGTERM'), 0);
  });
  it('is refused in one line with another APP_SECRET than that of the first start', async (t) => {
    const dataDir = await copyOfWorld();
    const ofFirstStart = readFileSync(join(dataDir, 'secrets/app-secret'), 'utf8').trim();
    const environment = { DATA_DIR: dataDir, APP_SECRET: ofFirstStart };
    const site = await startedSite(t, environment);
    assert.equal(await site.stop('SIGTERM'), 0);
    const another = Buffer.alloc(32, 2).toString('base64');
    const other = startedSite(t, { ...environment, APP_SECRET: another });
    await assert.rejects(other, /ended with 1:\nAPP_SECRET: [^\n]+\n$/);
    const again = await startedSite(t, environment);
    assert.deepEqual(again.member, site.member);
  });
  it('is refused in one line if application and owner have different databases', async (t) => {
    const [one, other] = [await testDatabase({ after }), await testDatabase({ after })];
    const environment = { DATABASE_URL: one.appUrl, DATABASE_OWNER_URL: other.ownerUrl };
    await assert.rejects(
      startedSite(t, environment),
      /ended with 1:\nDATABASE_URL, DATABASE_OWNER_URL: [^\n]+\n$/,
    );
    const { tables } = await other.owner.one<{ tables: bigint }>(
      sql`select count(*) as tables from pg_tables where schemaname = 'sandbox'`,
    );
    assert.equal(tables, 0n);
  });
  it('finishes running calls on SIGTERM and exits with 0', async (t) => {
    const site = await startedSite(t, { DATA_DIR: await copyOfWorld() });
    const cookie = await signIn(site);
    let failed = 0;
    let answered = 0;
    let isStopping = false;
    const callers = Array.from({ length: 8 }, async () => {
      for (;;) {
        try {
          const status = await statusOf(`${site.origin}/api/user/stats`, { cookie });
          if (status === 200) answered += 1;
          else if (status !== 503 || !isStopping) failed += 1;
        } catch {
          // A connection that opened while the listener closed carried no call, so nothing was acknowledged.
          if (!isStopping) failed += 1;
          return;
        }
      }
    });
    const begun = performance.now();
    while (answered <= 50 && performance.now() - begun < 30_000) await sleep(20);
    assert.ok(answered > 50, String(answered));
    isStopping = true;
    assert.equal(await site.stop('SIGTERM'), 0);
    await Promise.all(callers);
    assert.equal(failed, 0);
    assert.ok(!/"level":(50|60)/.test(site.log()), site.log());
  });
});

/** The file of the embedded PostgreSQL's process. It is there until that has stopped. */
const postgresFileOf = ({ DATA_DIR }: { DATA_DIR: string }) => join(DATA_DIR, 'postgres/postmaster.pid');

/** Opens connections that send this and read nothing. */
async function openSilent(port: number, count: number, bytes: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write(bytes);
  return sockets;
}

describe('SIGTERM', () => {
  it('ends a node within 5 s, however silent its clients are, and its database too', async (t) => {
    const environment = { DATA_DIR: await copyOfWorld() };
    const site = await startedSite(t, environment);
    const port = Number(new URL(site.origin).port);
    const cookie = await signIn(site);
    const upgradeOf = (path: string) =>
      [
        `GET ${path} HTTP/1.1`,
        'Host: x',
        `Origin: ${site.origin}`,
        `Cookie: ${cookie}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      ].join('\r\n');
    const post = `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nOrigin: ${site.origin}\r\n`;
    const sockets = await Promise.all([
      openSilent(port, 20, upgradeOf('/')),
      openSilent(port, 10, upgradeOf('/ws')),
      openSilent(port, 5, ''),
      openSilent(port, 5, 'GET / HTTP/1.1\r\nHost: x\r\n'),
      openSilent(port, 5, `${post}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{`),
    ]);
    await sleep(500);
    const stoppedAtMs = performance.now();
    assert.equal(await site.stop('SIGTERM'), 0);
    assert.ok(performance.now() - stoppedAtMs < 5_000, `${performance.now() - stoppedAtMs} ms`);
    assert.equal(existsSync(postgresFileOf(environment)), false);
    for (const socket of sockets.flat()) socket.destroy();
  });

  it('stops the embedded PostgreSQL also when a part does not end in its time', async (t) => {
    const environment = { DATA_DIR: await copyOfWorld() };
    const site = await startedSite(t, environment);
    const port = readFileSync(postgresFileOf(environment), 'utf8').split('\n')[3];
    const password = readFileSync(join(environment.DATA_DIR, 'secrets/postgres-superuser'), 'utf8').trim();
    const url = `postgresql://postgres:${password}@127.0.0.1:${port}/earnest`;
    const owner = openDatabase({ url, connectionsMax: 1 });
    const nodes = await owner.rows<{ port: number }>(sql`select port from sandbox.coin_nodes`);
    await owner.close();
    // A simulated coin node waits for its clients.
    const sockets = await openSilent(nodes[0]?.port ?? 0, 1, 'POST / HTTP/1.1\r\n');
    const stoppedAtMs = performance.now();
    assert.equal(await site.stop('SIGTERM'), 1);
    assert.ok(performance.now() - stoppedAtMs < 26_000, `${performance.now() - stoppedAtMs} ms`);
    assert.equal(existsSync(postgresFileOf(environment)), false);
    assert.match(site.log(), /a part did not stop in its time/);
    for (const socket of sockets) socket.destroy();
  });
});

// Each of these waits for up to 20 seconds, so they wait at the same time.
describe('a start beside another node', { concurrency: 4 }, () => {
  it('is refused on the data of a node that runs, which goes on', async (t) => {
    const environment = { DATA_DIR: await copyOfWorld() };
    const site = await startedSite(t, environment);
    await assert.rejects(startedSite(t, environment), /ended with 1:[\s\S]*REDIS_URL: /);
    const cookie = await signIn(site);
    assert.equal(await statusOf(`${site.origin}/api/user`, { cookie }), 200);
    assert.equal(await statusOf(`${site.origin}/readyz`), 200);
    assert.equal(await site.stop('SIGTERM'), 0);
    assert.ok(!/"level":(50|60)/.test(site.log()), site.log());
  });

  it('refuses the second node without Redis', async (t) => {
    const { node: shared } = await demoWorld({ after });
    const first = await startedSite(t, shared);
    await assert.rejects(startedSite(t, shared), /ended with 1:[\s\S]*REDIS_URL: /);
    assert.equal(await first.stop('SIGTERM'), 0);
  });

  it('is refused without Redis beside a node with it, which goes on', async (t) => {
    const { node: shared } = await demoWorld({ after });
    // A node with Redis runs also while its Redis is away.
    const first = await startedSite(t, { ...shared, REDIS_URL: 'redis://127.0.0.1:1' });
    await assert.rejects(startedSite(t, shared), /ended with 1:[\s\S]*REDIS_URL: is required/);
    const answered = statusOf(`${first.origin}/readyz`);
    assert.equal(await answered.catch(({ cause }) => `${cause}\n${first.log()}`), 200);
    assert.equal(await first.stop('SIGTERM'), 0);
  });

  it('takes over within 30 s after a node that was killed behind a connection that stays half-open', async (t) => {
    const through = async (url: string) => {
      const { hostname, port } = new URL(url);
      const proxy = await startTcpProxy({ after }, hostname, Number(port));
      const changed = new URL(url);
      changed.host = `127.0.0.1:${proxy.port}`;
      return { url: changed.href, freeze: proxy.freeze };
    };
    const { database: fresh, site: ofAll } = await demoWorld({ after });
    const [app, base] = [await through(fresh.appUrl), await through(fresh.ownerUrl)];
    const start = (urls: { appUrl: string; ownerUrl: string }) =>
      startedSite(t, { ...ofAll, DATABASE_URL: urls.appUrl, DATABASE_OWNER_URL: urls.ownerUrl });
    const first = await start({ appUrl: app.url, ownerUrl: base.url });
    app.freeze();
    base.freeze();
    await first.stop('SIGKILL');
    const killedAtMs = performance.now();
    const second = await start(fresh);
    assert.ok(performance.now() - killedAtMs < 30_000);
    assert.equal(await statusOf(`${second.origin}/readyz`), 200);
    assert.equal(await second.stop('SIGTERM'), 0);
  });
});

describe('two nodes on one database', async () => {
  const { database, site: ofAll, node } = await demoWorld({ after });

  it('share sessions and events through Redis, on connections that are kept alive, also if one started before it', {
    skip: withoutRedis,
  }, async (t) => {
    const redis = await redisServer({ after });
    const first = await startedSite(t, { ...node, REDIS_URL: redis.url });
    const readCoinPorts = () =>
      database.owner.rows(sql`select coin, port from sandbox.coin_nodes order by coin`);
    const portsBefore = await readCoinPorts();
    await redis.start();
    const second = await startedSite(t, { ...ofAll, REDIS_URL: redis.url });
    assert.deepEqual(await readCoinPorts(), portsBefore, 'the first node’s wallets go on to pay');
    const cookie = await signIn(second);
    assert.equal(await statusOf(`${first.origin}/api/user`, { cookie }), 200);
    assert.equal(await statusOf(`${second.origin}/api/user`, { cookie }), 200);

    const socket = new WebSocket(`${second.origin.replace('http', 'ws')}/ws`, {
      headers: { cookie, origin: second.origin },
    });
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    await new Promise((resolve, reject) => {
      socket.on('open', resolve);
      socket.on('error', reject);
    });
    if (skipWithoutSocketTimers === false)
      await assertKeptAlive(second, [new URL(database.appUrl).port, new URL(redis.url).port]);
    const logout = await fetch(`${first.origin}/api/auth/logout`, {
      method: 'POST',
      headers: { cookie, origin: first.origin },
    });
    assert.equal(logout.status, 204);
    assert.equal(await closed, 1008);
    assert.equal(await statusOf(`${second.origin}/api/user`, { cookie }), 401);
  });
});

describe('a node whose embedded PostgreSQL can’t be started again', () => {
  it('ends with 70 and one line', async () => {
    const { code, log } = await databaseLoss;
    assert.equal(code, 70, log);
    const lines = log.match(/^The embedded PostgreSQL .*$/gm) ?? [];
    assert.equal(lines.length, 1, log);
    assert.match(lines[0] ?? '', /ended and can't be started again: .*pg_control/);
  });
});
