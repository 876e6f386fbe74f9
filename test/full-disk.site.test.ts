import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, sql } from '#platform/database.ts';
import { runAdmin } from './admin-command.ts';
import { startedNode } from './running-site.ts';
import { fill, NO_SMALL_DISK, smallDisk } from './small-disk.ts';

/** A site whose disk is full, over HTTP. */
const RECOVERED_MS_MAX = 30_000;

type Lifetime = { after: (work: () => Promise<void>) => void };

it('answers bookings with 503 while the disk is full, and books again once there is space', async (t) => {
  // The site stops while its disk is there.
  const ends: (() => Promise<void>)[] = [];
  const lifetime: Lifetime = { after: (end) => void ends.push(end) };
  t.after(async () => {
    for (const end of ends.reverse()) await end();
  });
  const dataDir = smallDisk(lifetime, '400m');
  if (dataDir === undefined) return t.skip(NO_SMALL_DISK);
  const environment = { DATA_DIR: dataDir, LIMIT_FACTOR: '100' };
  const site = await startedNode(lifetime, environment);
  const { origin } = site;
  const post = async (path: string, body: unknown, cookie = '') =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { origin, cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const login = await post('/api/auth/login', site.member);
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const book = async () =>
    (await post('/api/coin-flip', { betAmount: 1, playerChoice: 'heads' }, cookie)).status;
  const postgresFile = join(dataDir, 'site/postgres/postmaster.pid');
  const port = readFileSync(postgresFile, 'utf8').split('\n')[3];
  const password = readFileSync(join(dataDir, 'site/secrets/postgres-superuser'), 'utf8').trim();
  const superuser = openDatabase({
    url: `postgresql://postgres:${password}@127.0.0.1:${port}/earnest`,
    connectionsMax: 1,
    onError: () => undefined,
  });
  lifetime.after(() => superuser.close());
  const countGames = async () =>
    Number((await superuser.one<{ games: bigint }>(sql`select count(*) as games from coinflip.games`)).games);
  const gamesBefore = await countGames();
  assert.equal(await book(), 200);
  const ballast = join(dataDir, 'ballast');
  fill(ballast);
  // The log of the database has room left in its file, which many bookings would use up.
  const fillLog = async () => {
    for (let megabytes = 0; megabytes < 100; megabytes += 1)
      await superuser.rows(sql`select pg_logical_emit_message(false, 'filling', repeat('x', 1000000))`);
  };
  await assert.rejects(fillLog());
  let booked = 1;
  for (let turns = 0; turns < 20; turns += 1) {
    assert.equal(await book(), 503);
    await sleep(150);
  }
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
  const { degraded } = (await (await fetch(`${origin}/readyz`)).json()) as { degraded: string[] };
  assert.ok(degraded.includes('embedded-postgres') || degraded.includes('database-writes'), String(degraded));

  rmSync(ballast);
  const freedAtMs = performance.now();
  for (let status = 0; status !== 200; await sleep(100)) {
    status = await book();
    assert.ok(status === 200 || status === 503, String(status));
    assert.ok(performance.now() - freedAtMs < RECOVERED_MS_MAX, site.log());
  }
  booked += 1;
  assert.equal(await book(), 200);
  booked += 1;
  const games = (await countGames()) - gamesBefore;
  assert.ok(games >= booked, `${games} games are kept, of ${booked} that were acknowledged`);
  const audit = await runAdmin(environment, 'audit');
  assert.deepEqual([audit.code, audit.said], [0, 'The books balance.\n'], audit.complained);
  assert.doesNotMatch(site.log(), /"level":60/);
  await site.close();
  assert.equal(existsSync(postgresFile), false);
});
