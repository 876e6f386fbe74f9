import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { redisServer, withoutRedis } from '../../test/redis-server.ts';
import { startTcpProxy } from '../../test/tcp-proxy.ts';
import { type Bus, createBus, type SessionChange } from './bus.ts';
import { createLimits, type Limit, type Limits } from './http/limits.ts';
import { createLog } from './log.ts';
import { openRedis } from './redis.ts';

const log = createLog('silent');
const limit: Limit = { name: 'tries', max: 5, perS: 600, scaledIn: 'never' };
/** What a busy machine may add to any time. */
const SLACK_MS = 500;

/** A node as far as it uses Redis. */
type Node = {
  bus: Bus;
  limits: Limits;
  /** What the node's own parts heard, in order. */
  heard: string[];
  sessionChanges: SessionChange[];
  troubles: (string | undefined)[];
};

async function startNode(url: string, site = 'one'): Promise<Node> {
  const troubles: (string | undefined)[] = [];
  const bus = await createBus({ url, site }, log, (trouble) => troubles.push(trouble));
  after(() => bus.close());
  const heard: string[] = [];
  const sessionChanges: SessionChange[] = [];
  bus.onNews(({ event }) => heard.push('balance' in event ? event.balance : event.type));
  bus.onSessionChange((change) => sessionChanges.push(change));
  const limits = createLimits({ mode: 'live', limitFactor: 1 }, bus.redis);
  return { bus, limits, heard, sessionChanges, troubles };
}

const say = ({ bus }: Node, balance: string) =>
  bus.announce({ memberId: 1, event: { type: 'balance', balance } });

async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 10_000;
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadlineMs, `Not in time: ${what}`);
    await sleep(20);
  }
}
const untilWell = (...nodes: Node[]) =>
  until('Redis answers', () => nodes.every(({ bus }) => bus.redis?.isReady === true));

/** Calls one after the other; the time of each in milliseconds. */
async function timesOf(calls: number, call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let made = 0; made < calls; made += 1) {
    const startedMs = performance.now();
    await call();
    times.push(performance.now() - startedMs);
  }
  return times;
}

/** The calls of this many that a limit lets pass. */
async function passing({ limits }: Node, key: string, calls: number): Promise<number> {
  let passed = 0;
  for (let made = 0; made < calls; made += 1) if (await limits.isWithin(limit, key)) passed += 1;
  return passed;
}

describe('nodes with Redis', { skip: withoutRedis }, async () => {
  const server = await redisServer({ after });

  it('start while Redis is away, and join when it comes', async () => {
    const startedMs = performance.now();
    const [one, other] = await Promise.all([startNode(server.url), startNode(server.url)]);
    assert.ok(performance.now() - startedMs < 1_000 + SLACK_MS);
    say(one, 'alone');
    assert.deepEqual([one.heard, other.heard], [['alone'], []]);
    assert.equal(await passing(one, 'a', 8), 5);
    assert.match(one.troubles.join(), /^Redis does not answer/);

    await server.start();
    await until('both are told', () => one.troubles.length === 2 && other.troubles.length === 2);
    assert.deepEqual([one.troubles[1], other.troubles[1]], [undefined, undefined]);
    say(one, 'joined');
    await until('the other hears', () => other.heard.includes('joined'));
    assert.deepEqual(one.heard, ['alone', 'joined']);
    assert.equal((await passing(one, 'b', 4)) + (await passing(other, 'b', 4)), 5);
  });

  it('hear nothing of another site on the same Redis, and count apart from it', async () => {
    const [here, beside, elsewhere] = [
      await startNode(server.url),
      await startNode(server.url),
      await startNode(server.url, 'another'),
    ];
    await untilWell(here, beside, elsewhere);
    const changes = elsewhere.sessionChanges.length;
    here.bus.announceSessionChange({ memberId: 7 });
    say(here, 'of one site');
    await until('the other node of the site hears', () => beside.heard.includes('of one site'));
    say(elsewhere, 'of another site');
    assert.deepEqual(elsewhere.heard, ['of another site']);
    assert.equal(elsewhere.sessionChanges.length, changes);
    assert.equal(await passing(here, 'shared', 8), 5);
    assert.equal(await passing(beside, 'shared', 8), 0);
    assert.equal(await passing(elsewhere, 'shared', 8), 5);
    assert.deepEqual([beside.heard, elsewhere.heard], [['of one site'], ['of another site']]);
    await here.limits.forgive(limit, 'shared');
    assert.equal(await passing(elsewhere, 'shared', 1), 0, 'only the site’s own count was reset');
    const client = await createClient({ url: server.url }).connect();
    const names = await client.keys('*');
    client.destroy();
    assert.deepEqual(
      names.filter((name) => !/^earnest:(one|another):/.test(name)),
      [],
    );
  });

  it('wait at most 300 ms for a frozen Redis, and only once', async () => {
    const [one, other] = [await startNode(server.url), await startNode(server.url)];
    await untilWell(one, other);
    assert.equal(await passing(one, 'c', 5), 5);
    server.freeze();
    try {
      const attempt = () => one.limits.attempt({ limit, key: 'd' }, [], async () => undefined);
      const [first = 0, ...rest] = await timesOf(4, attempt);
      assert.ok(first < 300 + SLACK_MS, `the first call took ${first} ms`);
      assert.ok(Math.max(...rest) < SLACK_MS, `later calls took ${rest} ms`);
      // Redis had counted this key up to its limit.
      assert.equal(await passing(one, 'c', 8), 5);
      say(one, 'frozen');
      assert.deepEqual(one.heard, ['frozen']);
      one.bus.announceSessionChange({ memberId: 7 });
      assert.deepEqual(one.sessionChanges.at(-1), { memberId: 7 });
    } finally {
      server.thaw();
    }
    const heardBefore = other.sessionChanges.length;
    await untilWell(one, other);
    await until('the missed change is told', () =>
      other.sessionChanges.slice(heardBefore).some(({ memberId }) => memberId === null),
    );
    assert.equal(await passing(one, 'c', 2), 0);
  });

  it('go on without a Redis that was killed, and empty their caches when it is back', async () => {
    const node = await startNode(server.url);
    await untilWell(node);
    await server.kill();
    const times = await timesOf(5, () => node.limits.isWithin(limit, 'e'));
    assert.ok(Math.max(...times) < 300 + SLACK_MS, String(times));
    await node.limits.forgive(limit, 'e');
    assert.equal(await passing(node, 'e', 8), 5);
    say(node, 'gone');
    assert.deepEqual(node.heard, ['gone']);
    const changes = node.sessionChanges.length;
    await server.start();
    await untilWell(node);
    await until('caches are emptied', () => node.sessionChanges.length > changes);
    assert.deepEqual(node.sessionChanges.at(-1), { memberId: null });
    assert.equal(await passing(node, 'e', 8), 5);
  });

  it('count alone while Redis refuses to write', async () => {
    const node = await startNode(server.url);
    await untilWell(node);
    const client = await createClient({ url: server.url }).connect();
    await client.sendCommand(['REPLICAOF', '127.0.0.1', '1']);
    assert.equal(await passing(node, 'f', 8), 5);
    await until('it is told', () => node.troubles.at(-1) !== undefined);
    await client.sendCommand(['REPLICAOF', 'NO', 'ONE']);
    await untilWell(node);
    client.destroy();
  });

  it('connect anew when their server became a replica and the address leads to another', async () => {
    const [first, second] = [await redisServer({ after }), await redisServer({ after })];
    await Promise.all([first.start(), second.start()]);
    const portOf = ({ url }: { url: string }) => Number(new URL(url).port);
    const address = await startTcpProxy({ after }, '127.0.0.1', portOf(first));
    const url = `redis://127.0.0.1:${address.port}`;
    const [one, other] = [await startNode(url), await startNode(url)];
    await untilWell(one, other);
    const operator = await createClient({ url: first.url }).connect();
    await operator.sendCommand(['REPLICAOF', '127.0.0.1', String(portOf(second))]);
    await until('the trouble', () => [one, other].every(({ troubles }) => troubles.at(-1) !== undefined));
    address.leadTo(portOf(second));
    await untilWell(one, other);
    await operator.close();
    await first.kill();
    await until('news by the new server', () => {
      say(one, '7');
      return other.heard.includes('7');
    });
    await until('the end of the trouble', () =>
      [one, other].every(({ troubles }) => troubles.at(-1) === undefined),
    );
  });

  it('make a connection anew that swallows everything', async () => {
    const proxy = await startTcpProxy({ after }, '127.0.0.1', Number(new URL(server.url).port));
    const changes: boolean[] = [];
    const connection = await openRedis(`redis://127.0.0.1:${proxy.port}`, {
      log,
      probe: (client) => client.ping(),
      onChange: (isAnswering) => changes.push(isAnswering),
      silentMsMax: 700,
    });
    after(() => connection.close());
    assert.equal(await connection.start(2_000), true);
    proxy.freezeOpen();
    await until('it is away and back', () => changes.length === 3);
    assert.deepEqual(changes, [true, false, true]);
    assert.equal(await connection.ask((client) => client.ping()), 'PONG');
  });

  it('end at once although Redis is frozen', async () => {
    const bus = await createBus({ url: server.url, site: 'one' }, log);
    server.freeze();
    try {
      bus.announceSessionChange({ memberId: 1 });
      const [took = 0] = await timesOf(1, () => bus.close());
      assert.ok(took < 300 + SLACK_MS, `${took} ms`);
    } finally {
      server.thaw();
    }
  });
});
