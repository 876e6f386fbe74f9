import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coinEstimate, rateText } from './estimate.ts';

test('divides the dollars by the rate and rounds down to five decimals', () => {
  assert.equal(coinEstimate(5_000n, '85.75'), '0.05830');
  assert.equal(coinEstimate(1_000n, '80.5'), '0.01242');
  assert.equal(coinEstimate(1_000_000_000_000_000n, '25'), '40000000000.00000');
  assert.equal(coinEstimate(1_000n, '0.3333333333'), '3.00000');
  assert.equal(coinEstimate(1_000n, '1'), '1.00000');
});

test('returns zero for an empty amount and an invalid rate', () => {
  assert.equal(coinEstimate(0n, '85.75'), '0.00000');
  assert.equal(coinEstimate(-5n, '85.75'), '0.00000');
  assert.equal(coinEstimate(1_000n, '0'), '0.00000');
});

test('shows a rate with cents, and with four decimals below a dollar', () => {
  assert.equal(rateText('85.7599'), '$85.75');
  assert.equal(rateText('25'), '$25.00');
  assert.equal(rateText('64210.5'), '$64,210.50');
  assert.equal(rateText('0.12345'), '$0.1234');
});
