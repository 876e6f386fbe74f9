/** A password as the server counts and compares it. Keyboards send one character in different ways. */
export const passwordText = (typed: string): string => typed.normalize('NFC');

const LENGTH_MIN = 6;

export const isShortPassword = (typed: string): boolean => passwordText(typed).length < LENGTH_MIN;

export const isSamePassword = (typed: string, again: string): boolean =>
  passwordText(typed) === passwordText(again);
