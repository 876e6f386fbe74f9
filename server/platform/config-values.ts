import { z } from 'zod';
import { emailAddress } from '#contract/email.ts';

/** Shapes of values in the environment. */

export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .pipe(z.number().max(65_535, 'must be a port number'));

/** Whether a text is an address, or a name with one in angle brackets. A line break would begin another header. */
export const isSender = (value: string): boolean =>
  !/\p{Cc}/u.test(value) && emailAddress.safeParse(/^[^<>]*<([^<>]+)>$/.exec(value)?.[1] ?? value).success;
