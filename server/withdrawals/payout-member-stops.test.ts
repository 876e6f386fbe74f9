import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#platform/database.ts';
import { balanceOf, faultsOfBooks, startWorld, sweepNow } from '../../test/withdrawals-world.ts';
import { blockUntilReset } from '../members/members.ts';
import { approveWithdrawal } from './decisions.ts';
import { changePaymentMethod } from './payment-methods.ts';
import { failPayout, retryPayout } from './payout-acts.ts';
import { sweepPayouts } from './payouts.ts';
import { vectors } from './rails/litecoin/vectors.ts';
import { requestWithdrawal } from './withdrawals.ts';

/** A member who is suspended, disowns a request or comes into debt after the approval is paid nothing meanwhile. */
const world = await startWorld({ after });
const { parts, owner, operator } = world;
assert(vectors.start);
const party = await vectors.start({ after });
await changePaymentMethod(parts, 'litecoin', { credentials: party.credentials });

const approved = async () => {
  const member = await world.member(2_000n);
  const request = { amountPoints: '2000', method: 'litecoin', recipientInfo: party.recipient() };
  const { id } = (await requestWithdrawal(parts, member, request, null)).reply;
  await approveWithdrawal(parts, operator, id);
  return { id, member };
};
const takeBack = (member: number, points: number) => sql`
  select ledger.post_one(${member}, ${`reversal:${member}`}, 'reversal', ${-points}, 'operator', 'x', null, null,
    true)`;
const payoutOf = (id: string) =>
  owner.one<{ state: string; trouble: string | null }>(
    sql`select state, trouble from withdrawals.payouts where withdrawal_id = ${id}`,
  );
const waits = sql`
  select exists (
    select from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where not l.granted and a.datname = current_database()) as "isWaiting"`;
const someoneWaits = async (isOver = () => false) => {
  while (!isOver() && !(await world.database.one<{ isWaiting: boolean }>(waits)).isWaiting) await sleep(10);
};
const finish = async () => {
  await sweepNow(world);
  await party.settle();
  await sweepNow(world);
};

test('holds the payouts of members in debt, says why, pays the others, and pays when the debt is gone', async () => {
  const owing = [];
  for (let count = 0; count < 4; count += 1) owing.push(await approved());
  const other = await approved();
  for (const { member } of owing) await owner.rows(takeBack(member, 500));
  await sweepNow(world);
  for (const { id } of owing) {
    const { state, trouble } = await payoutOf(id);
    assert.equal(state, 'queued');
    assert.match(trouble ?? '', /^The member’s balance is below zero\./);
  }
  assert.equal((await payoutOf(other.id)).state, 'broadcast');

  for (const { member } of owing) await world.grant(member, 500n);
  await finish();
  for (const { id } of [...owing, other]) assert.equal((await payoutOf(id)).state, 'confirmed');
  assert.deepEqual(await faultsOfBooks(world), []);
});

test('gives a payout of a member in debt up by an operator, and its points fill the debt', async () => {
  const { id, member } = await approved();
  await owner.rows(takeBack(member, 500));
  await sweepNow(world);
  await failPayout({ platform: parts, operatorId: operator, id, reason: 'The survey was taken back' });
  assert.equal((await payoutOf(id)).state, 'failed');
  assert.equal(await balanceOf(world, member), 1_500n);
  assert.deepEqual(await faultsOfBooks(world), []);
});

test('stores no payment beside a reversal that is being booked while the payment is prepared', async () => {
  const { id, member } = await approved();
  let isSwept = false;
  const sweeping = await owner.transaction(async (tx) => {
    await tx.rows(takeBack(member, 1));
    const sweep = sweepPayouts(parts).then(() => {
      isSwept = true;
    });
    await someoneWaits(() => isSwept);
    return { sweep };
  });
  await sweeping.sweep;
  assert.equal((await payoutOf(id)).state, 'queued');
  assert.match((await payoutOf(id)).trouble ?? '', /^The member’s balance is below zero\./);
  await world.grant(member, 1n);
  await finish();
  assert.equal((await payoutOf(id)).state, 'confirmed');
});

test('sends a stored payment also when the member came into debt since', async () => {
  const { id, member } = await approved();
  await owner.rows(sql`
    create function withdrawals.refuse_sent() returns trigger language plpgsql as $$
    begin
      if new.state = 'broadcast' then raise exception 'stopped'; end if;
      return new;
    end $$`);
  await owner.rows(sql`
    create trigger refuse_sent before update on withdrawals.payouts
    for each row execute function withdrawals.refuse_sent()`);
  await sweepNow(world);
  assert.equal((await payoutOf(id)).state, 'signed');
  await owner.rows(sql`drop function withdrawals.refuse_sent() cascade`);
  await owner.rows(takeBack(member, 500));
  await finish();
  assert.equal((await payoutOf(id)).state, 'confirmed');
  assert.deepEqual(await faultsOfBooks(world), []);
});

const suspend = (member: number, type: string) =>
  owner.rows(sql`
    insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
    values (${member}, 'Tested', 'permanent', ${type}, platform.business_now())`);
const lift = (member: number) =>
  owner.rows(
    sql`update members.suspensions set lifted_at = platform.business_now() where member_id = ${member}`,
  );

for (const type of ['withdrawal_blocked', 'full_suspension'])
  test(`pays nothing to a member with ${type} after the approval, and pays when it is lifted`, async () => {
    const { id, member } = await approved();
    await suspend(member, type);
    await sweepNow(world);
    assert.equal((await payoutOf(id)).state, 'queued');
    assert.match((await payoutOf(id)).trouble ?? '', /^Withdrawals of this member are suspended\./);
    await lift(member);
    await finish();
    assert.equal((await payoutOf(id)).state, 'confirmed');
    assert.deepEqual(await faultsOfBooks(world), []);
  });

test('never pays by itself what a member disowned after the approval; an operator returns the points', async () => {
  const { id, member } = await approved();
  await owner.transaction((tx) => blockUntilReset(tx, member));
  const disowned = /^The member said later that somebody else used the account\./;
  await sweepNow(world);
  assert.match((await payoutOf(id)).trouble ?? '', disowned);
  await lift(member);
  await finish();
  assert.equal((await payoutOf(id)).state, 'queued');
  assert.match((await payoutOf(id)).trouble ?? '', disowned);
  await failPayout({ platform: parts, operatorId: operator, id, reason: 'Somebody else asked for it' });
  assert.equal((await payoutOf(id)).state, 'failed');
  assert.equal(await balanceOf(world, member), 2_000n);
  assert.deepEqual(await faultsOfBooks(world), []);
});

const holds: [hold: (member: number) => Promise<unknown>, code: string][] = [
  [(member) => owner.rows(takeBack(member, 500)), 'member-in-debt'],
  [(member) => suspend(member, 'withdrawal_blocked'), 'withdrawals-suspended'],
  [(member) => owner.transaction((tx) => blockUntilReset(tx, member)), 'withdrawal-disowned'],
  [
    (member) =>
      owner.rows(sql`
        insert into withdrawals.unaccounted_payments (method, reference, destination, amount_units, paid_at, found_at,
          withdrawal_id, member_id, points)
        values ('litecoin', ${`listed ${member}`}, 'elsewhere', 1, now(), platform.business_now(), gen_random_uuid(),
          ${member}, 2000)`),
    'points-in-check',
  ],
];
for (const [hold, code] of holds)
  test(`tries no payout again that is held, and says what holds it: ${code}`, async () => {
    const { id, member } = await approved();
    const act = { platform: parts, operatorId: operator, id, reason: 'Looked at the wallet' };
    const trail = () =>
      owner.rows(sql`select act from platform.acts where target = ${id} and act = 'payout.retry'`);
    await hold(member);
    await assert.rejects(retryPayout(act), { code }, 'before the first turn');
    await sweepNow(world);
    const { trouble: message } = await payoutOf(id);
    await assert.rejects(retryPayout(act), { code, message });
    assert.deepEqual(await trail(), []);
    // The act lifts an operator's halt, so it is done. Then the hold is left.
    await owner.rows(sql`
      update withdrawals.payouts set halted_by = ${operator}, halt_reason = 'A wish' where withdrawal_id = ${id}`);
    await retryPayout(act);
    assert.equal((await trail()).length, 1);
    await assert.rejects(retryPayout(act), { code });
    await failPayout(act);
  });

for (const state of ['queued', 'parked'])
  for (const [hold, code] of holds)
    test(`tries no ${state} payout again that is held while the act is written: ${code}`, async () => {
      const { id, member } = await approved();
      const act = { platform: parts, operatorId: operator, id, reason: 'Looked at the wallet' };
      // Parked so is what a restored copy has approved.
      await owner.rows(sql`
        update withdrawals.payouts set state = ${state}, trouble = 'Approved in the copy' where withdrawal_id = ${id}`);
      let hasEnded = false;
      const { retrying } = await owner.transaction(async (tx) => {
        await tx.rows(sql`select from withdrawals.payouts where withdrawal_id = ${id} for no key update`);
        const outcome = retryPayout(act)
          .then(
            () => 'tried again',
            (error: { code?: string }) => error.code,
          )
          .finally(() => {
            hasEnded = true;
          });
        await someoneWaits(() => hasEnded);
        await hold(member);
        return { retrying: outcome };
      });
      assert.equal(await retrying, code);
      const { state: left, trouble } = await payoutOf(id);
      assert.deepEqual([left, trouble], [state, 'Approved in the copy']);
      await failPayout(act);
    });

test('keeps no request that looked at the suspensions before a denial that is committed first', async () => {
  const member = await world.member(2_000n);
  const request = { amountPoints: '2000', method: 'litecoin', recipientInfo: party.recipient() };
  const { asking } = await owner.transaction(async (tx) => {
    await tx.rows(sql`select from ledger.lock_wallets(array[${member}::integer])`);
    const refused = assert.rejects(requestWithdrawal(parts, member, request, null), {
      code: 'withdrawals-suspended',
    });
    await someoneWaits();
    await blockUntilReset(tx, member);
    return { asking: refused };
  });
  await asking;
  assert.equal(await balanceOf(world, member), 2_000n);
});
