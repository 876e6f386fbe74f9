import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';
import { registerMember } from './members.ts';
import { readRefusals } from './queries.ts';

/** `members.restrictions` decides what a suspension blocks, `members.refusals` how an act is refused. */
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

async function suspendedMember(...suspensions: Suspension[]): Promise<number> {
  const memberId = await newMember();
  for (const { type, severity = 'temporary', expiresInHours, isLifted = false } of suspensions)
    await owner.rows(sql`
      insert into members.suspensions (member_id, reason, severity, suspension_type, expires_at, lifted_at, created_at)
      values (${memberId}, 'A test', ${severity}, ${type},
        platform.business_now() + make_interval(hours => ${expiresInHours ?? null}::integer),
        case when ${isLifted} then platform.business_now() end, platform.business_now())`);
  return memberId;
}

async function restrictionsUnder(...suspensions: Suspension[]) {
  const memberId = await suspendedMember(...suspensions);
  const found = await database.one<Record<string, boolean>>(sql`
    select are_earnings_blocked, are_withdrawals_blocked, is_account_suspended from members.restrictions(${memberId})`);
  return [found.are_earnings_blocked, found.are_withdrawals_blocked, found.is_account_suspended];
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

const refusalsBy: Record<string, [earning: string | null, withdrawal: string | null]> = {
  earnings_blocked: ['earnings-suspended', null],
  withdrawal_blocked: [null, 'withdrawals-suspended'],
  full_suspension: ['account-suspended', 'account-suspended'],
};

test('refuses with the code of the suspension, and with that of the whole account first', async () => {
  const refusalsUnder = async (...types: string[]) => {
    const memberId = await suspendedMember(...types.map((type) => ({ type })));
    const { earning, withdrawal } = await readRefusals(database, memberId);
    return [earning, withdrawal];
  };
  assert.deepEqual(await refusalsUnder(), [null, null]);
  for (const [type, found] of Object.entries(refusalsBy)) assert.deepEqual(await refusalsUnder(type), found);
  const all = await refusalsUnder('earnings_blocked', 'withdrawal_blocked', 'full_suspension');
  assert.deepEqual(all, refusalsBy.full_suspension);
});
