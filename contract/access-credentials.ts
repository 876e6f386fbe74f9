import { z } from 'zod';
import { phoneNumber } from './access.ts';
import { email } from './email.ts';
import { endpoint, nothing } from './endpoint.ts';
import { time } from './fields.ts';
import { newPassword, typedPassword } from './password.ts';
import { user } from './user.ts';

/** Passwords, and the verification of e-mail addresses and phones. */

/** The token in a mailed link. */
const mailToken = z.string().regex(/^[\w-]{20,100}$/, 'This link is not whole');

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/auth/forgot-password',
  summary: 'Mail a link for a new password, if the address has an account',
  access: 'public',
  body: z.strictObject({ email }),
  status: 204,
  reply: nothing,
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password',
  summary: 'Set a new password with a mailed token; ends all sessions',
  access: 'public',
  body: z.strictObject({ token: mailToken, newPassword }),
  status: 204,
  reply: nothing,
  refusals: ['common-password', 'wrong-code', 'code-expired'],
});

export const setPassword = endpoint({
  method: 'POST',
  path: '/api/auth/set-password',
  summary: 'Set the first password of an account that has none',
  access: 'member',
  refreshes: ['password', 'sessions'],
  body: z.strictObject({ newPassword }),
  status: 204,
  reply: nothing,
  refusals: ['common-password', 'has-password'],
});

export const readPasswordState = endpoint({
  method: 'GET',
  path: '/api/user/password',
  summary: 'Whether the account has a password; an account made with Google may have none',
  access: 'member',
  topic: 'password',
  reply: z.object({ isSet: z.boolean() }),
});

export const changePassword = endpoint({
  method: 'PUT',
  path: '/api/user/password',
  summary: 'Change the password; ends all other sessions',
  access: 'member',
  refreshes: ['password', 'sessions'],
  body: z.strictObject({ currentPassword: typedPassword, newPassword }),
  status: 204,
  reply: nothing,
  refusals: ['wrong-password', 'no-password', 'common-password'],
});

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/auth/verify-email',
  summary: 'Verify an e-mail address with a mailed token',
  access: 'public',
  body: z.strictObject({ token: mailToken }),
  status: 204,
  reply: nothing,
  refusals: ['wrong-code', 'code-expired'],
});

export const sendEmailVerification = endpoint({
  method: 'POST',
  path: '/api/auth/send-email-verification',
  summary: 'Send the link that verifies the e-mail address again',
  access: 'member',
  status: 204,
  reply: nothing,
});

const code = z.string().regex(/^\d{6}$/, 'The code has 6 digits');

export const sendPhoneVerification = endpoint({
  method: 'POST',
  path: '/api/auth/send-phone-verification',
  summary: 'Send a code to a phone number; replacing a verified one needs the password or a code sent to it',
  access: 'member',
  body: z.strictObject({
    phoneNumber,
    password: typedPassword.optional(),
    oldCode: code.optional(),
  }),
  reply: z.object({ expiresAt: time }),
  refusals: [
    'phone-taken',
    'fresh-factor-required',
    'wrong-password',
    'no-password',
    'wrong-code',
    'code-expired',
  ],
});

export const verifyPhoneCode = endpoint({
  method: 'POST',
  path: '/api/auth/verify-phone-code',
  summary: 'Verify the phone number with the sent code',
  access: 'member',
  body: z.strictObject({ phoneNumber, code }),
  reply: user,
  refusals: ['wrong-code', 'code-expired', 'phone-taken', 'fresh-factor-required'],
});
