import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql, sqlState, sqlText } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';
import { openWallet, post } from './ledger.ts';

const { database, owner } = await testDatabase({ after });
const MEMBER = 300_000_001;
const INSUFFICIENT_PRIVILEGE = '42501';

await openWallet(database, MEMBER);
await post(database, {
  memberId: MEMBER,
  key: 'access:1',
  kind: 'grant',
  amountPoints: 10n,
  account: 'grants',
  subject: 'Welcome',
  provider: null,
  transactionId: null,
});

const forbidden = [
  'update ledger.wallets set balance = balance + 1',
  'update ledger.wallets set is_closed = false',
  'delete from ledger.wallets',
  'truncate ledger.wallets',
  "insert into ledger.wallets (member_id, balance, today) values (300000002, 5, '2026-01-01')",
  'select from ledger.wallets for no key update',
  'update ledger.movements set amount = amount + 1',
  'delete from ledger.movements',
  'truncate ledger.movements',
  'insert into ledger.movements select * from ledger.movements',
  'insert into ledger.account_days select * from ledger.account_days',
  'update ledger.account_days_end set closed_until = now()',
  'alter table ledger.wallets add column extra integer',
  'drop table ledger.movements',
  'create table ledger.shadow ()',
  'create or replace function ledger.open_wallet(member_id integer) returns void language sql as $$ select $$',
  `create or replace function ledger.is_sound(kind text, amount bigint, key text, account text, subject text)
     returns boolean language sql as $$ select true $$`,
  `create function ledger.post_one(integer) returns void language sql as $$ select $$`,
  'alter function ledger.post(ledger.item[]) owner to current_user',
  'alter function ledger.post(ledger.item[]) security invoker',
  'drop function ledger.post(ledger.item[])',
  'select ledger.rebuild_wallets(null)',
  'create schema pg_shadowing',
  'create function public.business_now() returns timestamptz language sql as $$ select now() $$',
  'set role earnest_owner',
  'set session_replication_role = replica',
  "update platform.clock set offset_seconds = 5, mode = 'sandbox'",
  'select platform.advance_clock(60)',
];

for (const text of forbidden) {
  test(`denies the application: ${text.replace(/\s+/g, ' ')}`, async () => {
    const readBooks = sql`
      select (select json_agg(w) from ledger.wallets w)::text as wallets,
        (select json_agg(m) from ledger.movements m)::text as movements`;
    const before = await owner.one(readBooks);
    await assert.rejects(database.rows(sqlText(text)), (error) => sqlState(error) === INSUFFICIENT_PRIVILEGE);
    assert.deepEqual(await owner.one(readBooks), before);
  });
}

test("denies the application replacing the ledger's functions by its own", async () => {
  // The application can create objects only in a temporary schema. The ledger's search path ends with that one,
  // and names in the ledger's functions have their schema.
  await assert.rejects(
    database.transaction(async (tx) => {
      await tx.rows(
        sqlText(
          'create function pg_temp.array_agg(integer) returns integer[] language sql as $$ select null::integer[] $$',
        ),
      );
      await tx.rows(sqlText('create temporary table wallets (member_id integer, balance bigint)'));
      const { status } = await post(tx, {
        memberId: MEMBER,
        key: 'access:2',
        kind: 'withdrawal',
        amountPoints: -11n,
        account: 'withdrawals',
        subject: 'litecoin',
        provider: null,
        transactionId: null,
      });
      assert.equal(status, 'insufficient');
      throw new Error('as wanted');
    }),
    /as wanted/,
  );
});

test('lets the application read the books', async () => {
  const { balance, movements } = await database.one<{ balance: bigint; movements: bigint }>(sql`
    select balance, (select count(*) from ledger.movements) as movements
    from ledger.wallets where member_id = ${MEMBER}`);
  assert.equal(balance, 10n);
  assert.equal(movements, 1n);
});
