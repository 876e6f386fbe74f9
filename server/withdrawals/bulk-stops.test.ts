import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#platform/database.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, connectLitecoin, runProcess, startWorld } from '../../test/withdrawals-world.ts';
import { readBulkAct, stopBulkAct } from './bulk-act-list.ts';
import { approveAllWithdrawals } from './bulk-decisions.ts';
import { sweepBulkActs } from './bulk-runs.ts';
import { approveWithdrawal } from './decisions.ts';
import { undoApproval } from './payout-acts.ts';
import { changePause } from './payout-stop.ts';

/** How an operator ends an act on many withdrawals, and takes back what it approved. */
const world = await startWorld({ after });
const { parts, operator, owner, database } = world;
// An approval sends nothing, so no node has to listen at this port.
await connectLitecoin(world, { host: '127.0.0.1', port: 1, user: 'user', password: 'password' });
const colleague = await world.member(0n, { role: 'admin' });
const withFlagged = { withFlagged: true };

const request = async () => (await ask(world, await world.member(1_000n), 1_000n, randomRegtestAddress())).id;
const resultOf = (id: string) => readBulkAct(database, id);

const STOPPED = 'An operator stopped the act before this request was decided.';
const { signal } = new AbortController();
const begin = async (ids: readonly string[]) =>
  (await approveAllWithdrawals(parts, operator, { ...withFlagged, ids: [...ids], answersAtOnce: true }))
    .actId;
/** The stops of an act in the audit trail. */
const stopsOf = (id: string) =>
  owner.rows<{ operator: number; left: number }>(sql`
    select operator_id as operator, (after ->> 'left')::integer as left from platform.acts
    where act = 'bulk-act.stop' and target = ${id}`);

describe('an act on many that an operator stops', () => {
  it('ends before its next row: the rest stays pending, and no node goes on', async () => {
    const ids = [await request(), await request(), await request()];
    const id = await begin(ids);
    assert.equal(await runProcess(world, { act: 'sweep-bulk' }, 'after_bulk_row'), 'SIGKILL');
    const stopped = await stopBulkAct(database, colleague, id);
    assert.notEqual(stopped.finishedAt, null);
    await owner.rows(sql`update withdrawals.bulk_acts set worked_until = '-infinity'`);
    await sweepBulkActs(parts, signal);
    const { rows } = await resultOf(id);
    assert.deepEqual(
      rows.map(({ state, reason, status }) => [state, reason, status]),
      [
        ['done', null, 'approved'],
        ['failed', STOPPED, 'pending'],
        ['failed', STOPPED, 'pending'],
      ],
    );
    assert.deepEqual(await stopBulkAct(database, operator, id), await resultOf(id));
    assert.deepEqual(await stopsOf(id), [{ operator: colleague, left: 2 }]);
    await assert.rejects(stopBulkAct(database, operator, crypto.randomUUID()), { code: 'not-found' });
  });

  it('waits for the row that a node decides at this moment, and tells of each what became of it', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, request));
    const id = await begin(ids);
    const run = sweepBulkActs(parts, signal);
    while ((await resultOf(id)).endedCount === 0) await sleep(1);
    const { rows } = await stopBulkAct(database, operator, id);
    await run;
    assert.deepEqual((await resultOf(id)).rows, rows, 'nothing is decided after the stop');
    for (const { state, status, reason } of rows)
      assert.deepEqual([status, reason], state === 'done' ? ['approved', null] : ['pending', STOPPED]);
  });
});

describe('what an act on many approved', () => {
  it('can be taken back in its delay and during a pause, and not where somebody approved it later', async () => {
    const [one, two] = [await request(), await request()];
    const { actId } = await approveAllWithdrawals(parts, operator, {
      ...withFlagged,
      ids: [one, two],
    });
    const undoable = async () =>
      (await resultOf(actId)).rows.filter((row) => row.isUndoable).map(({ id }) => id);
    assert.deepEqual(await undoable(), []);
    await changePause(parts, true, operator, null);
    assert.deepEqual(await undoable(), [one, two]);
    await changePause(parts, false, operator, null);
    await owner.rows(sql`
      update withdrawals.payouts set not_before = platform.business_now() + interval '1 minute'
      where withdrawal_id = any (${[one, two]}::uuid[])`);
    assert.deepEqual(await undoable(), [one, two]);
    await undoApproval(parts, operator, one);
    await approveWithdrawal(parts, colleague, one);
    await owner.rows(sql`
      update withdrawals.payouts set not_before = platform.business_now() + interval '1 minute'
      where withdrawal_id = ${one}`);
    assert.deepEqual(await undoable(), [two]);
  });
});
