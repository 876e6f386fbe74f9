import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { connectLitecoin, startWorld } from '../../test/withdrawals-world.ts';
import { readPlannedDecisions } from './bulk-decisions.ts';

/** The plan of a decision on many pending requests, on a day with many approvals. */
const world = await startWorld({ after });
const { parts, operator, owner, database } = world;
await connectLitecoin(world, { host: '127.0.0.1', port: 1, user: 'user', password: 'password' });

const COUNT = 3_000;
const plan = async () => {
  const beganAt = performance.now();
  const { approval } = await readPlannedDecisions(parts, operator);
  return { approval, tookMs: performance.now() - beganAt };
};

test('takes no longer on a day with thousands of approvals, and counts them into the caps', async () => {
  await changeSettings(database, 'sandbox', { caps: { memberDay: '1500', methodDay: '5000000' } });
  await owner.rows(sql`
    with made as (
      insert into members.members (id, email, email_canonical, first_name, referral_code, terms_version, created_at)
      select 500000000 + n, 'm' || n || '@x.example', 'm' || n || '@x.example', 'M', 'MANY' || n, '1', now()
      from generate_series(1, ${COUNT}::integer) n returning id)
    select count(ledger.open_wallet(id)) from made`);
  const add = (state: 'pending' | 'approved', number: number) =>
    owner.rows(sql`
      insert into withdrawals.withdrawals (member_id, member_number, method, destination, amount_points, fee_points,
        created_at, state, rate, amount_units, decided_at)
      select 500000000 + n, ${number}, 'litecoin', 'x', 1000, 10, now(), ${state},
        case when ${state} = 'approved' then 80 end, case when ${state} = 'approved' then 1000 end,
        case when ${state} = 'approved' then platform.business_now() end
      from generate_series(1, ${COUNT}::integer) n where ${state} = 'pending' or n % 2 = 0`);
  await add('pending', 1);
  await owner.rows(sql`analyze`);
  const [first, second] = [await plan(), await plan()];
  assert.equal(first.approval.count, COUNT);
  await add('approved', 2);
  await owner.rows(sql`analyze`);
  const [third, fourth] = [await plan(), await plan()];
  assert.deepEqual(third.approval.staying, [{ reason: 'capped', count: COUNT / 2 }]);
  const [quiet, busy] = [Math.min(first.tookMs, second.tookMs), Math.min(third.tookMs, fourth.tookMs)];
  assert.ok(busy < 2.5 * quiet, `${quiet} ms before, ${busy} ms after the approvals`);
});
