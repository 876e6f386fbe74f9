import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { schemas } from '../../test/sql-schemas.ts';
import { chainActs, findChainFaults } from './act-chain.ts';
import { recordActs } from './audit-trail.ts';
import { sql, sqlText } from './database.ts';
import { migrate } from './database-migrations.ts';
import { createLog } from './log.ts';

/** A database of the release before the acts named who acted, the kind of the target and the member. */
const { database, owner, ownerUrl } = await testDatabase({ after });
const MEMBER = 300_000_001;
const MIGRATIONS = path.resolve(import.meta.dirname, '../migrations');
const former = fs.mkdtempSync(path.join(os.tmpdir(), 'former-migrations-'));
after(() => fs.rmSync(former, { recursive: true }));
fs.mkdirSync(path.join(former, 'migrations'));
for (const name of fs.readdirSync(MIGRATIONS))
  if (name < '0013') fs.copyFileSync(path.join(MIGRATIONS, name), path.join(former, 'migrations', name));
for (const schema of schemas) await owner.rows(sqlText(`drop schema if exists ${schema} cascade`));
// The functions of the other features need later columns.
const features = path.join(former, 'features');
fs.mkdirSync(path.join(features, 'platform'), { recursive: true });
for (const name of fs.globSync('functions*.sql', { cwd: import.meta.dirname }))
  fs.copyFileSync(path.join(import.meta.dirname, name), path.join(features, 'platform', name));
await migrate(ownerUrl, { directory: path.join(former, 'migrations'), featuresDirectory: features });
await owner.rows(sqlText('drop function platform.chain_acts(bigint, text, bigint[], text[], integer)'));
await owner.rows(
  sqlText(`
    create function platform.chain_acts(end_number bigint, end_hash text, ids bigint[], hashes text[]) returns boolean
      language plpgsql security definer as $$
    begin
      update platform.acts_chain_end set number = end_number + cardinality(ids), hash = hashes[cardinality(ids)]
      where number = end_number and hash = end_hash;
      update platform.acts a set chain_number = end_number + l.place, chain_hash = l.hash
      from unnest(ids, hashes) with ordinality l (id, hash, place) where a.id = l.id and a.chain_number is null;
      return true;
    end
    $$`),
);
await owner.rows(sqlText('grant execute on function platform.chain_acts to earnest_app'));
await owner.rows(sqlText('delete from platform.function_files'));

type FormerRow = { id: bigint; at: string; target: string };

const insertFormer = (act: string, target: string) =>
  database.rows(sql`insert into platform.acts (operator_id, act, target) values (7, ${act}, ${target})`);

/** Chains one row as the former program did: its function has no parameter for the form of the hash. */
async function chainFormer(): Promise<boolean> {
  const end = await owner.one<{ number: bigint; hash: string }>(
    sql`select number, hash from platform.acts_chain_end`,
  );
  const { id, at, act, target } = await owner.one<FormerRow & { act: string }>(sql`
    select id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, act, target
    from platform.acts where chain_number is null order by acts.at, id limit 1`);
  const fields = [end.hash, String(end.number + 1n), String(id), at, 7, act, target, null, null, null];
  const hash = createHash('sha256').update(JSON.stringify(fields)).digest('hex');
  const { chained } = await database.one<{ chained: boolean }>(sql`
    select platform.chain_acts(${end.number}, ${end.hash}, ${[String(id)]}, ${[hash]}) as chained`);
  return chained;
}
const faults = async () => (await Array.fromAsync(findChainFaults(database))).flat();
const chain = () => chainActs({ database, log: createLog('silent') });
const record = () =>
  database.transaction((tx) =>
    recordActs(tx, [
      { actor: 7, act: 'withdrawal.reject', target: { kind: 'withdrawal', id: 'new', memberId: MEMBER } },
    ]),
  );

await insertFormer('member.suspend', String(MEMBER));
await insertFormer('quarantine.resolve', String(MEMBER));
assert.ok(await chainFormer());
assert.ok(await chainFormer());
await migrate(ownerUrl);

describe('the audit trail of the former release', () => {
  it('fits with the rows that follow it', async () => {
    assert.deepEqual(await faults(), []);
    await record();
    assert.equal(await chain(), 1);
    assert.deepEqual(await faults(), []);
  });

  it('keeps the acts on members findable by the member, and no others with the same number', async () => {
    assert.deepEqual(
      await owner.rows(sql`
        select act from platform.acts where about_member_id = ${MEMBER} and actor is null order by id`),
      [{ act: 'member.suspend' }],
    );
  });

  it('shows it if what was unknown is filled in later', async () => {
    await assert.rejects(
      owner.transaction(async (tx) => {
        await tx.rows(sql`
          update platform.acts set actor = 'operator', target_kind = 'member', member_id = 7 where chain_number = 2`);
        assert.deepEqual(
          (await Array.fromAsync(findChainFaults(tx))).flat().map(({ subject }) => subject),
          ['2'],
        );
        throw new Error('undone');
      }),
      /undone/,
    );
  });

  it('is chained on by a program of that release, but for rows that it does not know whole', async () => {
    await record();
    assert.equal(await chainFormer(), false);
    assert.equal(await chain(), 1);
    await insertFormer('member.suspend', String(MEMBER));
    assert.ok(await chainFormer());
    assert.deepEqual(await faults(), []);
  });
});
