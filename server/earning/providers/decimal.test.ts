import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAGNITUDE_MAX, parseDecimal } from './decimal.ts';

const digits = fc.stringMatching(/^\d{0,20}$/);

test('parses whole part, millionths and sign of any decimal', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, MAGNITUDE_MAX - 1n), digits, fc.boolean(), (whole, fraction, isNegative) => {
      const text = `${isNegative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
      const parsed = parseDecimal(text);
      const scaled = BigInt(`${whole}${fraction}`);
      const scale = 10n ** BigInt(fraction.length);
      assert.ok(parsed, text);
      assert.equal(parsed.whole, scaled / scale);
      assert.equal(parsed.micros, ((isNegative ? -scaled : scaled) * 1_000_000n) / scale);
      assert.equal(parsed.sign, scaled === 0n ? 0 : isNegative ? -1 : 1);
    }),
    { numRuns: 2000 },
  );
});

test('rounds without changing the order of two decimals', () => {
  const decimalText = fc
    .tuple(fc.bigInt(0n, 10n ** 9n), fc.stringMatching(/^\d{6}$/))
    .map(([whole, fraction]) => `${whole}.${fraction}`);
  fc.assert(
    fc.property(decimalText, decimalText, (one, other) => {
      const [a, b] = [parseDecimal(one), parseDecimal(other)];
      assert.ok(a && b);
      if (a.micros <= b.micros) assert.ok(a.whole <= b.whole);
      else assert.ok(a.whole >= b.whole);
    }),
  );
});

test('parses exactly the well-formed decimals among random texts', () => {
  const nearlyDecimal = fc.string({
    unit: fc.constantFrom(...'0123456789.-+eE ,_xNa\u0000٣'.split('')),
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.oneof(fc.string(), nearlyDecimal), (text) => {
      const parsed = parseDecimal(text);
      const isWellFormed = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(text) && !text.includes('\n');
      assert.equal(parsed !== undefined, isWellFormed, JSON.stringify(text));
    }),
    { numRuns: 5000 },
  );
});

test('accepts magnitudes up to 10^15', () => {
  assert.equal(parseDecimal('1000000000000000')?.whole, MAGNITUDE_MAX);
  assert.equal(parseDecimal('-1000000000000000.000')?.whole, MAGNITUDE_MAX);
  fc.assert(
    fc.property(fc.bigInt(MAGNITUDE_MAX + 1n, 10n ** 60n), fc.boolean(), (whole, isNegative) => {
      assert.equal(parseDecimal(`${isNegative ? '-' : ''}${whole}`), undefined);
    }),
  );
  assert.equal(parseDecimal('1000000000000000.000000000001'), undefined);
});

test('refuses text that is not a plain decimal', () => {
  const refused = [
    '',
    ' ',
    ' 5',
    '5 ',
    '5\n',
    '+5',
    '--5',
    '-',
    '.',
    '.5',
    '5.',
    '05',
    '00',
    '-05',
    '1e3',
    '1E3',
    '0x10',
    '1,000',
    '1_000',
    '1.2.3',
    'NaN',
    'Infinity',
    '-Infinity',
    'null',
    '5n',
    '٥',
    '５',
    '5\u0000',
    '{amount}',
    `0.${'1'.repeat(21)}`,
    '9'.repeat(400),
  ];
  for (const text of refused) assert.equal(parseDecimal(text), undefined, JSON.stringify(text));
});

test('returns the sign 0 only for exactly 0', () => {
  for (const text of ['0', '-0', '0.0', '-0.0000', '0.00000000000000000000'])
    assert.deepEqual(parseDecimal(text), { sign: 0, whole: 0n, micros: 0n }, text);
  assert.deepEqual(parseDecimal('0.4'), { sign: 1, whole: 0n, micros: 400_000n });
  assert.deepEqual(parseDecimal('-0.0000001'), { sign: -1, whole: 0n, micros: 0n });
});
