import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from './database.ts';
import { freePort } from './free-port.ts';
import { type RunningSite, startedSite } from './running-site.ts';
import { startDatabaseProxy } from './tcp-proxy.ts';

/** A node whose database falls silent: what callers, the load balancer and operators see, and how it recovers. */
const ANSWERED_MS_MAX = 3_000;
const READINESS_MS_MAX = 2_000;
const READY_AGAIN_MS_MAX = 5_000;
const WELL_AGAIN_MS_MAX = 15_000;

type Timed = { status: number; ms: number; body: string };

async function call(url: string, init: RequestInit = {}): Promise<Timed> {
  const startedAtMs = performance.now();
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
  const body = await answer.text();
  return { status: answer.status, ms: performance.now() - startedAtMs, body };
}

async function signIn({ origin, member }: RunningSite): Promise<string> {
  const answer = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify(member),
  });
  assert.equal(answer.status, 200);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

/** Waits until the check passes, and returns how long that took. */
async function untilPasses(
  log: () => string,
  what: string,
  msMax: number,
  check: () => Promise<boolean>,
): Promise<number> {
  const startedAtMs = performance.now();
  for (;;) {
    const isPassed = await check();
    const ms = performance.now() - startedAtMs;
    if (isPassed) return ms;
    assert.ok(ms < msMax, `${what} took longer than ${msMax} ms; the node's log:\n${log()}`);
    await sleep(100);
  }
}

async function startNode(urls: { appUrl: string; ownerUrl: string }) {
  const metricsPort = await freePort();
  const site = await startedSite(
    { after },
    {
      DATABASE_URL: urls.appUrl,
      DATABASE_OWNER_URL: urls.ownerUrl,
      APP_SECRET: Buffer.alloc(32, 1).toString('base64'),
      METRICS_PORT: String(metricsPort),
    },
  );
  const cookie = await signIn(site);
  const { origin } = site;
  const write = (path: string, body: unknown): Promise<Timed> =>
    call(`${origin}${path}`, {
      method: 'POST',
      headers: { cookie, origin, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const calls = {
    stats: () => call(`${origin}/api/user/stats`, { headers: { cookie } }),
    history: () => call(`${origin}/api/user/history`, { headers: { cookie } }),
    flip: () => write('/api/coin-flip', { betAmount: 1, playerChoice: 'heads' }),
    signIn: () => write('/api/auth/login', site.member),
    postback: () => call(`${origin}/api/webhooks/postback/cpx?status=1&trans_id=1&user_id=1`),
  };
  const degraded = async (): Promise<string[]> => {
    const text = (await call(`http://127.0.0.1:${metricsPort}/metrics`)).body;
    return [...text.matchAll(/^earnest_degraded\{name="([^"]+)"\} 1$/gm)].map(([, name = '']) => name);
  };
  return { site, calls, degraded, readyz: () => call(`${origin}/readyz`), write };
}
type Node = Awaited<ReturnType<typeof startNode>>;

/** Calls of each kind, many together, as the database falls silent. */
async function assertAnswered(node: Node): Promise<void> {
  const kinds = Object.values(node.calls);
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => kinds[index % kinds.length]?.()),
  );
  for (const answer of answers) {
    assert.equal(answer?.status, 503, answer?.body);
    assert.ok(answer.ms < ANSWERED_MS_MAX, `answered after ${answer.ms} ms`);
  }
}

async function assertNotReady(node: Node): Promise<void> {
  const { status, ms, body } = await node.readyz();
  assert.equal(status, 503);
  assert.ok(ms < READINESS_MS_MAX, `readiness after ${ms} ms`);
  assert.ok(JSON.parse(body).degraded.includes('database'), body);
}

async function assertRecovers(node: Node): Promise<void> {
  const { log, member } = node.site;
  await untilPasses(log, 'readiness', READY_AGAIN_MS_MAX, async () => (await node.readyz()).status === 200);
  const { email } = member;
  const countMails = async () => {
    const { body } = await call(`${node.site.origin}/sandbox/outbox`);
    return JSON.parse(body).filter(({ to }: { to: string }) => to === email).length as number;
  };
  const before = await countMails();
  assert.equal((await node.calls.stats()).status, 200);
  const { status, body } = await node.write('/api/auth/forgot-password', { email });
  assert.ok(status < 300, body);
  await untilPasses(log, 'a job', WELL_AGAIN_MS_MAX, async () => (await countMails()) > before);
  await untilPasses(log, 'every sweep', WELL_AGAIN_MS_MAX, async () => (await node.degraded()).length === 0);
}

describe('a node whose connections to the database swallow everything', async () => {
  const { appUrl, ownerUrl } = await testDatabase({ after });
  const proxy = await startDatabaseProxy({ after }, appUrl);
  const throughProxy = Object.assign(new URL(ownerUrl), { host: `127.0.0.1:${proxy.port}` });
  const node = await startNode({ appUrl: proxy.url, ownerUrl: throughProxy.href });

  it('answers 503 within 3 s, says so, and works again by itself', async () => {
    const isWell = async () => (await node.degraded()).length === 0;
    await untilPasses(node.site.log, 'every part', WELL_AGAIN_MS_MAX, isWell);
    proxy.freeze();
    const silentAtMs = performance.now();
    assert.equal((await node.readyz()).status, 200, 'a moment of silence takes no node out');
    await assertAnswered(node);
    await assertNotReady(node);
    assert.equal((await call(`${node.site.origin}/healthz`)).status, 200);
    await sleep(4_000 - (performance.now() - silentAtMs));
    const degraded = await node.degraded();
    for (const name of ['database', 'sweep-referrals', 'jobs'])
      assert.ok(degraded.includes(name), `${name} of ${degraded}`);
    proxy.heal();
    await assertRecovers(node);
  });

  it('serves on when only the open connections do', async () => {
    proxy.freezeOpen();
    for (const answer of await Promise.all([node.calls.stats(), node.calls.flip(), node.readyz()]))
      assert.ok(answer.ms < ANSWERED_MS_MAX, `answered after ${answer.ms} ms`);
    await assertRecovers(node);
  });
});
