import { z } from 'zod';
import { email } from './email.ts';
import { endpoint, nothing } from './endpoint.ts';
import { CONTROL_FAULT, isLine, optionalText, reportedText, text, time, uuid } from './fields.ts';
import { newPassword, typedPassword } from './password.ts';
import { user } from './user.ts';

/** Registration, sign-in with a password or Google, the current user, and sessions. */

export const PHONE_FORMAT = 'Use the international format: +[country code][number]';

/** The server reads it again by the rule of its country and answers the one text of the number. */
export const phoneNumber = z.string().regex(/^\+[1-9]\d{7,14}$/, PHONE_FORMAT);

/** Base64 of the fingerprint's JSON, of at most 16 KiB. */
export const deviceFingerprint = z
  .string()
  .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'Must be base64')
  .max(22_000, 'Too long');

export const fingerprintFields = z.strictObject({
  userAgent: reportedText(1000),
  screenResolution: reportedText(100),
  timezone: reportedText(100),
  language: reportedText(100),
  platform: reportedText(200),
  plugins: z.union([reportedText(4000), z.array(reportedText(200)).max(100)]),
  canvas: reportedText(8000),
  webgl: reportedText(4000),
});

export type FingerprintFields = z.infer<typeof fingerprintFields>;

const captchaToken = text(4000, 'Please complete the captcha verification');

const registration = z.strictObject({
  email,
  password: newPassword,
  // Names are one line, so that they can't divide a line of a log, a mail or a CSV file.
  firstName: text(100, 'Please enter your name').refine(isLine, CONTROL_FAULT),
  lastName: optionalText(100).refine(isLine, CONTROL_FAULT).nullable().optional(),
  referralCode: optionalText(40).nullable().optional(),
  deviceFingerprint,
  hcaptchaToken: captchaToken,
});

export type Registration = z.infer<typeof registration>;

export const register = endpoint({
  method: 'POST',
  path: '/api/auth/register',
  summary: 'Register a member and sign in',
  access: 'public',
  body: registration,
  status: 201,
  reply: user,
  refusals: [
    'captcha-failed',
    'common-password',
    'email-taken',
    'unknown-referral-code',
    'registration-blocked',
    'manual-review-required',
    'registration-not-allowed',
  ],
});

/** The reason why a registration that an operator rejected is refused. The web says it in its own language. */
export const TURNED_DOWN = 'An operator turned this registration down';
/** Why an operator looks at a registration. */
export const DEVICE_IN_USE = 'This device was used for other accounts';
export const THROWAWAY_MAILBOX = 'This e-mail address is of a service for throw-away mailboxes';
export const DOMAIN_BLOCKED = 'E-mail addresses of this domain are not accepted';

export const checkRegistration = endpoint({
  method: 'POST',
  path: '/api/security/check-registration',
  summary: 'Check whether a registration would be allowed',
  access: 'public',
  body: z.strictObject({
    email,
    phoneNumber: z
      .union([z.literal(''), phoneNumber])
      .nullable()
      .optional(),
    deviceFingerprint,
  }),
  reply: z.object({
    allowed: z.boolean(),
    blockAccount: z.boolean(),
    requiresManualReview: z.boolean(),
    reasons: z.array(z.string()),
  }),
});

export const recordFingerprint = endpoint({
  method: 'POST',
  path: '/api/device/fingerprint',
  summary: "Record this device's fingerprint",
  access: 'public',
  body: fingerprintFields,
  status: 204,
  reply: nothing,
});

export const login = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Sign in with e-mail and password',
  access: 'public',
  body: z.strictObject({ email, password: typedPassword, hcaptchaToken: captchaToken.optional() }),
  reply: user,
  refusals: ['invalid-credentials', 'reset-required', 'captcha-required', 'captcha-failed', 'wrong-key'],
});

export const adminLogin = endpoint({
  method: 'POST',
  path: '/api/auth/admin/login',
  summary: "Sign in on the operators' form",
  access: 'public',
  body: z.strictObject({
    username: email,
    password: typedPassword,
    hcaptchaToken: captchaToken.optional(),
  }),
  reply: z.object({ user }),
  refusals: ['invalid-credentials', 'reset-required', 'captcha-required', 'captcha-failed', 'wrong-key'],
});

export const passGate = endpoint({
  method: 'POST',
  path: '/api/auth/admin/gate',
  summary: "Pass the gate before the operators' form",
  access: 'public',
  body: z.strictObject({ key: text(500) }),
  status: 204,
  reply: nothing,
  refusals: ['wrong-key'],
});

export const readGate = endpoint({
  method: 'GET',
  path: '/api/auth/admin/gate',
  summary: "Whether this browser may open the operators' form",
  access: 'public',
  reply: z.object({ isOpen: z.boolean() }),
});

export const startGoogle = endpoint({
  method: 'GET',
  path: '/api/auth/google',
  summary: 'Redirect to Google to sign in or register; keeps the referral code',
  access: 'public',
  query: z.object({ ref: optionalText(40).optional(), referral: optionalText(40).optional() }),
  status: 302,
  reply: z.string(),
  refusals: ['not-found'],
});

export const finishGoogle = endpoint({
  method: 'GET',
  path: '/api/auth/google/callback',
  summary:
    'The return from Google: redirects to `/` with a session, to `/admin-key?error=wrong-key` or to `/auth?error=…`',
  access: 'public',
  status: 302,
  reply: z.string(),
  refusals: ['not-found'],
});

/** The values of `/auth?error=…`, besides the codes of refusals. */
export const googleErrors = [
  'google-denied',
  'google-failed',
  'google-unavailable',
  'google-email-unverified',
  'google-use-password',
  'google-link-again',
] as const;

export type GoogleError = (typeof googleErrors)[number];

export const logout = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'End this session',
  access: 'public',
  status: 204,
  reply: nothing,
});

export const readUser = endpoint({
  method: 'GET',
  path: '/api/user',
  summary: 'The current user',
  access: 'member',
  reply: user,
  whileSuspended: true,
});

export const readAuthUser = endpoint({
  method: 'GET',
  path: '/api/auth/user',
  summary: 'The current user, at a second URL',
  access: 'member',
  reply: user,
  whileSuspended: true,
});

export const session = z.object({
  id: z.string(),
  createdAt: time,
  lastSeenAt: time,
  userAgent: z.string(),
  current: z.boolean(),
});

export type Session = z.infer<typeof session>;

export const readSessions = endpoint({
  method: 'GET',
  path: '/api/user/sessions',
  summary: 'The member’s sessions, last used first',
  access: 'member',
  topic: 'sessions',
  reply: z.array(session),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/user/sessions/:id',
  summary: 'End one session',
  access: 'member',
  refreshes: ['sessions'],
  params: z.object({ id: uuid }),
  status: 204,
  reply: nothing,
  refusals: ['not-found'],
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/api/user/sessions',
  summary: 'End all other sessions',
  access: 'member',
  refreshes: ['sessions'],
  status: 204,
  reply: nothing,
});
