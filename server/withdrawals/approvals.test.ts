import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import type { Refusal } from '#platform/refusal.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { startSandboxCoinNode } from '../../test/sandbox-coin-node.ts';
import { ask, balanceOf, connectLitecoin, faultsOfBooks, startWorld } from '../../test/withdrawals-world.ts';
import { blockUntilReset } from '../members/members.ts';
import { approveAllWithdrawals } from './bulk-decisions.ts';
import { approveWithdrawal, rejectWithdrawal } from './decisions.ts';
import { readDestinations, removeDestination } from './destinations.ts';
import { undoApproval } from './payout-acts.ts';
import { sweepPayouts } from './payouts.ts';
import { examineWithdrawal } from './quotes.ts';

/** The bounds of approvals: quotes, the time to take one back, caps, two operators, debts and held addresses. */
const world = await startWorld({ after });
const { parts, operator, owner, database, rates } = world;
const colleague = await world.member(0n, { role: 'admin' });
const node = await startSandboxCoinNode({ after });
await connectLitecoin(world, node.access);

type Change = Parameters<typeof changeSettings>[2];
const set = (change: Change) => changeSettings(database, 'sandbox', change);
const uncapped = { memberDay: null, methodDay: null, secondPersonFrom: null };
const pending = async (amountPoints = 1_000n, member?: number) => {
  const memberId = member ?? (await world.member(amountPoints));
  const { id } = await ask(world, memberId, amountPoints, randomRegtestAddress());
  return { id, member: memberId };
};
const say = async (usd: string) => {
  rates.body = `{"litecoin":{"usd":${usd}},"dash":{"usd":25}}`;
  await owner.rows(sql`update withdrawals.rates set fetched_at = fetched_at - interval '61 seconds'`);
};
const passTime = async (seconds: number) => {
  await owner.rows(sql`
    update platform.clock set mode = 'sandbox', offset_seconds = offset_seconds + ${seconds}, advanced_at = now()`);
  await say('80.5');
};
/** Approves, and compares the refusal with what the operator was shown before. Returns the refusal's code. */
const refusedAsShown = async (by: number, id: string): Promise<string> => {
  const { quote, trouble } = await examineWithdrawal(parts, by, id);
  const refusal = await approveWithdrawal(parts, by, id).then(
    () => undefined,
    (error: Refusal) => error,
  );
  assert(refusal);
  assert.deepEqual([quote, trouble], [null, refusal.message]);
  return refusal.code;
};
const refusalsOf = async (calls: Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(calls)).map((call) => (call.status === 'fulfilled' ? 'done' : call.reason.code));
const countOf = (outcomes: string[], wanted: string) => outcomes.filter((one) => one === wanted).length;

describe('a quote', () => {
  it('fixes the amount that the operator saw, also when the rate moved a little since', async () => {
    const { id } = await pending();
    const { quote, trouble } = await examineWithdrawal(parts, operator, id);
    assert.equal(trouble, null);
    assert.deepEqual(
      [quote?.rate, quote?.coinAmount, quote?.sources[0]?.usd],
      ['80.5', '0.01242236', '80.5'],
    );
    assert.equal(
      (await examineWithdrawal(parts, operator, id)).quote?.id,
      quote?.id,
      'a second look shows the same quote',
    );
    await say('82.11');
    const approved = await approveWithdrawal(parts, operator, id, quote?.id);
    assert.deepEqual([approved.rate, approved.coinAmount], ['80.5', '0.01242236']);
    assert.equal((await examineWithdrawal(parts, operator, id)).quote, null);
    await say('80.5');
  });

  it('is refused when the rate moved by more than 2%, after ten minutes, and for another withdrawal', async () => {
    const [{ id }, other] = [await pending(), await pending()];
    const moved = { code: 'quote-moved' };
    const quoteOf = async (withdrawal: string) =>
      (await examineWithdrawal(parts, operator, withdrawal)).quote?.id;
    const first = await quoteOf(id);
    await say('82.2');
    await assert.rejects(approveWithdrawal(parts, operator, id, first), moved);
    await say('80.5');
    await assert.rejects(approveWithdrawal(parts, operator, id, await quoteOf(other.id)), moved);
    await assert.rejects(approveWithdrawal(parts, operator, id, crypto.randomUUID()), moved);
    const late = await quoteOf(id);
    await owner.rows(sql`update withdrawals.quotes set made_at = made_at - interval '601 seconds'`);
    await assert.rejects(approveWithdrawal(parts, operator, id, late), moved);
    const fresh = await examineWithdrawal(parts, operator, id);
    assert.equal((await approveWithdrawal(parts, operator, id, fresh.quote?.id)).status, 'approved');
  });

  it('is replaced by the reason where there is none', async () => {
    const { id } = await pending();
    await say('0.0001');
    const { quote, trouble } = await examineWithdrawal(parts, operator, id);
    assert.equal(quote, null);
    assert.match(String(trouble), /^The rate of litecoin moved from 80.5 to 0.0001/);
    await say('80.5');
  });
});

describe('an approval', () => {
  it('is not prepared before its delay is over, and can be taken back until then', async () => {
    await set({ payoutDelaySeconds: 30 });
    const { id, member } = await pending();
    const approved = await approveWithdrawal(parts, operator, id);
    const leftMs = Date.parse(String(approved.undoUntil)) - Date.parse(String(approved.processedAt));
    assert.equal(leftMs, 30_000);
    // A check that an operator asks for makes a payout due. It must wait all the same.
    await owner.rows(
      sql`update withdrawals.payouts set due_at = now() - interval '1 day' where withdrawal_id = ${id}`,
    );
    await sweepPayouts(parts);
    const attempts = sql`select attempt_count as attempts from withdrawals.payouts where withdrawal_id = ${id}`;
    assert.deepEqual(await owner.rows(attempts), [{ attempts: 0 }]);
    const undone = await undoApproval(parts, operator, id);
    assert.deepEqual(
      [undone.status, undone.rate, undone.coinAmount, undone.payoutState, undone.undoUntil],
      ['pending', null, null, 'none', null],
    );
    await assert.rejects(undoApproval(parts, operator, id), { code: 'already-decided' });
    await rejectWithdrawal(parts, operator, id, 'After all not');
    assert.equal(await balanceOf(world, member), 1_000n);
    assert.deepEqual(await faultsOfBooks(world), []);
    await set({ payoutDelaySeconds: 0 });
  });

  it('is attempted when its delay is over, by business time', async () => {
    await set({ payoutDelaySeconds: 30 });
    const { id } = await pending();
    await approveWithdrawal(parts, operator, id);
    await passTime(31);
    await sweepPayouts(parts);
    const row = await owner.one<{ attempts: number }>(
      sql`select attempt_count as attempts from withdrawals.payouts where withdrawal_id = ${id}`,
    );
    assert.equal(row.attempts, 1);
    await set({ payoutDelaySeconds: 0 });
  });

  it('can’t be taken back once a payment was stored, or while a restore is not reconciled', async () => {
    const { id } = await pending();
    await approveWithdrawal(parts, operator, id);
    await owner.rows(sql`
      insert into withdrawals.reconciliations (method, reason, asked_at, awaited_accounts)
      values ('litecoin', 'restore', now(), '{an account that is not connected}')`);
    await assert.rejects(undoApproval(parts, operator, id), { code: 'payout-halted' });
    await owner.rows(sql`delete from withdrawals.reconciliations`);
    const its = sql`where withdrawal_id = ${id}`;
    await owner.rows(sql`
      update withdrawals.payouts set state = 'signed', reference = ${id}, artifact = 'a', signed_at = now() ${its}`);
    await assert.rejects(undoApproval(parts, operator, id), { code: 'already-sent' });
    await owner.rows(sql`
      update withdrawals.payouts set state = 'queued', reference = null, artifact = null, signed_at = null ${its}`);
    assert.equal((await undoApproval(parts, operator, id)).status, 'pending');
    await assert.rejects(undoApproval(parts, operator, crypto.randomUUID()), { code: 'not-found' });
  });

  it('is one of 50 that approve and take back at once, and the books agree', async () => {
    const { id } = await pending();
    await Promise.allSettled(
      Array.from({ length: 50 }, (_value, index) =>
        index % 2 === 0 ? approveWithdrawal(parts, operator, id) : undoApproval(parts, colleague, id),
      ),
    );
    assert.deepEqual(await faultsOfBooks(world), []);
  });
});

describe('a cap', () => {
  it('lets exactly as much of 50 approvals at once through as it allows, per method and day', async () => {
    await passTime(86_400);
    const asked = [];
    for (let count = 0; count < 50; count += 1) asked.push(await pending(1_000n + BigInt(count)));
    await set({ caps: { ...uncapped, methodDay: '20000' } });
    const outcomes = await refusalsOf(asked.map(({ id }) => approveWithdrawal(parts, operator, id)));
    const { points } = await owner.one<{ points: string }>(sql`
      select coalesce(sum(amount_points), 0)::text as points from withdrawals.withdrawals
      where id = any(${asked.map(({ id }) => id)}::uuid[]) and state = 'approved'`);
    assert.ok(BigInt(points) <= 20_000n && BigInt(points) > 18_900n, points);
    assert.equal(countOf(outcomes, 'done') + countOf(outcomes, 'payout-capped'), 50);
    const [rest] = asked.filter((_one, index) => outcomes[index] === 'payout-capped');
    await passTime(86_400);
    assert.equal(
      (await approveWithdrawal(parts, operator, String(rest?.id))).status,
      'approved',
      'the next day',
    );
    await set({ caps: uncapped });
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  it('counts a member’s approvals of the day, not those that were taken back', async () => {
    const member = await world.member(100_000n);
    const first = await pending(6_000n, member);
    const second = await pending(5_000n, member);
    await set({ caps: { ...uncapped, memberDay: '10000' }, payoutDelaySeconds: 30 });
    await approveWithdrawal(parts, operator, first.id);
    const { obstacle } = await examineWithdrawal(parts, operator, second.id);
    const endsAt = String(obstacle?.cap?.endsAt);
    const cap = { name: 'memberDay', points: '10000', usedPoints: '6000', endsAt };
    assert.deepEqual(obstacle, { code: 'payout-capped', cap });
    assert.equal(await refusedAsShown(operator, second.id), 'payout-capped');
    const bulk = await approveAllWithdrawals(parts, operator);
    const said = 'The daily limit of this member is 10000 points, and 6000 of them are approved already.';
    assert.equal(
      bulk.failed.find(({ id }) => id === second.id)?.reason,
      `${said} The day ends at ${endsAt}.`,
    );
    await undoApproval(parts, operator, first.id);
    assert.equal((await approveWithdrawal(parts, operator, second.id)).status, 'approved');
    await assert.rejects(approveWithdrawal(parts, operator, first.id), { code: 'payout-capped' });
    await set({ caps: uncapped, payoutDelaySeconds: 0 });
  });
});

describe('two operators', () => {
  it('are needed from the sum on, and the first approval is recorded', async () => {
    const kim = await world.member(0n, { role: 'admin' });
    await set({ caps: { ...uncapped, secondPersonFrom: '5000' } });
    assert.equal((await approveWithdrawal(parts, kim, (await pending(4_999n)).id)).status, 'approved');
    const { id } = await pending(5_000n);
    const needed = { code: 'second-operator-needed' };
    assert.equal((await examineWithdrawal(parts, kim, id)).isFirstOfTwo, true);
    const recorded = { ...needed, extensions: { isRecorded: true } };
    await assert.rejects(approveWithdrawal(parts, kim, id), recorded);
    assert.equal(await refusedAsShown(kim, id), needed.code, 'the same operator is no second one');
    assert.equal((await examineWithdrawal(parts, kim, id)).firstApprovedBy, String(kim));
    const ofSecond = await examineWithdrawal(parts, colleague, id);
    assert.deepEqual(
      [ofSecond.obstacle, ofSecond.isFirstOfTwo, ofSecond.quote === null],
      [null, false, false],
    );
    const acts = await owner.rows(sql`select act from platform.acts where target = ${id}`);
    assert.deepEqual(acts, [{ act: 'withdrawal.approve-first' }]);
    await set({ caps: uncapped });
    await assert.rejects(approveWithdrawal(parts, kim, id), needed, 'also after the sum was lifted');
    await set({ caps: { ...uncapped, secondPersonFrom: '5000' } });
    assert.equal((await approveWithdrawal(parts, colleague, id)).status, 'approved');
    await undoApproval(parts, kim, id);
    await assert.rejects(approveWithdrawal(parts, colleague, id), needed, 'the approvals begin anew');
    await set({ caps: uncapped });
  });

  it('approve once when 50 calls of both come at once', async () => {
    await set({ caps: { ...uncapped, secondPersonFrom: '5000' } });
    const { id } = await pending(5_000n);
    const outcomes = await refusalsOf(
      Array.from({ length: 50 }, (_value, index) =>
        approveWithdrawal(parts, index % 2 === 0 ? operator : colleague, id),
      ),
    );
    assert.equal(countOf(outcomes, 'done'), 1);
    assert.ok(countOf(outcomes, 'second-operator-needed') >= 1);
    await set({ caps: uncapped });
  });

  it('are not the one who has lost the role', async () => {
    await set({ caps: { ...uncapped, secondPersonFrom: '5000' } });
    const { id } = await pending(5_000n);
    const former = await world.member(0n, { role: 'admin' });
    await assert.rejects(approveWithdrawal(parts, former, id), { code: 'second-operator-needed' });
    await owner.rows(sql`update members.members set role = 'user' where id = ${former}`);
    await assert.rejects(approveWithdrawal(parts, operator, id), { code: 'second-operator-needed' });
    assert.equal((await approveWithdrawal(parts, colleague, id)).status, 'approved');
    await set({ caps: uncapped });
  });

  it('never decide their own requests', async () => {
    await world.grant(operator, 2_000n);
    await owner.rows(sql`
      update members.members set phone_number = '+821099999999', phone_verified_at = now() where id = ${operator}`);
    const { id } = await pending(2_000n, operator);
    const own = { code: 'own-request' };
    await assert.rejects(approveWithdrawal(parts, operator, id), own);
    assert.equal(await refusedAsShown(operator, id), 'own-request');
    assert.notEqual((await examineWithdrawal(parts, colleague, id)).quote, null, 'another operator can');
    await assert.rejects(rejectWithdrawal(parts, operator, id, 'x'), own);
    await approveWithdrawal(parts, colleague, id);
    await assert.rejects(undoApproval(parts, operator, id), own);
    assert.equal((await undoApproval(parts, colleague, id)).status, 'pending');
  });
});

describe('a member in debt', () => {
  it('is paid nothing until the debt is filled', async () => {
    const { id, member } = await pending(3_000n);
    await owner.rows(sql`
      select ledger.post_one(${member}, 'reversal:debt', 'reversal', -500, 'operator', 'x', null, null, true)`);
    assert.equal(await balanceOf(world, member), -500n);
    await assert.rejects(approveWithdrawal(parts, operator, id), { code: 'member-in-debt' });
    assert.equal(await refusedAsShown(operator, id), 'member-in-debt');
    await world.grant(member, 500n);
    assert.notEqual((await examineWithdrawal(parts, operator, id)).quote, null);
    assert.equal((await approveWithdrawal(parts, operator, id)).status, 'approved');
  });
});

describe('several obstacles', () => {
  it('are shown to the operator in the order in which an approval is refused', async () => {
    const [member, home] = [await world.member(9_000n, { role: 'admin' }), randomRegtestAddress()];
    await ask(world, member, 1_000n, home);
    const { id } = await ask(world, member, 8_000n, randomRegtestAddress());
    await owner.rows(sql`
      insert into withdrawals.request_checks (withdrawal_id, possible_references, reason, found_at)
      values (${id}, '{listed}', 'This request may be paid already.', platform.business_now())`);
    assert.equal((await examineWithdrawal(parts, operator, id)).trouble, 'This request may be paid already.');
    await owner.rows(sql`update withdrawals.request_checks set possible_references = '{}'`);
    assert.equal(await refusedAsShown(member, id), 'own-request');
    await set({ switches: { addressHold: true } });
    const held = await examineWithdrawal(parts, member, id);
    assert.deepEqual([held.trouble, held.holdUntil === null], [null, false]);
    await assert.rejects(approveWithdrawal(parts, member, id), { code: 'address-on-hold' });
    await owner.rows(sql`
      select ledger.post_one(${member}, 'reversal:several', 'reversal', -500, 'operator', 'x', null, null, true)`);
    assert.equal(await refusedAsShown(member, id), 'member-in-debt');
    await owner.rows(sql`
      insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
      values (${member}, 'Shared an account', 'permanent', 'withdrawal_blocked', platform.business_now())`);
    assert.equal(await refusedAsShown(member, id), 'withdrawals-suspended');
    await owner.transaction((tx) => blockUntilReset(tx, member));
    assert.equal(await refusedAsShown(member, id), 'withdrawal-disowned');
    await set({ switches: { addressHold: false } });
  });
});

describe('a payout address', () => {
  it('waits 24 hours at its first use, from the second one on, where the switch is on', async () => {
    const member = await world.member(50_000n);
    const [home, office] = [randomRegtestAddress(), randomRegtestAddress()];
    const first = await ask(world, member, 1_000n, home);
    const second = await ask(world, member, 1_000n, office);
    const again = await ask(world, member, 1_000n, office);
    assert.deepEqual(
      (await readDestinations(parts, member)).map(({ holdUntil }) => holdUntil),
      [null, null],
    );
    await set({ switches: { addressHold: true } });
    const [held, free] = await readDestinations(parts, member);
    assert.equal(free?.holdUntil, null);
    assert.equal(Date.parse(String(held?.holdUntil)) - Date.parse(String(held?.firstUsedAt)), 86_400_000);
    assert.equal((await approveWithdrawal(parts, operator, first.id)).status, 'approved');
    const onHold = { code: 'address-on-hold' };
    for (const { id } of [second, again])
      await assert.rejects(approveWithdrawal(parts, operator, id), onHold);
    const { failed } = await approveAllWithdrawals(parts, operator);
    assert.ok([second, again].every(({ id }) => failed.some((one) => one.id === id)));
    assert.notEqual((await examineWithdrawal(parts, operator, second.id)).holdUntil, null);
    await passTime(86_401);
    for (const { id } of [second, again])
      assert.equal((await approveWithdrawal(parts, operator, id)).status, 'approved');
    await set({ switches: { addressHold: false } });
  });

  it('is new again after it was removed, and its removal makes no other one the first', async () => {
    await set({ switches: { addressHold: true } });
    const member = await world.member(50_000n);
    const stranger = await world.member(0n);
    const home = randomRegtestAddress();
    await ask(world, member, 1_000n, home);
    const [kept] = await readDestinations(parts, member);
    await assert.rejects(removeDestination(parts, stranger, String(kept?.id)), { code: 'not-found' });
    await removeDestination(parts, member, String(kept?.id));
    await assert.rejects(removeDestination(parts, member, String(kept?.id)), { code: 'not-found' });
    assert.deepEqual(await readDestinations(parts, member), []);
    for (const address of [home, randomRegtestAddress()]) {
      const { id } = await ask(world, member, 1_000n, address);
      await assert.rejects(approveWithdrawal(parts, operator, id), { code: 'address-on-hold' });
    }
    await set({ switches: { addressHold: false } });
  });

  it('is held within 24 hours of a change of password, phone or e-mail, not of the first phone', async () => {
    await set({ switches: { addressHold: true } });
    for (const [change, isHeld] of [
      [sql`password_hash = 'new'`, true],
      [sql`phone_number = phone_number || '1'`, true],
      [sql`email = 'new' || email`, true],
      [sql`first_name = 'Other'`, false],
    ] as const) {
      const member = await world.member(5_000n);
      const home = randomRegtestAddress();
      const before = await ask(world, member, 1_000n, home);
      await owner.rows(sql`update members.members set ${change} where id = ${member}`);
      const after = await ask(world, member, 1_000n, home);
      assert.equal((await approveWithdrawal(parts, operator, before.id)).status, 'approved');
      const [outcome] = await refusalsOf([approveWithdrawal(parts, operator, after.id)]);
      assert.equal(outcome, isHeld ? 'address-on-hold' : 'done', change.text);
    }
    const newcomer = await world.member(5_000n, { phone: false });
    await owner.rows(sql`
      update members.members set phone_number = '+821088888888', phone_verified_at = now() where id = ${newcomer}`);
    const { id } = await ask(world, newcomer, 1_000n, randomRegtestAddress());
    assert.equal((await approveWithdrawal(parts, operator, id)).status, 'approved');
    await set({ switches: { addressHold: false } });
  });
});
