import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amountText, amountUnits, isRate, payoutUnits } from './payout-amount.ts';

test('pays (points − fee) ÷ 1000 ÷ rate, rounded down to 8 decimals', () => {
  assert.equal(amountText(payoutUnits(1_000n, 0n, '80.5')), '0.01242236');
  assert.equal(amountText(payoutUnits(1_000n, 0n, '80')), '0.01250000');
  assert.equal(amountText(payoutUnits(1_500n, 500n, '80.0')), '0.01250000');
  assert.equal(amountText(payoutUnits(1_000n, 0n, '3')), '0.33333333');
  assert.equal(amountText(payoutUnits(1_000n, 0n, '0.000000000000000001')), '1000000000000000000.00000000');
  assert.equal(payoutUnits(1_000n, 1_000n, '80'), 0n);
  assert.equal(payoutUnits(1_000n, 0n, '999999999999'), 0n);
});

test('pays at most the worth of the points, and less than one unit below it', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 15n }),
      fc.bigInt({ min: 1n, max: 10n ** 20n }),
      fc.integer({ min: 0, max: 18 }),
      (amountPoints, scaledRate, decimals) => {
        const digits = String(scaledRate).padStart(decimals + 1, '0');
        const whole = digits.slice(0, digits.length - decimals).slice(-12);
        const rate = `${BigInt(whole)}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`;
        fc.pre(isRate(rate));
        const scale = 10n ** BigInt(decimals);
        const exactRate = BigInt(rate.replace('.', ''));
        const units = payoutUnits(amountPoints, 0n, rate);
        const worth = units * 1000n * exactRate;
        const held = amountPoints * 100_000_000n * scale;
        assert(worth <= held);
        assert((units + 1n) * 1000n * exactRate > held);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('accepts only a positive decimal number as a rate', () => {
  for (const rate of ['80.5', '1', '0.00000001', '100000000000']) assert(isRate(rate), rate);
  for (const rate of ['0', '0.0', '-1', '+1', '1e2', '01', '1.', '.5', ' 1', '1,5', 'NaN', 'Infinity', '']) {
    assert(!isRate(rate), rate);
    assert.throws(() => payoutUnits(1_000n, 0n, rate));
  }
  assert.throws(() => payoutUnits(1_000n, 1_001n, '80'), 'a fee above the amount');
  assert.throws(() => payoutUnits(1_000n, -1n, '80'), 'a negative fee');
});

test('converts units to text and back without loss', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }), (units) =>
      assert.equal(amountUnits(amountText(units)), units),
    ),
  );
  assert.equal(amountUnits('0.1'), 10_000_000n);
  assert.equal(amountUnits(2), 200_000_000n);
  assert.equal(amountText(1n), '0.00000001');
  for (const amount of ['1e-8', '0.123456789', '', ' 1', '1 ', 'x', '--1', 0.1, null, undefined, 2 ** 53]) {
    assert.throws(() => amountUnits(amount), String(amount));
  }
});
