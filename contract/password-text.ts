/**
 * The text of a password: in the form NFC, in which it is counted, compared and hashed; otherwise exactly as typed.
 * Keyboards send one character in different ways: `é`, or `e` and an accent. Bound a text of others before: sorting the
 * thousands of accents of a letter takes seconds. This file has no schema, because browsers load it.
 */
export const passwordText = (typed: string): string => typed.normalize('NFC');

export const PASSWORD_LENGTH_MIN = 6;

export const isShortPassword = (typed: string): boolean => passwordText(typed).length < PASSWORD_LENGTH_MIN;

export const isSamePassword = (typed: string, again: string): boolean =>
  passwordText(typed) === passwordText(again);
