/** The countries' calling codes, as far as they have one or two digits. All others have three. */
const ONE_DIGIT = /^[17]/;
const TWO_DIGITS = /^(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** The calling code of a number in the international form: `+82` of `+821012345678`. */
export function callingCodeOf(number: string): string {
  const digits = number.replace(/\D/g, '');
  const length = ONE_DIGIT.test(digits) ? 1 : TWO_DIGITS.test(digits) ? 2 : 3;
  return `+${digits.slice(0, length)}`;
}
