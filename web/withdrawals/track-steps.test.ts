import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { PayoutState } from '#contract/withdrawals.ts';
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

it('says that a payment is parked, whether or not it was sent', () => {
  const before = ['done requested', 'done approved'];
  assert.deepEqual(shown(approved('parked', null)), ['parked', ...before, 'now parked']);
  assert.deepEqual(shown(approved('parked', 'a')), ['parked', ...before, 'done broadcast', 'now parked']);
});

it('tells a request that its member cancelled from a rejected one', () => {
  assert.deepEqual(shown(turnedDown('cancelled')), ['cancelled']);
  assert.equal(withdrawalStateOf(turnedDown('cancelled')).tone, 'plain');
  for (const code of ['operator', 'failed']) assert.deepEqual(shown(turnedDown(code)), ['rejected']);
});
