import assert from 'node:assert/strict';
import { test } from 'node:test';
import { earningPace } from './earning-pace.ts';
import { farmedReferrals } from './farmed-referrals.ts';
import { invitedAccounts } from './invited-accounts.ts';
import { providerBurst } from './provider-burst.ts';
import { quickSurveys } from './quick-surveys.ts';
import { reversalRate } from './reversal-rate.ts';
import type { Group, Pace, Signals } from './rule.ts';
import { sameMailbox } from './same-mailbox.ts';
import { sharedDevice } from './shared-device.ts';
import { sharedPayoutAddress } from './shared-payout-address.ts';

/** Each rule at its bound: what it finds, and what is just too little. */
const signals = (given: Partial<Signals>): Signals => ({
  groups: [],
  referrers: new Map(),
  paces: [],
  surveyPaces: [],
  invitations: [],
  providerHours: [],
  hour: '2026-03-02T10',
  ...given,
});
const group = (kind: Group['kind'], ...memberIds: number[]): Group => ({
  kind,
  identifier: 'x',
  address: kind === 'device' ? '9.9.9.9' : null,
  memberIds,
});
const pace = (given: Partial<Pace>): Pace => ({
  memberId: 1,
  lateCredits: 0,
  reversals: 0,
  tasks: 0,
  ...given,
});

test('a payout address and a browser of three members, a mailbox of two', () => {
  const scores = (rule: typeof sharedDevice, ...groups: Group[]) =>
    rule.find(signals({ groups })).map(({ score, level, kinds }) => [score, level, kinds.length]);
  assert.deepEqual(scores(sharedPayoutAddress, group('payout-address', 1, 2)), []);
  assert.deepEqual(scores(sharedPayoutAddress, group('payout-address', 1, 2, 3)), [[65, 'high', 1]]);
  assert.deepEqual(scores(sharedDevice, group('device', 1, 2)), []);
  assert.deepEqual(scores(sharedDevice, group('device', 1, 2, 3, 4, 5, 6, 7, 8)), [[60, 'low', 1]]);
  assert.deepEqual(scores(sameMailbox, group('mailbox', 1)), []);
  assert.deepEqual(scores(sameMailbox, group('mailbox', 1, 2)), [[60, 'high', 1]]);
  const both = [group('payout-address', 1, 2, 3), group('device', 2, 3, 4)];
  assert.deepEqual(scores(sharedPayoutAddress, ...both), [[65, 'high', 1]], 'two of three are not enough');
  assert.deepEqual(scores(sharedPayoutAddress, group('payout-address', 1, 2, 3), group('device', 1, 2, 3)), [
    [85, 'critical', 2],
  ]);
});

test('a member whom one kind alone links is not named as sure, whoever else is in the group', () => {
  const groups = [group('payout-address', 1, 2, 3, 9), group('device', 1, 2, 3, 8)];
  const found = [sharedPayoutAddress, sharedDevice].map((rule) =>
    rule.find(signals({ groups })).map(({ confidence, memberIds }) => [confidence, ...memberIds]),
  );
  assert.deepEqual(found, [
    [
      ['medium', 1, 2, 3, 9],
      ['high', 1, 2, 3],
    ],
    [
      ['low', 1, 2, 3, 8],
      ['high', 1, 2, 3],
    ],
  ]);
  const subjects = sharedDevice.find(signals({ groups })).map(({ subject }) => subject);
  assert.equal(new Set(subjects).size, 2, 'they are kept apart');
});

test('two friends who share something with the one who invited them', () => {
  const invited = (groups: Group[], referrers: [number, number][]) =>
    invitedAccounts
      .find(signals({ groups, referrers: new Map(referrers) }))
      .map(({ memberIds }) => memberIds);
  const friends: [number, number][] = [
    [5, 1],
    [6, 1],
  ];
  assert.deepEqual(invited([group('device', 1, 5, 6)], friends), [[1, 5, 6]]);
  assert.deepEqual(invited([group('device', 1, 5)], friends), [], 'one friend is a household');
  assert.deepEqual(invited([group('device', 5, 6)], friends), [], 'the friends alone');
  assert.deepEqual(invited([group('device', 1, 5, 6)], [[5, 1]]), [], 'who was not invited');
});

test('a fifth of the credits reversed, from five on', () => {
  const levels = (given: Partial<Pace>) =>
    reversalRate.find(signals({ paces: [pace(given)] })).map((one) => one.level);
  assert.deepEqual(levels({ reversals: 4, tasks: 4 }), []);
  assert.deepEqual(levels({ reversals: 5, tasks: 26 }), []);
  assert.deepEqual(levels({ reversals: 5, tasks: 25 }), ['medium']);
  assert.deepEqual(levels({ reversals: 5, tasks: 10 }), ['high']);
});

test('four of five friends, of five and more, who stopped after the task that paid the reward', () => {
  const found = (friends: number, stopped: number) => {
    const stoppedIds = Array.from({ length: stopped }, (_, index) => index + 2);
    return farmedReferrals
      .find(signals({ invitations: [{ referrerId: 1, friends, stoppedIds }] }))
      .map(({ memberIds, size, count, total, score }) => [memberIds[0], size, count, total, score]);
  };
  assert.deepEqual(found(4, 4), []);
  assert.deepEqual(found(5, 3), []);
  assert.deepEqual(found(5, 4), [[1, 1, 4, 5, null]]);
  assert.deepEqual(found(11, 8), []);
  assert.deepEqual(found(10, 8), [[1, 2, 8, 10, null]]);
});

test('thirty credits in an hour, found once in it', () => {
  const found = (lateCredits: number) =>
    earningPace
      .find(signals({ paces: [pace({ lateCredits })] }))
      .map(({ subject, size, level }) => [subject, size, level]);
  assert.deepEqual(found(29), []);
  assert.deepEqual(found(59), [['1 2026-03-02T10', 1, 'medium']]);
  assert.deepEqual(found(90), [['1 2026-03-02T10', 3, 'high']]);
});

test('five surveys in less than a third of their stated length', () => {
  const found = (seconds: number) =>
    quickSurveys
      .find(
        signals({ surveyPaces: [{ memberId: 1, provider: 'cpx', surveys: 5, seconds, statedMinutes: 6 }] }),
      )
      .map(({ subject, level, count, total, score }) => [subject, level, count, total, score]);
  assert.deepEqual(found(600), []);
  assert.deepEqual(found(599), [['cpx 1 2026-03-02', 'medium', 10, 30, null]]);
  assert.deepEqual(found(179), [['cpx 1 2026-03-02', 'high', 3, 30, null]]);
});

test('a provider’s hour of fifty credits and over five times what is usual, in a month that is known', () => {
  const found = (credits: number, usualMost: number, hoursKnown = 168) =>
    providerBurst
      .find(
        signals({
          providerHours: [{ provider: 'cpx', hour: '2026-03-02T09', credits, usualMost, hoursKnown }],
        }),
      )
      .map(({ subject, count, total, memberIds }) => [subject, count, total, memberIds]);
  assert.deepEqual(found(49, 0), []);
  assert.deepEqual(found(50, 10), [], 'five times is usual enough');
  assert.deepEqual(found(51, 10), [['cpx 2026-03-02T09', 51, 10, []]]);
  assert.deepEqual(found(51, 10, 167), [], 'less than a week is known');
});
