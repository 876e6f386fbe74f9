import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { sql } from '#platform/database.ts';
import { siteChecks } from '../server/books.ts';
import { runChecks } from '../server/ledger/ledger.ts';
import { type Failpoint, payoutFailpoints } from '../server/withdrawals/failpoint.ts';
import type { Litecoind } from './litecoind.ts';
import type { NodeOrder, PayoutNode } from './payout-node.ts';
import { balanceOf, faultsOfBooks, type World } from './withdrawals-world.ts';

/**
 * One payout, from the request to its end, with an outage at a named step. Some go to an address that the rail refuses
 * for good, where the step allows it, so that both ends of a payout are seen.
 */
export type Round = {
  step: Failpoint;
  /** The node that takes the request and the approval. */
  taker: PayoutNode;
  /** Every node that runs. The sweeps of any of them may reach the step first. */
  nodes: readonly PayoutNode[];
  act: 'kill' | 'stop';
  /** Called when a node was killed, or stands still, at the step. */
  outage: (victim: PayoutNode, payout: Payout) => Promise<void>;
  /** The node that the member's browser and the operator reach after the outage. */
  afterwards: PayoutNode;
};

export type Payout = {
  memberId: number;
  address: string;
  isRefused: boolean;
  /** Null while only the node knows it. */
  id: string | null;
};

const BALANCE = 5_000n;
const AMOUNT = 1_234n;
const REACHED_MS_MAX = 60_000;
const MINED_EVERY_MS = 150;
const BEFORE_SENDING: readonly Failpoint[] = ['after_hold', 'after_approve', 'after_sign'];

const runs = Number(process.env.CAMPAIGN_RUNS ?? 0);
/** The steps to test: in a campaign all of them, each so many times; else one at random. */
export const campaignSteps = (): readonly Failpoint[] =>
  runs === 0
    ? payoutFailpoints.filter((_, index) => index === chosen)
    : Array.from({ length: runs }, () => payoutFailpoints).flat();
const chosen = randomInt(payoutFailpoints.length);

export function roundsOn(world: World, coinNode: Litecoind) {
  const { owner } = world;
  const rowOf = (id: string) =>
    owner.row<{ state: string; trouble: string | null; reference: string; amountUnits: bigint }>(sql`
      select state, trouble, reference, amount_units as "amountUnits" from withdrawals.payouts
      where withdrawal_id = ${id}`);
  let minedAtMs = 0;
  /** Makes the payout due, as after some time, and mines it if it was sent. True once it has ended. */
  const passTime = async ({ id }: Payout, isMining = true): Promise<boolean> => {
    if (id === null) return false;
    const row = await rowOf(id);
    if (row === undefined) return false;
    if (row.state === 'confirmed' || row.state === 'failed') return true;
    await owner.rows(sql`
      update withdrawals.payouts set due_at = platform.business_now()
      where withdrawal_id = ${id}
        and due_at between platform.business_now() and platform.business_now() + interval '1 hour'`);
    if (isMining && row.state === 'broadcast' && performance.now() > minedAtMs + MINED_EVERY_MS) {
      minedAtMs = performance.now();
      await coinNode.mine(1);
    }
    return false;
  };
  const until = async (
    payout: Payout,
    what: string,
    isReached: () => boolean | Promise<boolean>,
    isMining = true,
  ) => {
    const deadlineMs = performance.now() + REACHED_MS_MAX;
    while (!(await isReached())) {
      const isLate = performance.now() > deadlineMs;
      if (isLate) assert.fail(`${what}: ${inspect(payout.id && (await rowOf(payout.id)))}`);
      await passTime(payout, isMining);
      await sleep(10);
    }
  };
  const untilEnded = (payout: Payout) => until(payout, 'the payout has not ended', () => passTime(payout));

  /** Asserts the end of a payout: paid once and to the unit, or nothing paid and the points back; and all books. */
  const assertEnded = async ({ id, memberId, address, isRefused }: Payout) => {
    const row = await rowOf(id ?? '');
    const outputs = await coinNode.outputsTo(address);
    const paid = outputs.map(({ transactionId, amountUnits }) => [transactionId, amountUnits]);
    const balance = await balanceOf(world, memberId);
    if (isRefused) assert.deepEqual([row?.state, paid, balance], ['failed', [], BALANCE]);
    else {
      assert.deepEqual([row?.state, balance], ['confirmed', BALANCE - AMOUNT]);
      assert.deepEqual(paid, [[row?.reference, row?.amountUnits]], 'one output on the chain');
    }
    assert.deepEqual(await faultsOfBooks(world), []);
    assert.deepEqual(await runChecks(world.database, siteChecks), []);
  };

  /** What a node that comes back late must leave as it is. */
  const readAll = () =>
    owner.one(sql`
      select (select count(*) from ledger.movements) as movements,
        (select jsonb_agg(to_jsonb(p) order by p.withdrawal_id) from withdrawals.payouts p) as payouts,
        (select jsonb_agg(to_jsonb(f) order by f.reference) from withdrawals.former_payments f) as former,
        (select jsonb_agg(to_jsonb(w) order by w.id) from withdrawals.withdrawals w) as withdrawals`);

  /** Plays a round. Whatever happens in it, its nodes go on afterwards. */
  const play = async (round: Round): Promise<void> => {
    try {
      await playTo(round);
    } finally {
      await coinNode.thaw();
      for (const node of round.nodes) node.thaw();
    }
  };
  const playTo = async ({ step, taker, nodes, act, outage, afterwards }: Round): Promise<void> => {
    const isRefused = BEFORE_SENDING.includes(step) && randomInt(3) === 0;
    const address = isRefused ? await coinNode.ownAddress() : coinNode.foreignAddress();
    const payout: Payout = { memberId: await world.member(BALANCE), address, isRefused, id: null };
    const isAt = (node: PayoutNode) => (act === 'kill' ? node.hasEnded() : node.isStopped());
    /** Runs a call on the node that takes it. At its own step it meets the outage, and its answer is lost. */
    const call = async (order: NodeOrder, own: Failpoint) => {
      if (step !== own) return taker.run(order);
      await taker.arm(step, act);
      const answer = taker.run(order).catch(() => null);
      await until(payout, 'the call does not reach the step', () => isAt(taker));
      await outage(taker, payout);
      return answer;
    };
    const { memberId } = payout;
    const request = {
      act: 'request',
      memberId,
      amountPoints: String(AMOUNT),
      address,
      requestKey: 'the only one',
    } as const;
    await call(request, 'after_hold');
    payout.id = (await afterwards.run(request)) as string;
    assert.equal(await balanceOf(world, memberId), BALANCE - AMOUNT, 'a repeated request takes nothing');
    const isSwept = step !== 'after_hold' && step !== 'after_approve';
    if (isSwept) for (const node of nodes) await node.arm(step, act);
    await call({ act: 'approve', operatorId: world.operator, id: payout.id }, 'after_approve');
    if (isSwept) {
      await until(payout, 'no sweep reaches the step', () => nodes.some(isAt));
      const victim = nodes.find(isAt);
      assert(victim);
      for (const node of nodes) if (node !== victim) await node.disarm();
      await outage(victim, payout);
    }
    await untilEnded(payout);
    await assertEnded(payout);
  };
  /** Waits until another process has had the turn than the one that had it at this call. */
  const untilTakenOver = async (payout: Payout) => {
    const readToken = () =>
      owner.row<{ token: bigint }>(sql`select token from platform.leases where name = 'payouts-litecoin'`);
    const before = await readToken();
    const isTakenOver = async () => (await readToken())?.token !== before?.token || (await passTime(payout));
    if (payout.id !== null) await until(payout, 'nobody takes the turn over', isTakenOver);
  };
  return { play, rowOf, until, untilEnded, untilTakenOver, readAll };
}
