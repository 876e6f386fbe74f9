import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * Reads a phone number in the international form by the rule of its country, so that one number has one text. A
 * national 0 after the country code is left out where the country's numbers have none: `+8201055501234` is
 * `+821055501234`, but Rome's `+390612345678` keeps it. Undefined for a text that is no possible number of its country.
 * The smallest list of rules knows lengths and first digits, but not which numbers are given out.
 */
export function readPhoneNumber(text: string): string | undefined {
  const read = parsePhoneNumberFromString(text, { extract: false });
  return read?.isValid() && read.ext === undefined ? read.number : undefined;
}

const callingCodes = new Set(getCountries().map((country) => getCountryCallingCode(country)));

/** A pattern for PostgreSQL: what may have a national 0 or 8 after its country code. */
export const NATIONAL_PREFIX = `^[+](${[...callingCodes].join('|')})[08]`;

/** A phone number as people write it, with its country. */
const WRITTEN = /^\+?\d[\d\s().-]{6,24}$/;

/** The number that somebody searches, as it is stored; undefined for a text that is none. */
export function searchedPhoneNumber(text: string): string | undefined {
  if (!WRITTEN.test(text)) return undefined;
  const digits = `+${text.replace(/\D/g, '')}`;
  return readPhoneNumber(digits) ?? digits;
}
