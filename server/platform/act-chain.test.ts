import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { acceptBreaks, type ChainFault, chainActs, createChainTurn, findChainFaults } from './act-chain.ts';
import { recordActs } from './audit-trail.ts';
import { type Reader, sql, type Tx } from './database.ts';
import { createHealth } from './health.ts';
import { createLog } from './log.ts';

const { database, owner } = await testDatabase({ after });
const log = createLog('silent');

beforeEach(async () => {
  await owner.rows(sql`truncate platform.acts`);
  await owner.rows(sql`update platform.acts_chain_end set number = 0, hash = repeat('0', 64)`);
});

const recordIn = (tx: Tx, ...targets: string[]) =>
  recordActs(
    tx,
    targets.map((id) => ({
      actor: 7,
      act: 'withdrawal.reject' as const,
      target: { kind: 'withdrawal', id, memberId: 300_000_001 },
      reason: '이유',
    })),
  );
const record = (...targets: string[]) => database.transaction((tx) => recordIn(tx, ...targets));
const chain = () => chainActs({ database, log });
const chained = () =>
  owner.rows<{ number: bigint; target: string }>(sql`
    select chain_number as number, target from platform.acts where chain_number is not null order by 1`);
const targets = async () => (await chained()).map(({ target }) => target);

async function faults(reader: Reader = database): Promise<ChainFault[]> {
  return (await Array.fromAsync(findChainFaults(reader))).flat();
}

describe('the chain of the audit trail', () => {
  it('takes up committed rows in the order of their times, and fits', async () => {
    await record('a', 'b');
    await record('c');
    assert.equal(await chain(), 3);
    assert.equal(await chain(), 0);
    await record('d');
    assert.equal(await chain(), 1);
    assert.deepEqual(await targets(), ['a', 'b', 'c', 'd']);
    assert.deepEqual(await faults(), []);
  });

  it('leaves a row that is not committed to a later turn, and no act waits for another', async () => {
    await database.transaction(async (tx) => {
      await recordIn(tx, 'slow');
      await record('quick');
      assert.equal(await chain(), 1);
    });
    assert.equal(await chain(), 1);
    assert.deepEqual(await targets(), ['quick', 'slow']);
    assert.deepEqual(await faults(), []);
  });

  it('has each row once if several nodes chain at the same time', async () => {
    const names = Array.from({ length: 700 }, (_, index) => `target-${index}`);
    await record(...names);
    const counts = await Promise.all([chain(), chain(), chain(), chain()]);
    await chain();
    assert.ok(counts.some((count) => count > 0));
    assert.deepEqual((await targets()).toSorted(), names.toSorted());
    assert.deepEqual(await faults(), []);
  });

  it('is not the application’s to write, and a chained row is never chained again', async () => {
    await record('a');
    await chain();
    const end = await database.one<{ number: bigint; hash: string }>(
      sql`select number, hash from platform.acts_chain_end`,
    );
    const { id } = await database.one<{ id: bigint }>(sql`select id from platform.acts`);
    for (const statement of [
      sql`update platform.acts set chain_number = null`,
      sql`update platform.acts_chain_end set number = 0`,
      sql`delete from platform.acts_chain_end`,
      sql`insert into platform.acts (act, target, at) values ('x', 'y', now() - interval '1 day')`,
      sql`insert into platform.acts (act, target, chain_number, chain_hash) values ('x', 'y', 2, ${end.hash})`,
    ])
      await assert.rejects(database.rows(statement), { code: '42501' });
    const again = (number: bigint) =>
      database.rows(
        sql`select platform.chain_acts(${number}, ${end.hash}, ${[String(id)]}, ${[end.hash]}, 2)`,
      );
    assert.deepEqual(await again(0n), [{ chain_acts: false }]);
    await assert.rejects(again(end.number), { code: '22023' });
    assert.deepEqual(await faults(), []);
  });

  it('names each row that was changed or is gone, and fits behind it', async () => {
    await record('a', 'b', 'c', 'd', 'e', 'f');
    await chain();
    await owner.rows(sql`update platform.acts set reason = 'other' where target = 'b'`);
    await owner.rows(sql`delete from platform.acts where target in ('d', 'e')`);
    const [changed, gone, ...others] = await faults();
    assert.equal(changed?.subject, '2');
    assert.match(changed?.expected ?? '', /^hash [0-9a-f]{64}$/);
    assert.deepEqual(gone, { subject: '4', expected: 'rows 4 to 5', actual: 'none' });
    assert.deepEqual(others, []);
  });

  it('shows a row that was added with the time of a former day', async () => {
    await record('a');
    await chain();
    await owner.rows(sql`
      insert into platform.acts (at, operator_id, act, target)
      values (platform.business_now() - interval '1 day', 7, 'withdrawal.reject', 'added')`);
    await chain();
    const [fault, ...others] = await faults();
    assert.equal(fault?.subject, '2');
    assert.match(fault?.expected ?? '', /^not before /);
    assert.deepEqual(others, []);
  });

  it('leaves out a break that an operator accepted, and shows the next one at the same place', async () => {
    await record('a', 'b', 'c');
    await chain();
    await owner.rows(sql`update platform.acts set reason = 'other' where target = 'b'`);
    assert.equal(await acceptBreaks(database, '3', 'Nothing is wrong there'), 0);
    assert.equal(await acceptBreaks(database, '2', 'Set right by hand'), 1);
    await chain();
    assert.deepEqual(await targets(), ['a', 'b', 'c', '2']);
    assert.deepEqual(await faults(), []);
    await owner.rows(sql`update platform.acts set reason = 'another' where target = 'b'`);
    assert.deepEqual(
      (await faults()).map((one) => one.subject),
      ['2'],
    );
  });
});

describe('a node', () => {
  it('reports rows that were written again from one on, though they fit', async () => {
    const health = createHealth(log);
    const turn = createChainTurn({ database, log, health });
    await record('a', 'b', 'c');
    await turn();
    assert.deepEqual(health.troubles(), []);
    await owner.rows(sql`delete from platform.acts where target = 'b'`);
    await owner.rows(sql`update platform.acts set chain_number = null, chain_hash = null`);
    await owner.rows(sql`update platform.acts_chain_end set number = 0, hash = repeat('0', 64)`);
    await turn();
    assert.deepEqual(await faults(), []);
    assert.deepEqual(
      health.troubles().map(({ name, trouble }) => [name, trouble]),
      [['audit-trail', 'Row 3 of the audit trail is not the one that this node has seen there.']],
    );
    await turn();
    assert.equal(health.troubles().length, 1, 'also later');
    const started = createChainTurn({ database, log, health });
    await started();
    assert.deepEqual(health.troubles(), [], 'until the node starts again');
  });
});
