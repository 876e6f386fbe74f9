import { type Decimal, parseDecimal, parseShownDecimal } from './decimal.ts';
import { InvalidPostback, type PostbackParameters } from './raw-query.ts';

/** The maximum of an id: longer than all known ids, and short enough for an index. */
const IDENTIFIER_LENGTH_MAX = 200;
const LABEL_LENGTH_MAX = 200;
const identifierForm = /^[\x21-\x7e]+$/;
const PAYOUT_USD_MAX = 1_000_000_000n;

const isIdentifier = (text: string): boolean =>
  identifierForm.test(text) && text.length <= IDENTIFIER_LENGTH_MAX;

/** A required id: visible ASCII without spaces. */
export function identifier(parameters: PostbackParameters, name: string): string {
  const text = required(parameters, name);
  if (isIdentifier(text)) return text;
  throw new InvalidPostback(`${name} is not visible ASCII of at most ${IDENTIFIER_LENGTH_MAX} characters`);
}

/** An id that may be absent or empty. */
export function optionalIdentifier(parameters: PostbackParameters, name: string): string | null {
  return isGiven(parameters, name) ? identifier(parameters, name) : null;
}

/** A required decimal amount, or an invalid postback. */
export function decimal(parameters: PostbackParameters, name: string): Decimal {
  const amount = parseDecimal(required(parameters, name));
  if (amount === undefined) throw new InvalidPostback(`${name} is not a decimal amount`);
  return amount;
}

/** A decimal amount that may be absent or empty. A malformed one is an invalid postback. */
export function optionalDecimal(parameters: PostbackParameters, name: string): Decimal | null {
  return isGiven(parameters, name) ? decimal(parameters, name) : null;
}

/** A payout in US dollars, which is only shown: `null` if it is absent, no number, or more than 10^9 dollars. */
export function shownPayout(parameters: PostbackParameters, name: string): Decimal | null {
  const payout = parseShownDecimal(optionalWord(parameters, name));
  return payout === undefined || payout.whole > PAYOUT_USD_MAX ? null : payout;
}

/** An id that only links calls: `null` if it is absent or malformed. */
export function linkingIdentifier(parameters: PostbackParameters, name: string): string | null {
  const text = optionalWord(parameters, name);
  return isIdentifier(text) ? text : null;
}

/** A required text, unchanged. */
export function required(parameters: PostbackParameters, name: string): string {
  const text = parameters.get(name) ?? '';
  if (text === '') throw new InvalidPostback(`${name} is missing`);
  return text;
}

/** A text that may be absent; then it is empty. */
export function optionalWord(parameters: PostbackParameters, name: string): string {
  return parameters.get(name) ?? '';
}

/**
 * A displayed text, cut to 200 characters. Control characters become spaces, and marks of writing direction are
 * removed, so that a name can't change the display of its line.
 */
export function label(parameters: PostbackParameters, name: string): string {
  const text = optionalWord(parameters, name)
    .toWellFormed()
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return Array.from(text).slice(0, LABEL_LENGTH_MAX).join('').trim();
}

/** A flag that may be absent. An unlisted text is `unknown`. */
export function flag(parameters: PostbackParameters, name: string): boolean | 'unknown' {
  const word = (parameters.get(name) ?? '').toLowerCase();
  if (word === 'true' || word === '1') return true;
  return word === '' || word === 'false' || word === '0' ? false : 'unknown';
}

function isGiven(parameters: PostbackParameters, name: string): boolean {
  return (parameters.get(name) ?? '') !== '';
}
