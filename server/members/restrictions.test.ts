import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';
import { registerMember } from './members.ts';
import { readRestrictions } from './queries.ts';

/** `members.restrictions`, which decides what a suspension blocks. */
const { database, owner } = await testDatabase({ after });

let count = 0;

async function newMember(): Promise<number> {
  count += 1;
  const person = { email: `r${count}@example.com`, firstName: 'R', lastName: null, passwordHash: null };
  const row = await database.transaction((tx) =>
    registerMember(tx, { ...person, role: 'user', address: null, referral: null }),
  );
  assert.ok(row);
  return row.id;
}

type Suspension = { type: string; severity?: string; expiresInHours?: number; isLifted?: boolean };

async function restrictionsUnder(...suspensions: Suspension[]) {
  const memberId = await newMember();
  for (const { type, severity = 'temporary', expiresInHours, isLifted = false } of suspensions)
    await owner.rows(sql`
      insert into members.suspensions (member_id, reason, severity, suspension_type, expires_at, lifted_at, created_at)
      values (${memberId}, 'A test', ${severity}, ${type},
        platform.business_now() + make_interval(hours => ${expiresInHours ?? null}::integer),
        case when ${isLifted} then platform.business_now() end, platform.business_now())`);
  const { areEarningsBlocked, areWithdrawalsBlocked, isAccountSuspended } = await readRestrictions(
    database,
    memberId,
  );
  return [areEarningsBlocked, areWithdrawalsBlocked, isAccountSuspended];
}

const blockedBy: Record<string, boolean[]> = {
  earnings_blocked: [true, false, false],
  withdrawal_blocked: [false, true, false],
  full_suspension: [true, true, true],
};

test('blocks nothing for a member without a suspension', async () => {
  assert.deepEqual(await restrictionsUnder(), [false, false, false]);
});

for (const [type, blocked] of Object.entries(blockedBy))
  test(`blocks by ${type} the same at every severity`, async () => {
    for (const severity of ['warning', 'temporary', 'permanent'])
      assert.deepEqual(await restrictionsUnder({ type, severity }), blocked);
  });

test('combines the blocks of several suspensions', async () => {
  const both = await restrictionsUnder({ type: 'withdrawal_blocked' }, { type: 'earnings_blocked' });
  assert.deepEqual(both, [true, true, false]);
});

test('ignores suspensions that expired or were lifted', async () => {
  const type = 'full_suspension';
  assert.deepEqual(await restrictionsUnder({ type, expiresInHours: 1 }), [true, true, true]);
  assert.deepEqual(await restrictionsUnder({ type, expiresInHours: -1 }), [false, false, false]);
  assert.deepEqual(await restrictionsUnder({ type, isLifted: true }), [false, false, false]);
});
