import { z } from 'zod';
import { CONTROL_FAULT, HALF_FAULT, isLine, isWhole, whenMissing } from './fields.ts';
import { PASSWORD_LENGTH_MIN, passwordText } from './password-text.ts';

/** The fields of passwords. */

const LENGTH_MAX = 256;
/** What may come over the wire. A text of 256 characters in the form NFC has at most 4 times as many in another one. */
const RAW_LENGTH_MAX = 1_024;
const TOO_SHORT = 'Password must be at least 6 characters';
const TOO_LONG = 'At most 256 characters';
const NUL = String.fromCharCode(0);

/** A password that somebody chooses. */
export const newPassword = z
  .string(TOO_SHORT)
  .max(RAW_LENGTH_MAX, TOO_LONG)
  .refine(isWhole, HALF_FAULT)
  .transform(passwordText)
  .pipe(z.string().min(PASSWORD_LENGTH_MIN, TOO_SHORT).max(LENGTH_MAX, TOO_LONG))
  .refine(isLine, CONTROL_FAULT);

/** The password of a sign-in: any length up to the bound, so that the answer does not reveal the rules of passwords. */
export const typedPassword = z
  .string(whenMissing('Password is required'))
  .min(1, 'Password is required')
  .max(RAW_LENGTH_MAX, { error: TOO_LONG, abort: true })
  .refine((value) => passwordText(value).length <= LENGTH_MAX, TOO_LONG)
  .refine(isWhole, HALF_FAULT)
  .refine((value) => !value.includes(NUL), CONTROL_FAULT);
