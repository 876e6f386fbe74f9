import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { openDatabase, sql } from '#platform/database.ts';
import { testDatabase } from './database.ts';
import { freePort } from './free-port.ts';
import { redisServer, withoutRedis } from './redis-server.ts';
import {
  demoWorld,
  needDemoWorld,
  type RunningSite,
  refusalLines,
  startedNode,
  startedSite,
} from './running-site.ts';
import { skipWithoutSocketTimers, tcpConnectionsOf } from './socket-timers.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/**
 * The process as operators run it: one node, killed, stopped, and two nodes. A start costs seconds, so each `describe`
 * is one story: its cases go on with the node that the case before has left.
 */
const signIn = async (site: Pick<RunningSite, 'origin' | 'member'>): Promise<string> => {
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

/** Opens connections that send this and read nothing. */
async function openSilent(port: number, count: number, bytes: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write(bytes);
  return sockets;
}

/** Clients that begin a call or a socket, and then neither send nor read. */
async function silentClients({ origin }: RunningSite, cookie: string): Promise<Socket[]> {
  const port = Number(new URL(origin).port);
  const upgradeOf = (path: string) =>
    [
      `GET ${path} HTTP/1.1`,
      'Host: x',
      `Origin: ${origin}`,
      `Cookie: ${cookie}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    ].join('\r\n');
  const post = `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\n`;
  const sockets = await Promise.all([
    openSilent(port, 20, upgradeOf('/')),
    openSilent(port, 10, upgradeOf('/ws')),
    openSilent(port, 5, ''),
    openSilent(port, 5, 'GET / HTTP/1.1\r\nHost: x\r\n'),
    openSilent(port, 5, `${post}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{`),
  ]);
  return sockets.flat();
}

/** Without it the cases would begin at the same time, as the `describe`s around them do. */
const ONE_BY_ONE = { concurrency: 1 };

// They wait for limits of 20 seconds, so they wait at the same time.
describe('the process', { concurrency: 3 }, () => {
  describe('one node with its own PostgreSQL', ONE_BY_ONE, () => {
    const environment = { DATA_DIR: temporaryDirectory() };
    /** The file of the embedded PostgreSQL's process. It is there until that has stopped. */
    const postgresFile = join(environment.DATA_DIR, 'site/postgres/postmaster.pid');
    const killPostgres = () =>
      process.kill(Number(readFileSync(postgresFile, 'utf8').split('\n')[0]), 'SIGKILL');
    // A hook that a case adds would run at the end of this case.
    const ends: (() => Promise<void>)[] = [];
    const lifetime = { after: (end: () => Promise<void>) => void ends.push(end) };
    after(async () => {
      for (const end of ends.reverse()) await end();
    });
    let site: RunningSite;

    it('answers liveness and readiness, and serves metrics on their own port only', async () => {
      const metricsPort = await freePort();
      site = await startedSite(lifetime, { ...environment, METRICS_PORT: String(metricsPort) });
      assert.equal(site.freshWithout, environment.DATA_DIR);
      assert.equal(await statusOf(`${site.origin}/healthz`), 200);
      assert.equal(await statusOf(`${site.origin}/readyz`), 200);
      assert.equal(await statusOf(`${site.origin}/metrics`), 404);
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      assert.match(metrics, /^earnest_http_request_seconds_bucket/m);
      assert.match(metrics, /^process_resident_memory_bytes/m);
      assert.equal(await statusOf(`http://127.0.0.1:${metricsPort}/`), 404);
    });
    it('keeps running when a second start on its data is refused', async () => {
      const { length } = site.log();
      const second = startedSite(lifetime, environment);
      await assert.rejects(second, /ended with 1:\nDATA_DIR: another node uses [^\n]+\n$/);
      assert.equal(await statusOf(`${site.origin}/api/user`, { cookie: await signIn(site) }), 200);
      assert.equal(await statusOf(`${site.origin}/readyz`), 200);
      assert.doesNotMatch(site.log().slice(length), /"level":(50|60)/);
    });
    it('starts its PostgreSQL again after kill -9, and goes on', async () => {
      const cookie = await signIn(site);
      killPostgres();
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
      assert.ok(!/"level":60/.test(site.log()), site.log());
    });
    it('keeps everything that it acknowledged after kill -9, and names a zone that is not the site’s', async () => {
      const first = site;
      const cookie = await signIn(first);
      await first.stop('SIGKILL');
      const changed = { PORT: new URL(first.origin).port, SITE_TIMEZONE: 'Europe/Berlin' };
      site = await startedSite(lifetime, { ...environment, ...changed });
      assert.equal(site.origin, first.origin);
      assert.equal(await statusOf(`${site.origin}/api/user`, { cookie }), 200);
      assert.deepEqual(site.member, first.member);
      // A node with another zone changes no day, and says so.
      const { degraded } = (await (await fetch(`${site.origin}/readyz`)).json()) as { degraded: string[] };
      assert.ok(degraded.includes('site-timezone'), String(degraded));
      assert.match(site.log(), /Europe\/Berlin.*Asia\/Seoul|Asia\/Seoul.*Europe\/Berlin/);
    });
    it('finishes running calls on SIGTERM and exits with 0 within 5 s, however silent other clients are', async () => {
      const cookie = await signIn(site);
      const { length } = site.log();
      const sockets = await silentClients(site, cookie);
      let failed = 0;
      let answered = 0;
      let isStopping = false;
      // Another process may listen at the port once the site has ended.
      let isStopped = false;
      const callers = Array.from({ length: 8 }, async () => {
        while (!isStopped) {
          try {
            const status = await statusOf(`${site.origin}/api/user/stats`, { cookie });
            if (isStopped) return;
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
      const stoppedAtMs = performance.now();
      assert.equal(await site.stop('SIGTERM'), 0);
      isStopped = true;
      assert.ok(performance.now() - stoppedAtMs < 5_000, `${performance.now() - stoppedAtMs} ms`);
      await Promise.all(callers);
      assert.equal(failed, 0);
      // The other zone is said as an error before.
      assert.doesNotMatch(site.log().slice(length), /"level":(50|60)/);
      assert.equal(existsSync(postgresFile), false);
      for (const socket of sockets) socket.destroy();
    });
    it('stops its PostgreSQL also when a part does not end in its time', async () => {
      const { member } = site;
      site = await startedSite(lifetime, environment);
      assert.deepEqual(site.member, member);
      const port = readFileSync(postgresFile, 'utf8').split('\n')[3];
      const password = readFileSync(
        join(environment.DATA_DIR, 'site/secrets/postgres-superuser'),
        'utf8',
      ).trim();
      const url = `postgresql://postgres:${password}@127.0.0.1:${port}/earnest`;
      const owner = openDatabase({ url, connectionsMax: 1 });
      const nodes = await owner.rows<{ port: number }>(sql`select port from sandbox.coin_nodes`);
      await owner.close();
      // A simulated coin node waits for its clients.
      const sockets = await openSilent(nodes[0]?.port ?? 0, 1, 'POST / HTTP/1.1\r\n');
      const stoppedAtMs = performance.now();
      assert.equal(await site.stop('SIGTERM'), 1);
      assert.ok(performance.now() - stoppedAtMs < 26_000, `${performance.now() - stoppedAtMs} ms`);
      assert.equal(existsSync(postgresFile), false);
      assert.match(site.log(), /a part did not stop in its time/);
      for (const socket of sockets) socket.destroy();
    });
    it('ends with 70 and one line if its PostgreSQL can’t be started again in half a minute', async () => {
      site = await startedSite(lifetime, environment);
      rmSync(join(environment.DATA_DIR, 'site/postgres/global/pg_control'));
      killPostgres();
      assert.equal(await site.ended, 70, site.log());
      const lines = site.log().match(/^The embedded PostgreSQL .*$/gm) ?? [];
      assert.equal(lines.length, 1, site.log());
      assert.match(lines[0] ?? '', /ended and can't be started again: .*pg_control/);
    });
  });

  describe('nodes without Redis', ONE_BY_ONE, () => {
    it('are refused in one line if application and owner have different databases', async () => {
      const [one, other] = [await testDatabase({ after }), await testDatabase({ after })];
      const lines = await refusalLines({ DATABASE_URL: one.appUrl, DATABASE_OWNER_URL: other.ownerUrl });
      assert.match(lines.join('\n'), /^DATABASE_URL, DATABASE_OWNER_URL: .+$/);
      const { tables } = await other.owner.one<{ tables: bigint }>(
        sql`select count(*) as tables from pg_tables where schemaname = 'sandbox'`,
      );
      assert.equal(tables, 0n);
    });
    it('are refused in one line with another APP_SECRET than that of the first start', async () => {
      const { site: ofAll } = await demoWorld({ after });
      const lines = await refusalLines({ ...ofAll, APP_SECRET: Buffer.alloc(32, 2).toString('base64') });
      assert.match(lines.join('\n'), /^APP_SECRET: is not the one .+$/);
    });
    it('refuse a second, which takes over within 30 s of a kill behind a half-open connection', async (t) => {
      const through = async (url: string) => {
        const { hostname, port } = new URL(url);
        const proxy = await startTcpProxy({ after }, hostname, Number(port));
        const changed = new URL(url);
        changed.host = `127.0.0.1:${proxy.port}`;
        return { url: changed.href, freeze: proxy.freeze };
      };
      const { database, site: ofAll } = await demoWorld({ after });
      const [app, base] = [await through(database.appUrl), await through(database.ownerUrl)];
      const first = await startedSite(t, {
        ...ofAll,
        DATABASE_URL: app.url,
        DATABASE_OWNER_URL: base.url,
      });
      const lines = await refusalLines(ofAll);
      assert.match(lines.join('\n'), /^REDIS_URL: is required, because another node .+$/);
      assert.equal(await statusOf(`${first.origin}/readyz`), 200);
      app.freeze();
      base.freeze();
      await first.stop('SIGKILL');
      const killedAtMs = performance.now();
      const second = await startedNode(t, ofAll);
      assert.ok(performance.now() - killedAtMs < 30_000);
      assert.equal(await statusOf(`${second.origin}/readyz`), 200);
      await second.close();
    });
  });

  describe('two nodes with Redis', { skip: withoutRedis }, () => {
    it('share sessions and events, on connections that are kept alive, also if one started before it', async (t) => {
      const { database, site: ofAll, node } = await demoWorld({ after });
      const redis = await redisServer({ after });
      const first = await startedSite(t, { ...node, REDIS_URL: redis.url });
      // A node with Redis runs also while its Redis is away, and one without it is refused beside it.
      assert.match((await refusalLines(ofAll)).join('\n'), /^REDIS_URL: is required/);
      const answered = statusOf(`${first.origin}/readyz`);
      assert.equal(await answered.catch(({ cause }) => `${cause}\n${first.log()}`), 200);
      const readCoinPorts = () =>
        database.owner.rows(sql`select coin, port from sandbox.coin_nodes order by coin`);
      const portsBefore = await readCoinPorts();
      await redis.start();
      const second = await startedNode(t, { ...ofAll, REDIS_URL: redis.url });
      assert.deepEqual(await readCoinPorts(), portsBefore, 'the first node’s wallets go on to pay');
      const cookie = await signIn(second);
      assert.equal(await statusOf(`${first.origin}/api/user`, { cookie }), 200);
      assert.equal(await statusOf(`${second.origin}/api/user`, { cookie }), 200);

      const socket = new WebSocket(`${first.origin.replace('http', 'ws')}/ws`, {
        headers: { cookie, origin: first.origin },
      });
      const closed = new Promise<number>((resolve) => socket.on('close', resolve));
      await new Promise((resolve, reject) => {
        socket.on('open', resolve);
        socket.on('error', reject);
      });
      if (skipWithoutSocketTimers === false)
        await assertKeptAlive(first, [new URL(database.appUrl).port, new URL(redis.url).port]);
      const logout = await fetch(`${second.origin}/api/auth/logout`, {
        method: 'POST',
        headers: { cookie, origin: second.origin },
      });
      assert.equal(logout.status, 204);
      assert.equal(await closed, 1008);
      assert.equal(await statusOf(`${first.origin}/api/user`, { cookie }), 401);
    });
  });
});
