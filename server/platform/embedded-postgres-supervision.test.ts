import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_SMALL_DISK, smallDisk } from '../../test/small-disk.ts';
import { isDatabaseOutage, openDatabase, sql, sqlText } from './database.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { superviseEmbeddedPostgres } from './embedded-postgres-supervision.ts';
import { createHealth } from './health.ts';
import { createLog } from './log.ts';

const log = createLog('silent');
const health = createHealth(log);
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'supervised-'));
after(() => fs.rmSync(dataDir, { recursive: true, force: true }));
const server = await startEmbeddedPostgres({ dataDir });
const database = openDatabase({ url: server.superuserUrl, connectionsMax: 2, onError: () => undefined });
const troubles = () => health.troubles().map(({ name }) => name);

const killServer = () =>
  process.kill(
    Number(fs.readFileSync(path.join(server.directory, 'postmaster.pid'), 'utf8').split('\n')[0]),
    'SIGKILL',
  );

async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; waited < 20_000 && !isSo(); waited += 10) await sleep(10);
  assert.ok(isSo());
}

test('starts a killed server again, each time, with all committed rows and the same address', async () => {
  const supervision = superviseEmbeddedPostgres(
    server,
    { log, health },
    { onGivenUp: assert.fail, checkedEveryMs: 20, pauseMs: 20 },
  );
  await database.rows(sqlText('create table kept (number integer)'));
  for (const number of [1, 2]) {
    await database.rows(sql`insert into kept values (${number})`);
    killServer();
    await until(() => troubles().includes('embedded-postgres'));
    await until(() => troubles().length === 0);
    const { kept } = await database.one<{ kept: bigint }>(sql`select count(*) as kept from kept`);
    assert.equal(kept, BigInt(number));
  }
  await supervision.stop();
});

test('answers an outage on a full disk, and goes on when there is space', async (t) => {
  let unmount = async (): Promise<void> => undefined;
  const unmountLast = (work: () => Promise<void>) => {
    unmount = work;
  };
  const small = smallDisk({ after: unmountLast }, '80m');
  if (small === undefined) return t.skip(NO_SMALL_DISK);
  const full = await startEmbeddedPostgres({ dataDir: small });
  const rows = openDatabase({ url: full.superuserUrl, connectionsMax: 1, onError: () => undefined });
  const supervision = superviseEmbeddedPostgres(
    full,
    { log, health },
    { onGivenUp: assert.fail, checkedEveryMs: 20, pauseMs: 20 },
  );
  t.after(async () => {
    await supervision.stop();
    await rows.close();
    await full.close();
    await unmount();
  });
  await rows.rows(sqlText('create table kept as select 1 as number'));
  const ballast = path.join(small, 'ballast');
  assert.throws(() => fs.writeFileSync(ballast, Buffer.alloc(100_000_000)), { code: 'ENOSPC' });
  // The log can't grow either, so the server ends itself.
  const filling = sql`select pg_logical_emit_message(false, 'filling', repeat('x', 30000000))`;
  await assert.rejects(rows.rows(filling), isDatabaseOutage);
  await until(() => health.troubles().some(({ trouble }) => /disk is full/.test(trouble)));
  await assert.rejects(rows.rows(sql`select 1`), isDatabaseOutage);
  fs.rmSync(ballast);
  await until(() => troubles().length === 0);
  assert.deepEqual(await rows.one(sql`select number from kept`), { number: 1 });
});

test('tries after pauses that double up to 20 times the first, and gives up with the server’s own words', async () => {
  let reason = '';
  const begunAtMs: number[] = [];
  const failedAtMs: number[] = [];
  const startAgain = async () => {
    begunAtMs.push(performance.now());
    try {
      await server.startAgain();
    } finally {
      failedAtMs.push(performance.now());
    }
  };
  const supervision = superviseEmbeddedPostgres(
    { ...server, startAgain },
    { log, health },
    { onGivenUp: (given) => (reason = given), checkedEveryMs: 20, pauseMs: 20, attemptsMax: 8 },
  );
  fs.rmSync(path.join(server.directory, 'global/pg_control'));
  killServer();
  await until(() => reason !== '');
  assert.match(reason, /did not start in [\s\S]*pg_control/);
  assert.deepEqual(troubles(), ['embedded-postgres']);
  const pausesMs = begunAtMs.slice(1).map((ms, index) => ms - (failedAtMs[index] ?? 0));
  const leastMs = [20, 40, 80, 160, 320, 400, 400];
  assert.equal(pausesMs.length, leastMs.length);
  for (const [index, ms] of pausesMs.entries()) {
    const least = leastMs[index] ?? 0;
    assert.ok(ms > least - 2 && ms < 1.5 * least + 300, String(pausesMs));
  }
  await supervision.stop();
  await database.close();
});
