import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql, sqlState, sqlText } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';

const { database } = await testDatabase({ after });
const INSUFFICIENT_PRIVILEGE = '42501';

const forbidden = [
  "update withdrawals.payouts set destination = 'a thief'",
  'update withdrawals.payouts set amount_units = amount_units * 10',
  "update withdrawals.payouts set method = 'dash'",
  'update withdrawals.payouts set withdrawal_id = gen_random_uuid()',
  'update withdrawals.payouts set queued_at = now()',
  'insert into withdrawals.payouts select * from withdrawals.payouts',
  'delete from withdrawals.payouts',
  'truncate withdrawals.payouts',
  "update withdrawals.withdrawals set destination = 'a thief'",
  'update withdrawals.withdrawals set amount_points = amount_points + 1',
  "update withdrawals.withdrawals set state = 'pending'",
  'update withdrawals.withdrawals set amount_units = amount_units * 10',
  'select from withdrawals.withdrawals for key share',
  'insert into withdrawals.withdrawals default values',
  'delete from withdrawals.withdrawals',
  'truncate withdrawals.withdrawals',
  "insert into withdrawals.methods (method, is_enabled) values ('acme', true)",
  "update withdrawals.methods set method = 'acme'",
  'delete from withdrawals.methods',
  'truncate withdrawals.methods',
  'update withdrawals.member_counts set withdrawal_count = 0',
  'delete from withdrawals.member_counts',
  'update withdrawals.totals set pending_points = 0',
  'update withdrawals.timelines set payment_count = 0',
  'insert into withdrawals.former_payments default values',
  "insert into withdrawals.paying_accounts (method, account, noted_at) values ('litecoin', 'a thief', now())",
  "update withdrawals.paying_accounts set account = 'a thief'",
  'update withdrawals.paying_accounts set account = null',
  'update withdrawals.paying_accounts set noted_at = now()',
  'delete from withdrawals.paying_accounts',
  "select withdrawals.return_points(gen_random_uuid(), 1, 1, '')",
];

for (const text of forbidden)
  test(`refuses the application: ${text}`, () =>
    assert.rejects(database.rows(sqlText(text)), (error) => sqlState(error) === INSUFFICIENT_PRIVILEGE));

test('lets the application update a payout’s progress, but not its recipient, amount or method', async () => {
  const columns = await database.rows<{ name: string }>(sql`
    select attname as name from pg_attribute
    where attrelid = 'withdrawals.payouts'::regclass and attnum > 0 and not attisdropped
      and has_column_privilege(attrelid, attnum, 'update')
    order by 1`);
  assert.deepEqual(
    columns.map(({ name }) => name),
    [
      'artifact',
      'attempt_count',
      'broadcast_at',
      'cleared_references',
      'due_at',
      'halt_reason',
      'halted_by',
      'is_found',
      'possible_payments',
      'possible_references',
      'reference',
      'signed_at',
      'state',
      'trouble',
    ],
  );
});
