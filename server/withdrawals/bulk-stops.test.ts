import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, connectLitecoin, startWorld } from '../../test/withdrawals-world.ts';
import { readBulkAct } from './bulk-act-list.ts';
import { approveAllWithdrawals } from './bulk-decisions.ts';
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

describe('what an act on many approved', () => {
  it('can be taken back in its delay and while payouts are paused, and not where somebody approved it later', async () => {
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
