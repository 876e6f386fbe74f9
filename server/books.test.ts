import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { type Reader, sql, sqlText } from '#platform/database.ts';
import { REFERRER, startBooksWorld } from '../test/books-world.ts';
import { tamperedDecisions } from '../test/tampered-decisions.ts';
import { tamperedEarnings } from '../test/tampered-earnings.ts';
import { tamperedGrants } from '../test/tampered-grants.ts';
import { tamperedTrail } from '../test/tampered-trail.ts';
import { tamperedWithdrawals } from '../test/tampered-withdrawals.ts';
import { siteChecks } from './books.ts';
import { runChecks } from './ledger/ledger.ts';
import { repairTimes } from './withdrawals/audit.ts';

const { database, owner } = await startBooksWorld({ after });

test('find no difference in sound books, read by the application', async () =>
  assert.deepEqual(await runChecks(database, siteChecks), []));

/** Rolls the work back. */
async function undone(work: (reader: Reader) => Promise<void>): Promise<void> {
  const undo = new Error('undone');
  try {
    await owner.transaction(async (tx) => {
      await work(tx);
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
}

const tampered = [
  ...tamperedEarnings,
  ...tamperedGrants,
  ...tamperedWithdrawals,
  ...tamperedDecisions,
  ...tamperedTrail,
];
test('are tried with more than 40 kinds of changes', () => {
  assert.ok(new Set(tampered.map(([what]) => what)).size > 40);
  assert.ok(new Set(tampered.map(([, check]) => check)).size > 20);
});
for (const [what, check, act] of tampered)
  test(`find a changed row: ${what}`, () =>
    undone(async (reader) => {
      await reader.rows(act);
      const found = await runChecks(reader, siteChecks);
      assert.ok(
        found.some((difference) => difference.check === check),
        JSON.stringify(found),
      );
    }));

test('find no difference in withdrawals of a release without these hashes, after the migration', () =>
  undone(async (reader) => {
    await reader.rows(sqlText('alter table withdrawals.withdrawals drop column terms_digest'));
    await reader.rows(sqlText('alter table withdrawals.payouts drop column payment_digest'));
    const migration = await readFile(
      path.join(import.meta.dirname, 'migrations/0035_withdrawals.sql'),
      'utf8',
    );
    for (const statement of migration.split(/;\n/).filter((text) => text.trim() !== ''))
      await reader.rows(sqlText(statement));
    assert.deepEqual(await runChecks(reader, siteChecks), []);
  }));

for (const column of [sql`due_at`, sql`not_before`])
  test(`find and repair a payout whose ${column.text} a wrong clock wrote`, () =>
    undone(async (reader) => {
      await reader.rows(sql`
        update withdrawals.payouts set ${column} = platform.business_now() + interval '9 hours'
        where state = 'queued'`);
      const ahead = (await runChecks(reader, siteChecks)).filter(({ check }) => check === 'payout-due-times');
      assert.ok(ahead.length > 0);
      assert.equal(await repairTimes(reader), ahead.length);
      const left = await reader.rows(sql`
        select from withdrawals.payouts where greatest(due_at, not_before) > platform.business_now()`);
      assert.deepEqual(left, []);
    }));

test('repair the rates that a wrong clock wrote, and keep the others', () =>
  undone(async (reader) => {
    await reader.rows(sql`
      insert into withdrawals.rates (currency, usd, sources, priced_at, fetched_at, waiting_usd, waiting_sources,
        waiting_priced_at)
      values ('dash', 25, '[]', now(), now(), 30, '[]', now() + interval '9 days')`);
    await reader.rows(sql`
      insert into withdrawals.rate_history (currency, usd, believed_at, confirmed_by)
      values ('dash', 24, now() - interval '1 minute', null), ('dash', 90, now() + interval '9 days', ${REFERRER})`);
    assert.equal(await repairTimes(reader), 2);
    const left = await reader.rows(sql`
      select waiting_usd::text as waiting, array(select h.usd::text from withdrawals.rate_history h) as history
      from withdrawals.rates`);
    assert.deepEqual(left, [{ waiting: null, history: ['24'] }]);
    assert.deepEqual(await runChecks(reader, siteChecks), []);
  }));
