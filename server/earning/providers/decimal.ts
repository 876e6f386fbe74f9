/**
 * A decimal number as a company writes it, without floats. `whole` is the magnitude rounded down; `micros` is the
 * signed number in millionths, rounded towards 0. `sign` is 0 only for exactly 0, so 0.4 is not 0.
 */
export type Decimal = { sign: -1 | 0 | 1; whole: bigint; micros: bigint };

/** The maximum of an account, in points. It also bounds payouts. */
export const MAGNITUDE_MAX = 10n ** 15n;

/** Twenty decimal places suffice for every double that is printed without an exponent. */
const form = /^(-?)(0|[1-9]\d{0,15})(?:\.(\d{1,20}))?$/;

const lenientForm = /^([+-]?)(\d{1,20})(?:\.(\d{0,30}))?(?:e([+-]?\d{1,2}))?$/i;

/**
 * Reads a number that is only shown: with leading zeros, a plus sign or an exponent too, such as 8.0E-4. `undefined` if
 * it is no number or out of the same bounds.
 */
export function parseShownDecimal(text: string): Decimal | undefined {
  const match = lenientForm.exec(text.trim());
  if (match === null) return undefined;
  const [, sign, digits = '', fraction = '', exponent = '0'] = match;
  const padding = '0'.repeat(100);
  const all = padding + digits + fraction + padding;
  const pointAt = padding.length + digits.length + Number(exponent);
  const whole = all.slice(0, pointAt).replace(/^0+(?=\d)/, '');
  const rest = all.slice(pointAt).slice(0, 20);
  return parseDecimal(`${sign === '-' ? '-' : ''}${whole}.${rest}`);
}

/**
 * Reads decimal text of the form `-?whole(.fraction)?`, at most 10^15 in magnitude. Everything else is
 * `undefined`: exponents, NaN, plus signs, spaces, leading zeros, a bare point, digits of other scripts.
 */
export function parseDecimal(text: string): Decimal | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, minus, digits = '', fraction = ''] = match;
  const whole = BigInt(digits);
  const hasFraction = /[1-9]/.test(fraction);
  if (whole > MAGNITUDE_MAX || (whole === MAGNITUDE_MAX && hasFraction)) return undefined;
  if (whole === 0n && !hasFraction) return { sign: 0, whole, micros: 0n };
  const micros = BigInt(digits + fraction.slice(0, 6).padEnd(6, '0'));
  return minus === '-' ? { sign: -1, whole, micros: -micros } : { sign: 1, whole, micros };
}
