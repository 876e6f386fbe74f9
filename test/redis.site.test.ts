import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { redisServer, withoutRedis } from './redis-server.ts';
import { testSite } from './site.ts';

/**
 * A site under load while its Redis is absent at the start, comes, is frozen, killed and comes back. `CAMPAIGN_RUNS`
 * sets how often (once by default; `npm run campaign -- redis`).
 */
const CAMPAIGN_RUNS = Number(process.env.CAMPAIGN_RUNS ?? 1);
const CALLERS = 6;
const PHASE_MS = 400;
/** What calls may take more than the limit of 300 ms, beside other work on the machine. */
const SLACK_MS = 500;

const redis = await redisServer({ after });
const site = await testSite({ after }, { REDIS_URL: redis.url });
const person = await site.member({ balancePoints: 1_000_000n });
const balances: string[] = [];
const socket = new WebSocket(`${site.origin.replace('http', 'ws')}/ws`, {
  headers: { cookie: person.cookie, origin: site.origin },
});
socket.on('message', (raw) => {
  const frame = JSON.parse(String(raw));
  if (frame.type === 'balance') balances.push(frame.balance);
});
await once(socket, 'open');
after(() => socket.terminate());

type Phase = { calls: number; longestMs: number; statuses: Set<number> };

describe('a site whose Redis fails', { skip: withoutRedis }, () => {
  /** Reads and writes for the time of a phase. `act` happens soon after its begin. */
  async function phase(act: () => unknown, lastsMs = PHASE_MS): Promise<Phase> {
    const result: Phase = { calls: 0, longestMs: 0, statuses: new Set() };
    const endMs = performance.now() + lastsMs;
    const callers = Array.from({ length: CALLERS }, async (_, index) => {
      while (performance.now() < endMs) {
        const startedMs = performance.now();
        const answer = await (index % 3 === 0
          ? site.call('PUT', '/api/user/settings', { as: person, body: { language: 'ko' } })
          : site.call('GET', index % 3 === 1 ? '/api/user' : '/api/user/stats', { as: person }));
        result.calls += 1;
        result.longestMs = Math.max(result.longestMs, performance.now() - startedMs);
        result.statuses.add(answer.status);
      }
    });
    await sleep(50);
    await act();
    await Promise.all(callers);
    return result;
  }

  const isJoined = () => site.platform.bus.redis?.isReady === true;
  const untilJoined = async () => {
    const deadlineMs = performance.now() + 10_000;
    while (!isJoined()) {
      assert.ok(performance.now() < deadlineMs, 'Redis was not joined in time');
      await sleep(20);
    }
  };
  /** News of this node reach its socket, whatever Redis does. */
  async function hearNews(): Promise<void> {
    const balance = String(balances.length + 1_000_000_000);
    site.platform.bus.announce({ memberId: person.id, event: { type: 'balance', balance } });
    const deadlineMs = performance.now() + 1_000;
    while (!balances.includes(balance)) {
      assert.ok(performance.now() < deadlineMs, 'the news did not come');
      await sleep(5);
    }
  }

  it('answers every call without a fault and within 300 ms more, tells its news, and recovers by itself', async () => {
    const phases: Record<string, Phase> = {};
    const run = async (name: string, act: () => unknown, lastsMs?: number) => {
      phases[name] = await phase(act, lastsMs);
      await hearNews();
      const wrong = await site.call('POST', '/api/auth/login', {
        body: { email: 'nobody@example.com', password: 'a wrong one' },
      });
      assert.ok(wrong.status < 500, `${name}: a sign-in got ${wrong.status}`);
    };
    await run('absent at the start', () => assert.equal(isJoined(), false));
    await redis.start();
    await untilJoined();
    await run('well', () => {});
    for (let round = 1; round <= CAMPAIGN_RUNS; round += 1) {
      // A longer freeze than a connection may be silent only in the campaign.
      const frozenMs = round % 3 === 2 ? 5_000 : PHASE_MS;
      await run(`frozen ${round}`, () => redis.freeze(), frozenMs);
      assert.equal(isJoined(), false);
      await run(`thawed ${round}`, () => redis.thaw());
      await untilJoined();
      await run(`gone ${round}`, () => redis.kill());
      assert.equal(isJoined(), false);
      await run(`back ${round}`, () => redis.start());
      await untilJoined();
    }
    const { well } = phases;
    assert.ok(well);
    for (const [name, { calls, longestMs, statuses }] of Object.entries(phases)) {
      assert.ok(calls > CALLERS, `${name}: only ${calls} calls`);
      assert.deepEqual([...statuses], [200], name);
      const limitMs = well.longestMs + 300 + SLACK_MS;
      assert.ok(
        longestMs < limitMs,
        `${name}: a call took ${longestMs} ms, the longest before ${well.longestMs}`,
      );
    }
  });
});
