import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { sql, sqlState, sqlText } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';
import { openWallet } from './ledger.ts';

const { database, owner } = await testDatabase({ after });
const MEMBER = 300_000_001;
const NOT_UPDATABLE = '55000';

await openWallet(database, MEMBER);

const views = await owner.rows<{ name: string; isUpdatable: boolean; isInsertable: boolean }>(sql`
  select table_schema || '.' || table_name as name,
    is_updatable = 'YES' or is_trigger_updatable = 'YES' as "isUpdatable",
    is_insertable_into = 'YES' or is_trigger_insertable_into = 'YES' as "isInsertable"
  from information_schema.views where table_schema not in ('pg_catalog', 'information_schema', 'jobs') order by 1`);

test('lets nobody write through a view', () => {
  const names = views.map(({ name }) => name);
  for (const name of ['ledger.history', 'ledger.wallet_totals', 'members.profiles', 'platform.site_clock'])
    assert.ok(names.includes(name), name);
  assert.deepEqual(
    views.filter(({ isUpdatable, isInsertable }) => isUpdatable || isInsertable),
    [],
  );
});

describe('a function of the owner that the application may call', () => {
  const writes = [
    'update ledger.wallet_totals set balance = balance + 1000',
    'insert into ledger.wallet_totals (member_id, balance) values (300000002, 1000)',
    'delete from ledger.wallet_totals',
    'update ledger.history set amount = amount + 1000',
    "update members.profiles set role = 'admin'",
    'update platform.site_clock set offset_seconds = 1000',
  ];
  for (const [index, text] of writes.entries())
    test(`cannot ${text}`, async () => {
      await owner.rows(
        sqlText(`create function bonus.gift_${index}() returns void language plpgsql security definer
          as $$ begin ${text}; end $$`),
      );
      await owner.rows(sqlText(`grant execute on function bonus.gift_${index}() to earnest_app`));
      await assert.rejects(
        database.rows(sqlText(`select bonus.gift_${index}()`)),
        (error) => sqlState(error) === NOT_UPDATABLE,
      );
    });
});

describe('a read of a view', () => {
  const planOf = async (text: string): Promise<string> =>
    (await owner.rows<Record<string, string>>(sqlText(`explain (costs off) ${text}`)))
      .map((row) => row['QUERY PLAN'])
      .join('\n');
  const reads = [
    ['ledger.wallet_totals', 'ledger.wallets', 'balance', 'v.member_id = 300000001'],
    ['ledger.history', 'ledger.movements', 'amount', "v.key = 'access:1'"],
    ['ledger.history', 'ledger.movements', 'amount', 'v.member_id = 300000001 order by v.seq desc limit 5'],
    ['members.profiles', 'members.members', 'email', 'v.id = 300000001'],
    ['platform.site_clock', 'platform.clock', 'offset_seconds', 'true'],
  ] as const;
  for (const [view, table, column, condition] of reads)
    test(`has the plan of the table: ${view} where ${condition}`, async () => {
      const plan = await planOf(`select v.${column} from ${view} v where ${condition}`);
      const expected = await planOf(`select v.${column} from ${table} v where ${condition}`);
      // A plan may name a table by its alias.
      const withoutAlias = (text: string) =>
        text.replaceAll(/(?<= on \w+) v$|(?<= on \w+) v(?= )|\b\w+\.(?=\w)/gm, '');
      assert.equal(withoutAlias(plan), withoutAlias(expected));
      assert.doesNotMatch(plan, /Subquery/);
    });
});
