import { z } from 'zod';
import { ADDRESS, storedEmail, withAsciiDomain } from './email-text.ts';

/** The fields of e-mail addresses. */

const address = (message: string) =>
  z.email({ pattern: ADDRESS, error: message }).max(254, 'At most 254 characters');

/** An address as it was written, but for its domain. */
export const emailAddress = z
  .string('Must be an e-mail address')
  .transform(withAsciiDomain)
  .pipe(address('Must be an e-mail address'));

/** The address of an account, in lower case. */
export const accountEmail = (message: string) =>
  z.string(message).transform(storedEmail).pipe(address(message));

export const email = accountEmail('Please enter a valid email');
