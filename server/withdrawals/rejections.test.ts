import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { readWithdrawalQueue } from '#contract/withdrawals.ts';
import { sql } from '#platform/database.ts';
import { readList } from '#platform/http/operator-list.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, connectLitecoin, faultsOfBooks, startWorld } from '../../test/withdrawals-world.ts';
import { rejectAllWithdrawals } from './bulk-decisions.ts';
import { rejectWithdrawal } from './decisions.ts';
import { examineWithdrawal } from './quotes.ts';
import { withdrawalList } from './withdrawal-list.ts';

const world = await startWorld({ after });
const { parts, operator, owner, database } = world;
// Nothing is sent, so no node has to listen at this port.
await connectLitecoin(world, { host: '127.0.0.1', port: 1, user: 'user', password: 'password' });
await changeSettings(database, 'sandbox', { switches: { addressHold: true } });

const held = async (member: number) => {
  const { id } = await ask(world, member, 1_000n, randomRegtestAddress());
  await owner.rows(sql`
    update withdrawals.withdrawals
    set hold_until = platform.business_now() + interval '1 hour', hold_reason = 'new_destination' where id = ${id}`);
  return id;
};

describe('a rejection', () => {
  it('is refused for the reason that the list shows, also of a request that is on hold', async () => {
    await world.grant(operator, 1_000n);
    await owner.rows(sql`
      update members.members set phone_number = '+821099999998', phone_verified_at = now() where id = ${operator}`);
    const own = await held(operator);
    const checked = await held(await world.member(1_000n));
    const plain = await held(await world.member(1_000n));
    await owner.rows(sql`
      insert into withdrawals.request_checks (withdrawal_id, possible_references, possible_payments, reason, found_at)
      values (${checked}, '{paid}', '[]', 'It may be paid.', platform.business_now())`);
    const query = readWithdrawalQueue.query.parse({ status: 'pending' });
    const { rows } = await readList(database, withdrawalList(parts), query, operator);
    const shown = await Promise.all(
      [own, checked, plain].map(async (id) => {
        const inList = rows.find((row) => row.id === id);
        const examined = await examineWithdrawal(parts, operator, id);
        const of = (row: typeof inList) => [row?.approvalObstacle, row?.rejectionObstacle, row?.flags];
        assert.deepEqual(of(examined), of(inList));
        return of(inList);
      }),
    );
    assert.deepEqual(shown, [
      ['on-hold', 'own-account', ['on-hold', 'own-account', 'first-payout']],
      ['on-hold', 'in-check', ['on-hold', 'in-check', 'first-payout']],
      ['on-hold', null, ['on-hold', 'first-payout']],
    ]);
    await assert.rejects(rejectWithdrawal(parts, operator, own, 'No'), { code: 'own-request' });
    await assert.rejects(rejectWithdrawal(parts, operator, checked, 'No'), { code: 'withdrawal-in-check' });
    const { processed, failed } = await rejectAllWithdrawals(parts, operator, 'No');
    assert.deepEqual([processed, failed.map(({ id }) => id)], [1, [own, checked]]);
    assert.deepEqual(await faultsOfBooks(world), []);
  });
});
