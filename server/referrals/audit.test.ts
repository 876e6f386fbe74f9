import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { type Sql, sql } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';
import { runChecks } from '../ledger/ledger.ts';
import { registerMember } from '../members/members.ts';
import { referralsChecks } from './audit.ts';
import { beginReferral } from './referrals.ts';

const { database, owner } = await testDatabase({ after });

const member = async (name: string, referrerId?: number): Promise<number> => {
  const referral = referrerId === undefined ? null : { referrerId, begin: beginReferral };
  const person = {
    passwordHash: null,
    firstName: name,
    lastName: null,
    role: 'user',
    address: null,
  } as const;
  const row = await database.transaction((tx) =>
    registerMember(tx, { ...person, email: `${name}@example.com`, referral }),
  );
  assert(row);
  return row.id;
};

const referrer = await member('referrer');
const friend = await member('friend', referrer);
const stranger = await member('stranger');

beforeEach(async () => {
  await owner.rows(sql`update members.members set referred_by = ${referrer} where id = ${friend}`);
  await owner.rows(sql`update members.members set referred_by = null where id = ${stranger}`);
  await owner.rows(sql`truncate referrals.referrals, referrals.member_totals`);
  await owner.rows(sql`select referrals.begin_referral(${friend}, ${referrer})`);
});

test('finds no difference between members and their referrals', async () =>
  assert.deepEqual(await runChecks(owner, referralsChecks), []));

const planted: { name: string; act: Sql; found: [member: number, expected: string, actual: string] }[] = [
  {
    name: 'a referrer without a referral',
    act: sql`update members.members set referred_by = ${referrer} where id = ${stranger}`,
    found: [stranger, `referrer ${referrer}`, 'no referrer'],
  },
  {
    name: 'a referral that is gone',
    act: sql`delete from referrals.referrals`,
    found: [friend, `referrer ${referrer}`, 'no referrer'],
  },
  {
    name: 'a referral without a referrer',
    act: sql`update members.members set referred_by = null where id = ${friend}`,
    found: [friend, 'no referrer', `referrer ${referrer}`],
  },
  {
    name: 'a referral of another referrer',
    act: sql`update referrals.referrals set referrer_id = ${stranger}`,
    found: [friend, `referrer ${referrer}`, `referrer ${stranger}`],
  },
];

for (const { name, act, found } of planted)
  test(`finds ${name}`, async () => {
    await owner.rows(act);
    const differences = await runChecks(owner, referralsChecks);
    assert.deepEqual(
      differences
        .filter(({ check }) => check === 'referrals')
        .map(({ subject, expected, actual }) => [Number(subject), expected, actual]),
      [found],
    );
  });

test('refuses, in the database, a member who is their own referrer', async () => {
  const act = owner.rows(sql`update members.members set referred_by = id where id = ${stranger}`);
  await assert.rejects(act, { constraint: 'members_referred_by_another' });
});
