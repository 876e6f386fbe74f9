import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SessionFacts, scoreOf } from './session-score.ts';

/** The score of a session, without a database. */
const plain: SessionFacts = {
  detectionScore: null,
  isHiddenNetwork: false,
  country: 'KR',
  formerCountries: ['KR', 'JP'],
  isNewDevice: false,
  isAfterChange: false,
  isSharedDevice: false,
};
const score = (facts: Partial<SessionFacts>) => scoreOf({ ...plain, ...facts }).score;

test('a session of which nothing is strange has no points and no reasons', () => {
  assert.deepEqual(scoreOf(plain), { score: 0, reasons: [] });
  assert.equal(score({ country: null }), 0, 'of no known country');
  assert.equal(score({ country: 'US', formerCountries: [] }), 0, 'the first sign-in is of no other country');
});

test('§2-9 levels of risk: each reason has its points, and no one of them but a detection makes a high score', () => {
  assert.equal(score({ isHiddenNetwork: true }), 30);
  assert.equal(score({ country: 'US' }), 20);
  assert.equal(score({ isNewDevice: true }), 10);
  assert.equal(score({ isAfterChange: true }), 20);
  assert.equal(score({ isSharedDevice: true }), 20);
  assert.equal(score({ detectionScore: 65 }), 65);
});

test('a taken-over account has several reasons, which an operator reads', () => {
  assert.deepEqual(scoreOf({ ...plain, country: 'US', isNewDevice: true, isAfterChange: true }), {
    score: 50,
    reasons: [
      { reason: 'other-country', points: 20 },
      { reason: 'new-device', points: 10 },
      { reason: 'account-changed', points: 20 },
    ],
  });
});

test('a device of several accounts does not count beside a detection, and a score ends at 100', () => {
  assert.equal(score({ detectionScore: 45, isSharedDevice: true }), 45);
  assert.equal(score({ detectionScore: 90, isHiddenNetwork: true }), 100);
});
