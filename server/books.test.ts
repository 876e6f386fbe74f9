import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Reader } from '#platform/database.ts';
import { startBooksWorld } from '../test/books-world.ts';
import { tamperedEarnings } from '../test/tampered-earnings.ts';
import { tamperedWithdrawals } from '../test/tampered-withdrawals.ts';
import { siteChecks } from './books.ts';
import { runChecks } from './ledger/ledger.ts';

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

for (const [what, check, act] of [...tamperedEarnings, ...tamperedWithdrawals])
  test(`find a changed row: ${what}`, () =>
    undone(async (reader) => {
      await reader.rows(act);
      const found = await runChecks(reader, siteChecks);
      assert.ok(
        found.some((difference) => difference.check === check),
        JSON.stringify(found),
      );
    }));
