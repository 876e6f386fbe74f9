import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { startSandboxCoinNode } from '../../test/sandbox-coin-node.ts';
import { ask, connectLitecoin, startWorld, sweepNow } from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';
import { findRail } from './payment-methods.ts';
import { settlePayout } from './payout-acts.ts';
import { findPayout } from './queries.ts';
import { reconcilePayouts } from './reconcile-command.ts';
import { settleRequest } from './request-checks.ts';
import { findSentPayments } from './sent-payments.ts';

/** The record of sent payments after an operator's act that was refused at its end. */
const world = await startWorld({ after }, ['litecoin']);
const node = await startSandboxCoinNode({ after });
await connectLitecoin(world, node.access);
await node.mine(101);
const { owner, parts, database, operator } = world;

const asked = async (address: string) => (await ask(world, await world.member(2_000n), 2_000n, address)).id;
const approved = async (address: string) => {
  const id = await asked(address);
  await approveWithdrawal(parts, operator, id);
  return id;
};
const act = (id: string, reference: string) => ({
  platform: parts,
  operatorId: operator,
  id,
  reason: 'Paid by hand',
  reference,
});

/** Pays the amount of a payout to its address, beside it. */
async function payByHand(id: string): Promise<string> {
  const rail = await findRail(parts, 'litecoin');
  const payout = await findPayout(database, id);
  assert(rail && payout);
  const payment = await rail.prepare(payout, [], []);
  assert(payment.kind === 'prepared');
  await rail.send(payment.artifact);
  return payment.reference;
}

/** Lets no payment become a payout's, as when another process changed the payout since. */
async function withRefusal(work: () => Promise<void>): Promise<void> {
  await owner.rows(sql`
    create function withdrawals.keep_state() returns trigger language plpgsql as $$ begin return null; end $$`);
  await owner.rows(sql`
    create trigger keep_state before update on withdrawals.payouts
    for each row when (new.state = 'broadcast') execute function withdrawals.keep_state()`);
  await work();
  await owner.rows(sql`drop function withdrawals.keep_state() cascade`);
}

/** The withdrawals that this payment paid, by the record. */
async function recordedOf(destination: string, reference: string): Promise<string[]> {
  const payment = { method: 'litecoin', reference, destination };
  const found = await findSentPayments(parts.config.dataDir, [payment]);
  return [...found.values()].map(({ withdrawalId }) => withdrawalId);
}

test('a refused settlement names no withdrawal, so that the payment settles the one that it paid', async () => {
  const address = node.foreignAddress();
  const [one, other] = [await approved(address), await approved(address)];
  const byHand = await payByHand(one);
  await sweepNow(world);
  await withRefusal(() => assert.rejects(settlePayout(act(one, byHand)), { code: 'payment-mismatch' }));
  assert.deepEqual(await recordedOf(address, byHand), []);
  // A comparison stores whose the payment is, as the record says.
  await reconcilePayouts(parts);
  assert.equal((await settlePayout(act(other, byHand))).txId, byHand);
  assert.deepEqual(await recordedOf(address, byHand), [other]);
});

test('a refused settlement of a request names none either, and one that is repeated names it', async () => {
  const address = node.foreignAddress();
  const byHand = await payByHand(await approved(address));
  const id = await asked(address);
  await owner.rows(sql`
    insert into withdrawals.request_checks (withdrawal_id, possible_references, reason, found_at)
    values (${id}, ${[byHand]}::text[], 'It may be paid already.', platform.business_now())`);
  const acting = { ...act(id, byHand), acceptedAmount: '0.025' };
  await withRefusal(() => assert.rejects(settleRequest(acting), { code: 'payment-mismatch' }));
  assert.deepEqual(await recordedOf(address, byHand), []);
  await settleRequest(acting);
  assert.deepEqual(await recordedOf(address, byHand), [id]);
});
