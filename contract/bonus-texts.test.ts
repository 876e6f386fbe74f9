import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bonusTextsIn } from './bonus-texts.ts';

describe('the schedule of the bonus in words', () => {
  it('says the least and the most of a day, and the points of each day', () => {
    const schedule = ['5', '10', '15', '20', '25', '30', '1500', '50'];
    assert.deepEqual(bonusTextsIn('en', schedule), {
      range: '5 to 1,500',
      days: '5, 10, 15, 20, 25, 30, 1,500 and 50',
      first: '5',
      last: '50',
    });
    assert.equal(bonusTextsIn('ko', schedule).range, '5~1,500');
    assert.equal(bonusTextsIn('ko', schedule).days, '5, 10, 15, 20, 25, 30, 1,500, 50');
  });

  it('says one sum if every day pays the same', () => {
    assert.equal(
      bonusTextsIn(
        'en',
        Array.from({ length: 7 }, () => '9'),
      ).range,
      '9',
    );
  });
});
