import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { openDatabase, sql, sqlState, sqlText } from './database.ts';
import { watchDatabase } from './database-watch.ts';
import { watchWrites } from './database-writes.ts';
import { createHealth } from './health.ts';
import { createLog } from './log.ts';

const { appUrl, owner } = await testDatabase({ after });
for (const statement of [
  'create schema trial',
  'create table trial.notes (words text)',
  'grant usage on schema trial to earnest_app',
  'grant select, insert, update on trial.notes to earnest_app',
  `create function trial.book(state text) returns integer language plpgsql as $$
   begin
     if state <> '' then raise exception 'No space left on device' using errcode = state; end if;
     return 1;
   end $$`,
  'grant execute on function trial.book to earnest_app',
])
  await owner.rows(sqlText(statement));

const health = createHealth(createLog('silent'));
let nowMs = 0;
const watch = watchDatabase({ url: appUrl, health, writes: watchWrites(health, () => nowMs) });
const database = openDatabase({ url: appUrl, connectionsMax: 1, watch });
after(async () => {
  await watch.close();
  await database.close();
});
const writeTrouble = () => health.troubles().find(({ name }) => name === 'database-writes')?.trouble;
const booking = (state: string) => sql`select trial.book(${state})`;
const book = (state: string) => database.rows(booking(state));
const bookInTransaction = (state: string) => database.transaction((tx) => tx.rows(booking(state)));
const insert = () => database.rows(sql`insert into trial.notes values ('x')`);
const insertInTransaction = () =>
  database.transaction((tx) => tx.rows(sql`insert into trial.notes values ('x')`));
/** Makes the one connection of the pool a read-only session, as a standby's are, or an ordinary one. */
const setReadOnly = (value: 'on' | 'off') =>
  database.rows(sql`select set_config('default_transaction_read_only', ${value}, false)`);

it('reports refused writes until the next good one', async () => {
  assert.ok(health.names().includes('database-writes'), 'the metric is there from the start');
  for (const refused of [book, bookInTransaction]) {
    await assert.rejects(refused('53100'), (error) => sqlState(error) === '53100');
    assert.match(writeTrouble() ?? '', /No space left on device \(SQLSTATE 53100\)/);
    nowMs += 10_000;
    await insert();
    assert.equal(writeTrouble(), undefined);
  }
});

it('reports a database that takes no writes, in statements and in transactions', async () => {
  for (const refuse of [insert, insertInTransaction]) {
    await setReadOnly('on');
    await assert.rejects(refuse(), (error) => sqlState(error) === '25006');
    assert.match(writeTrouble() ?? '', /read-only transaction \(SQLSTATE 25006\)/);
  }
  nowMs += 10_000;
  await database.rows(sql`select words from trial.notes`);
  await database.transaction((tx) => tx.rows(sql`select words from trial.notes`));
  assert.ok(writeTrouble(), 'a read says nothing about writes');
  await setReadOnly('off');
  await insertInTransaction();
  assert.equal(writeTrouble(), undefined);
});

it('stays reported while some writes are refused, and after a write that changed nothing', async () => {
  await assert.rejects(book('53100'));
  await insert();
  assert.ok(writeTrouble(), 'a small write may fit on a full disk');
  nowMs += 10_000;
  await database.rows(sql`update trial.notes set words = '' where false`);
  assert.ok(writeTrouble(), 'it may have needed no space');
  await insert();
  assert.equal(writeTrouble(), undefined);
});

it('does not count a violated rule as a refused write', async () => {
  await assert.rejects(book('23505'));
  assert.equal(writeTrouble(), undefined);
});
