import { formatPoints } from '#web/client/format.ts';

/** A sum of points as a member types it: digits in groups, which the field shows with commas. */

/** Whether a draft's amount is a whole number, or empty. */
export const isWholeAmount = (amount: string): boolean => /^\d*$/.test(amount);

/** Whether no further typing makes an amount right. */
export const isNeverAmount = (amount: string): boolean => /[^\d.,\s]/.test(amount);

/**
 * The digits that a text means: full-width ones count, and commas, spaces and points stand between groups of three. A
 * text that is no whole number stays as it is, so that it is refused and never read as another number.
 */
export function readAmount(text: string): string {
  const typed = text.normalize('NFKC').trim();
  // The site's own sums end with their unit.
  const digits = typed.replace(/\s*P$/, '').replace(/[,\s]/g, '');
  const whole = /^\d{1,3}(?:\.\d{3})+$/.test(digits) ? digits.replaceAll('.', '') : digits;
  return isWholeAmount(whole) ? whole.replace(/^0+(?=\d)/, '') : typed;
}

export const showAmount = (amount: string): string =>
  amount === '' || !isWholeAmount(amount) ? amount : formatPoints(amount);

/** The place of the caret that leaves so many characters behind it, commas not counted. */
export function caretPlace(shown: string, behind: number): number {
  let place = shown.length;
  for (let left = behind; left > 0 && place > 0; place -= 1) if (shown[place - 1] !== ',') left -= 1;
  while (shown[place - 1] === ',') place -= 1;
  return place;
}

export const countBehind = (typed: string, caret: number | null): number =>
  typed.slice(caret ?? typed.length).replaceAll(',', '').length;
