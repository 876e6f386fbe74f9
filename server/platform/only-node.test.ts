import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from '../../test/database.ts';
import { sql } from './database.ts';
import { createHealth } from './health.ts';
import { takeLease } from './leases.ts';
import { createLog } from './log.ts';
import { becomeOnlyNode, type ClaimOptions, claimAsOneOfSeveral } from './only-node.ts';

/** Which nodes may use one database at the same time. */
const { owner: database } = await testDatabase({ after });
const log = createLog('silent');
const health = createHealth(log);
const parts = { database, log, health };
const ended: string[] = [];
const released: (() => Promise<void>)[] = [];

type Kind = typeof becomeOnlyNode;
/** Starts a node with a data directory of its own. True if it may run. */
async function start(kind: Kind, name: string, options: Partial<ClaimOptions> = {}) {
  const claim = await kind(parts, {
    dataDir: `/nowhere/${name}`,
    onLost: () => ended.push(name),
    waitMsMax: 0,
    renewedEveryMs: 20,
    ...options,
  });
  if (claim) released.push(claim.release);
  return claim !== undefined;
}
const expire = (name: string) =>
  database.rows(sql`update platform.leases set expires_at = clock_timestamp() where name = ${name}`);
const stopAll = async () => {
  for (const release of released.splice(0)) await release();
};
const until = async (isTrue: () => boolean) => {
  for (let tries = 0; !isTrue(); tries += 1) {
    assert.ok(tries < 500);
    await sleep(10);
  }
};

afterEach(async () => {
  await stopAll();
  await database.rows(sql`delete from platform.leases`);
  ended.splice(0);
});

describe('a node without Redis', () => {
  it('is refused beside nodes with Redis, and starts once all have stopped', async () => {
    assert.ok(await start(claimAsOneOfSeveral, 'one'));
    assert.ok(await start(claimAsOneOfSeveral, 'two'));
    assert.ok(!(await start(becomeOnlyNode, 'alone')));
    await sleep(60);
    assert.deepEqual(ended, [], 'those that run go on');
    await stopAll();
    await expire('redis-nodes');
    assert.ok(await start(becomeOnlyNode, 'alone'));
    assert.ok(!(await start(becomeOnlyNode, 'another')));
  });

  it('never takes its lease beside nodes with Redis, which would end at a renewal that finds it taken', async () => {
    assert.ok(await start(claimAsOneOfSeveral, 'one', { renewedEveryMs: 1 }));
    for (let tries = 0; tries < 30; tries += 1) assert.ok(!(await start(becomeOnlyNode, 'alone')));
    await sleep(60);
    assert.deepEqual(ended, []);
  });

  it('waits for the lease of nodes that have stopped', async () => {
    assert.ok(await start(claimAsOneOfSeveral, 'one'));
    await stopAll();
    const starting = start(becomeOnlyNode, 'alone', { waitMsMax: 10_000 });
    await sleep(100);
    await expire('redis-nodes');
    assert.ok(await starting);
  });
});

describe('a node with Redis', () => {
  it('is refused beside a node without it, and starts once that one has stopped', async () => {
    assert.ok(await start(becomeOnlyNode, 'alone'));
    assert.ok(!(await start(claimAsOneOfSeveral, 'one')));
    await stopAll();
    assert.ok(await start(claimAsOneOfSeveral, 'one'));
  });

  it('starts at once after a node without it whose process of the same data directory has ended', async () => {
    assert.ok(await start(becomeOnlyNode, 'same'));
    // The holder is this process itself, which counts as one that has ended.
    assert.ok(await start(claimAsOneOfSeveral, 'same'));
  });

  it('ends when a node without it has started while it could not renew', async () => {
    assert.ok(await start(claimAsOneOfSeveral, 'late', { renewedEveryMs: 300 }));
    await expire('redis-nodes');
    assert.ok(await start(becomeOnlyNode, 'alone'));
    await until(() => ended.length > 0);
    assert.deepEqual(ended, ['late']);
  });

  it('reports that it could not renew its claim, until it can again', async () => {
    assert.ok(await start(claimAsOneOfSeveral, 'one'));
    await database.rows(sql`alter table platform.leases rename to leases_away`);
    const isReported = () => health.troubles().some(({ name }) => name === 'lease-redis-nodes');
    try {
      await until(isReported);
    } finally {
      await database.rows(sql`alter table platform.leases_away rename to leases`);
    }
    await until(() => !isReported());
    assert.deepEqual(ended, [], 'it goes on');
  });

  it('leaves a late node without it no lease that could be renewed', async () => {
    const late = await takeLease(parts, 'only-node');
    assert.ok(late);
    await expire('only-node');
    assert.ok(await start(claimAsOneOfSeveral, 'one'));
    const renewed = await database.rows(sql`
      select from platform.leases
      where name = 'only-node' and token = ${late.token} and expires_at > '-infinity'`);
    assert.deepEqual(renewed, []);
    await late.release();
  });
});

describe('a start on a database that another node keeps', () => {
  it('waits 20 s for it, longer than a lease lasts, and gives up then', async () => {
    assert.ok(await start(becomeOnlyNode, 'alone'));
    const startedAtMs = performance.now();
    const started = await Promise.all(
      [becomeOnlyNode, claimAsOneOfSeveral].map((kind) =>
        kind(parts, { dataDir: '/nowhere/late', onLost: assert.fail }),
      ),
    );
    const waitedMs = performance.now() - startedAtMs;
    assert.deepEqual(started, [undefined, undefined]);
    assert.ok(waitedMs > 19_900, `${waitedMs} ms`);
    assert.deepEqual(ended, [], 'the node that runs goes on');
  });
});

describe('nodes of both kinds that start at the same time', () => {
  it('never run together', async () => {
    const rounds = Number(process.env.CAMPAIGN_RUNS ?? 3);
    for (let round = 0; round < rounds; round += 1) {
      const names = ['a', 'b', 'c', 'd'].map((name) => `${round}${name}`);
      const [one, two, three, four] = await Promise.all([
        start(becomeOnlyNode, String(names[0])),
        start(claimAsOneOfSeveral, String(names[1])),
        start(becomeOnlyNode, String(names[2])),
        start(claimAsOneOfSeveral, String(names[3])),
      ]);
      const [alone, together] = [Number(one) + Number(three), Number(two) + Number(four)];
      assert.ok(alone <= 1 && !(alone === 1 && together > 0), `${alone} without Redis, ${together} with it`);
      await stopAll();
      await database.rows(sql`delete from platform.leases`);
    }
  });
});
