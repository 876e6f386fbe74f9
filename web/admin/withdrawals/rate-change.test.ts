import assert from 'node:assert/strict';
import { it } from 'node:test';
import { changeText, priceText } from './rate-change.ts';

it('states the change of a rate in whole percent', () => {
  assert.equal(changeText('71.48', '98.20'), '+37%');
  assert.equal(changeText('100', '91.6'), '−8%');
  assert.equal(changeText('0.000000000000000001', '0.000000000000000002'), '+100%');
});

it('states a price with at least two digits after the point, and no digit less than it has', () => {
  assert.deepEqual(['80.5', '25', '98.20', '0.000100', '64210.125'].map(priceText), [
    '80.50',
    '25.00',
    '98.20',
    '0.0001',
    '64,210.125',
  ]);
});
