import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, connectLitecoin, startWorld } from '../../test/withdrawals-world.ts';
import { rejectWithdrawal } from '../withdrawals/decisions.ts';
import { appeal, readDecisions } from './decisions.ts';

/** Withdrawals that wait or were rejected, as decisions. */
const world = await startWorld({ after });
const { parts, operator, owner, database } = world;
// Nothing is sent, so no node has to listen at this port.
await connectLitecoin(world, { host: '127.0.0.1', port: 1, user: 'user', password: 'password' });
const hold = (addressHold: boolean) => changeSettings(database, 'sandbox', { switches: { addressHold } });

describe('a withdrawal', () => {
  it('is a decision while it is on hold, where the site holds, and after an operator rejected it', async () => {
    await hold(true);
    const member = await world.member(5_000n);
    const { id } = await ask(world, member, 5_000n, randomRegtestAddress());
    await owner.rows(sql`
      update withdrawals.withdrawals set hold_until = platform.business_now() + interval '1 hour',
        hold_reason = 'new_destination' where id = ${id}`);
    const [held] = await readDecisions(parts, member);
    assert.deepEqual(
      [held?.kind, held?.rule, held?.isActive, held?.canAppeal, held?.subject?.amount],
      ['withdrawal_held', 'new_destination', true, false, '5000'],
    );
    assert.ok(held?.expiresAt);
    await assert.rejects(appeal(parts, member, held.id, 'Why?'), { code: 'forbidden' });
    await hold(false);
    assert.deepEqual(await readDecisions(parts, member), [], 'nothing waits where the site holds nothing');
    await rejectWithdrawal(parts, operator, id, 'Another name');
    const [rejected, ...others] = await readDecisions(parts, member);
    assert.deepEqual(
      [rejected?.kind, rejected?.reason, rejected?.isActive, rejected?.canAppeal, others],
      ['withdrawal_rejected', 'Another name', false, false, []],
    );
    await assert.rejects(appeal(parts, member, held.id, 'Why?'), { code: 'already-decided' });
  });
});
