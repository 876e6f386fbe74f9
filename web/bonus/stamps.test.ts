import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pointsOfDay, stampsOf } from './stamps.ts';

const schedule = ['5', '10', '15', '20', '25', '30', '50'];
const shown = (consecutiveDays: number, claimed: boolean, amount: string) =>
  stampsOf({ consecutiveDays, claimed, amount, schedule }).map(
    ({ day, points, state }) => `${day}:${points}:${state}`,
  );

test('shows today as day 1, and six coming days, before the first claim', () => {
  assert.deepEqual(shown(0, false, '5'), [
    '1:5:today',
    ...['2:10', '3:15', '4:20', '5:25', '6:30', '7:50'].map((day) => `${day}:to-come`),
  ]);
});

test('keeps claimed days on the ladder, today with the amount that was paid', () => {
  assert.deepEqual(shown(3, false, '20').slice(2, 5), ['3:15:claimed', '4:20:today', '5:25:to-come']);
  assert.deepEqual(shown(4, true, '18').slice(2, 5), ['3:15:claimed', '4:18:claimed', '5:25:to-come']);
  assert.equal(shown(7, true, '50').at(-1), '7:50:claimed');
});

test('shows the days around today after a week, each with the last amount', () => {
  assert.deepEqual(shown(9, false, '50'), [
    '7:50:claimed',
    '8:50:claimed',
    '9:50:claimed',
    '10:50:today',
    '11:50:to-come',
    '12:50:to-come',
    '13:50:to-come',
  ]);
});

test('repeats the last amount after the end of the schedule', () => {
  assert.deepEqual(
    [1, 2, 3].map((day) => pointsOfDay(['7', '9'], day)),
    ['7', '9', '9'],
  );
});
