import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, sql, sqlText } from '#platform/database.ts';
import { watchDatabase } from '#platform/database-watch.ts';
import { createHealth } from '#platform/health.ts';
import { createLog } from '#platform/log.ts';
import { testDatabase } from '../../test/database.ts';
import { reportLastAudit, runDueAudits } from './books.ts';
import * as queries from './books-queries.ts';
import type { BooksCheck } from './ledger.ts';

/** A database whose calls may take 0.3 s, in the node and by the role, and whose audits may take 1.5 s a statement. */
const CALL_MS = 300;
const AUDIT_MS = 1_500;
const NAME = 'audited';
const { appUrl, owner } = await testDatabase({ after });
const log = createLog('silent');
const health = createHealth(log);

const role = openDatabase({ url: appUrl });
const { name } = await role.one<{ name: string }>(sql`select current_database() as name`);
const ofRole = `alter role current_user in database "${name}" set statement_timeout = ${CALL_MS}`;
await role.rows(sqlText(ofRole));
await role.close();
const watch = watchDatabase({ url: appUrl, health, limits: { readMs: CALL_MS, bookingMs: 2 * CALL_MS } });
const database = openDatabase({ url: appUrl, applicationName: NAME, watch, patientMs: AUDIT_MS });
/** Another pool of the same role, which alone sees what its sessions do. */
const observer = openDatabase({ url: appUrl, applicationName: 'observer' });
after(async () => {
  await watch.close();
  await database.close();
  await observer.close();
});

/** A check of one statement for each of these times. */
const lasting = (check: string, ...seconds: number[]): BooksCheck => ({
  name: check,
  async *pieces(reader) {
    for (const time of seconds) {
      await reader.rows(sql`select pg_sleep(${time})`);
      yield [];
    }
  },
});

async function audit(checks: readonly BooksCheck[], share = 1) {
  await queries.insertAudit(owner, 'operator', 0);
  await runDueAudits({ database, log, health }, checks, { share, signal: new AbortController().signal });
  await reportLastAudit({ database, log, health });
  const last = await queries.findLastAudit(owner);
  assert.ok(last !== undefined, 'the audit has ended');
  return last.checks.map((made) => ({ name: made.name, pieces: made.pieces, notChecked: made.notChecked }));
}

/** The age of the oldest snapshot that the pool's sessions hold, looked at until `work` ends; 0 where none does. */
async function snapshotAgesMs(work: Promise<unknown>): Promise<number[]> {
  const ages: number[] = [];
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const { ageMs } = await observer.patient.one<{ ageMs: number }>(sql`
      select coalesce(max(extract(epoch from clock_timestamp() - xact_start)) * 1000, 0)::integer as "ageMs"
      from pg_stat_activity where application_name = ${NAME} and backend_xmin is not null`);
    ages.push(ageMs);
    await sleep(50);
  }
  await ended;
  return ages;
}

beforeEach(() => owner.rows(sql`delete from ledger.audits`));

describe('an audit on the site', () => {
  it('may take longer for a statement than the calls of members and operators', async () => {
    await assert.rejects(database.rows(sql`select pg_sleep(0.9)`), 'a read of a call has its limit');
    await assert.rejects(
      database.transaction((tx) => tx.rows(sql`select pg_sleep(0.9)`)),
      /statement timeout/,
      'and the role has one of its own',
    );
    assert.deepEqual(await audit([lasting('slow', 0.9)]), [{ name: 'slow', pieces: 1, notChecked: null }]);
    assert.deepEqual(health.troubles(), []);
  });

  it('ends a statement after its own time, names the check, and makes the others', async () => {
    const made = await audit([lasting('endless', 0, 60), lasting('next', 0)]);
    assert.deepEqual(
      made.map(({ name: check, pieces }) => [check, pieces]),
      [
        ['endless', 1],
        ['next', 1],
      ],
    );
    assert.match(made[0]?.notChecked ?? '', /^The check failed: /);
    assert.equal(made[1]?.notChecked, null);
    assert.match(health.troubles()[0]?.trouble ?? '', /could not make 1 checks/);
  });

  it('holds a snapshot for one statement alone, and none in its pauses', async () => {
    const startedAtMs = performance.now();
    const ages = await snapshotAgesMs(audit([lasting('first', 0.5, 0.5, 0.5), lasting('late', 60)], 0.5));
    const tookMs = performance.now() - startedAtMs;
    const oldestMs = Math.max(...ages);
    assert.ok(oldestMs > 400, `statements were seen: ${ages.join(' ')}`);
    assert.ok(oldestMs < AUDIT_MS + 1_000, `${oldestMs} ms`);
    assert.ok(tookMs > 4_000, `${tookMs} ms`);
    assert.ok(ages.filter((ageMs) => ageMs === 0).length > 10, `pauses without one: ${ages.join(' ')}`);
  });
});
