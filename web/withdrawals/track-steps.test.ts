import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { PayoutState } from '#contract/withdrawals.ts';
import type { WaitsFor } from '#contract/withdrawals-restrictions.ts';
import { type WithdrawalFacts, withdrawalStateOf } from '#web/ui/withdrawal-state.ts';
import { trackSteps } from './track-steps.ts';

const approved = (payoutState: PayoutState, txId: string | null): WithdrawalFacts => ({
  status: 'approved',
  payoutState,
  txId,
  rejectionCode: null,
});
const undecided: WithdrawalFacts = { ...approved('none', null), status: 'pending' };
const turnedDown = (rejectionCode: string): WithdrawalFacts => ({
  ...approved('none', null),
  status: 'rejected',
  rejectionCode,
});

/** The badge's word, and the steps that are done or current, each with the last part of its key. */
function shown(facts: WithdrawalFacts): [badge: string, ...steps: string[]] {
  const last = (key: string) => key.split('.').at(-1) ?? '';
  const state = withdrawalStateOf(facts);
  const steps = trackSteps(state).filter((step) => step.state !== 'later');
  return [last(state.word), ...steps.map((step) => `${step.state} ${last(step.word)}`)];
}

it('says the same with the badge and the steps of a withdrawal in every state', () => {
  const before = ['done requested', 'done approved'];
  assert.deepEqual(shown(undecided), ['pending', 'done requested', 'now review']);
  for (const state of ['none', 'queued', 'signed'] as const)
    for (const txId of [null, 'a'])
      assert.deepEqual(shown(approved(state, txId)), ['approved', ...before, 'now sending'], state);
  assert.deepEqual(shown(approved('broadcast', 'a')), [
    'broadcast',
    ...before,
    'done broadcast',
    'now confirming',
  ]);
  assert.deepEqual(shown(approved('confirmed', 'a')), [
    'confirmed',
    ...before,
    'done broadcast',
    'done confirmed',
  ]);
  // Also without a transaction, as a payment that was made by hand.
  assert.deepEqual(shown(approved('confirmed', null)).at(-1), 'done confirmed');
});

it('says that a parked payment is being checked, whether or not it was sent', () => {
  const before = ['done requested', 'done approved'];
  assert.deepEqual(shown(approved('parked', null)), ['parked', ...before, 'now parked']);
  const sent = approved('parked', 'a');
  assert.deepEqual(shown(sent), ['parked', ...before, 'done broadcast', 'now parked']);
  const toOperators = { ...sent, payoutObstacle: 'troubled' as const };
  assert.deepEqual(shown(toOperators), shown(sent), 'operators read the same word');
});

it('tells a cancelled request, a failed payment and a rejected request apart', () => {
  assert.deepEqual(shown(turnedDown('cancelled')), ['cancelled']);
  assert.equal(withdrawalStateOf(turnedDown('cancelled')).tone, 'plain');
  assert.deepEqual(shown(turnedDown('operator')), ['rejected']);
  assert.deepEqual(shown({ ...turnedDown('failed'), payoutState: 'failed' }), ['failed']);
});

it('says with the badge and the current step what a withdrawal waits for', () => {
  const waits = (waitsFor: WaitsFor, facts = undecided) => shown({ ...facts, waitsFor });
  for (const waitsFor of ['new-destination', 'security-change'] as const)
    assert.deepEqual(waits(waitsFor), ['held', 'done requested', 'now held']);
  for (const waitsFor of ['in-check', 'points-in-check'] as const)
    assert.deepEqual(waits(waitsFor), ['parked', 'done requested', 'now parked']);
  assert.deepEqual(waits('paused', approved('queued', null)), [
    'paused',
    'done requested',
    'done approved',
    'now paused',
  ]);
  for (const waitsFor of ['suspended', 'disowned', 'in-debt'] as const) {
    assert.deepEqual(waits(waitsFor), ['stopped', 'done requested', 'now stopped']);
    assert.deepEqual(waits(waitsFor, approved('queued', null)).slice(1), [
      'done requested',
      'done approved',
      'now stopped',
    ]);
  }
});
