import { z } from 'zod';
import { endpoint, nothing } from './endpoint.ts';
import { optionalText, text, time, whenMissing } from './fields.ts';

/** Who somebody is: registering, signing in and out, the phone, and what the site tells everybody about itself. */

export const email = z
  .string('Please enter a valid email')
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email('Please enter a valid email').max(254, 'At most 254 characters'));

/** A password as typed: never trimmed, never folded. */
export const newPassword = z
  .string('Password must be at least 6 characters')
  .min(6, 'Password must be at least 6 characters')
  .max(256, 'At most 256 characters')
  .refine((value) => !value.includes('\u0000'), 'NUL is not allowed');

/** What is typed to sign in: any length up to the bound, so that the answer never says what a password looks like. */
export const typedPassword = z
  .string(whenMissing('Password is required'))
  .min(1, 'Password is required')
  .max(256, 'At most 256 characters')
  .refine((value) => !value.includes('\u0000'), 'NUL is not allowed');

/** base64 of the fingerprint's JSON, at most 16 KiB of it. */
export const deviceFingerprint = z
  .string()
  .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'Must be base64')
  .max(22_000, 'Too long');

export const fingerprintFields = z.strictObject({
  userAgent: optionalText(1000),
  screenResolution: optionalText(100),
  timezone: optionalText(100),
  language: optionalText(100),
  platform: optionalText(200),
  plugins: z.union([optionalText(4000), z.array(optionalText(200)).max(100)]),
  canvas: optionalText(8000),
  webgl: optionalText(4000),
});
export type FingerprintFields = z.infer<typeof fingerprintFields>;

export const phoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{7,14}$/, 'Use the international format: +[country code][number]');

export const user = z.object({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string().nullable(),
  email: z.string(),
  role: z.enum(['user', 'admin', 'banned']),
  profileImageUrl: z.string().nullable(),
  createdAt: time,
  referralCode: z.string(),
  chatTheme: z.string(),
  chatBubbleColor: z.string(),
  chatTextColor: z.string(),
  phoneVerified: z.boolean(),
  phoneNumber: z.string().nullable(),
});
export type User = z.infer<typeof user>;

const brandColors = z.object({ primary: z.string().nullable(), cover: z.string().nullable() });

export const siteConfig = z.object({
  mode: z.enum(['sandbox', 'live']),
  brand: z.object({
    name: z.string(),
    supportEmail: z.string(),
    logoUrl: z.string().nullable(),
    colors: brandColors,
  }),
  hcaptchaSitekey: z.string(),
  googleEnabled: z.boolean(),
  siteTimezone: z.string(),
  processingTime: z.string(),
  pointsPerUsd: z.literal(1000),
  measurementId: z.string().nullable(),
  termsVersion: z.string(),
});
export type SiteConfig = z.infer<typeof siteConfig>;

export const readConfig = endpoint({
  method: 'GET',
  path: '/api/config',
  summary: 'What the site tells everybody about itself',
  access: 'public',
  reply: siteConfig,
});

const registration = z.strictObject({
  email,
  password: newPassword,
  firstName: text(100, 'Please enter your name'),
  lastName: optionalText(100).nullable().optional(),
  referralCode: optionalText(40).nullable().optional(),
  deviceFingerprint,
  hcaptchaToken: text(4000, 'Please complete the captcha verification'),
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

export const login = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Sign in with e-mail and password',
  access: 'public',
  body: z.strictObject({ email, password: typedPassword }),
  reply: user,
  refusals: ['invalid-credentials'],
});

export const adminLogin = endpoint({
  method: 'POST',
  path: '/api/auth/admin/login',
  summary: "Sign in on the operator's form",
  access: 'public',
  body: z.strictObject({ username: email, password: typedPassword }),
  reply: z.object({ user }),
  refusals: ['invalid-credentials', 'wrong-key'],
});

export const passGate = endpoint({
  method: 'POST',
  path: '/api/auth/admin/gate',
  summary: "Pass the gate before the operator's form",
  access: 'public',
  body: z.strictObject({ key: text(500) }),
  status: 204,
  reply: nothing,
  refusals: ['wrong-key'],
});

export const readGate = endpoint({
  method: 'GET',
  path: '/api/auth/admin/gate',
  summary: "Whether the operator's form is open to this browser, or behind the gate",
  access: 'public',
  reply: z.object({ isOpen: z.boolean() }),
});

export const logout = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'End the session',
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
  summary: 'The current user, under its second name',
  access: 'member',
  reply: user,
  whileSuspended: true,
});

export const checkRegistration = endpoint({
  method: 'POST',
  path: '/api/security/check-registration',
  summary: 'Ask whether a registration would be allowed',
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

export const sendPhoneVerification = endpoint({
  method: 'POST',
  path: '/api/auth/send-phone-verification',
  summary: 'Send a code to a phone number',
  access: 'member',
  body: z.strictObject({ phoneNumber }),
  reply: z.object({ expiresAt: time }),
  refusals: ['phone-taken'],
});

export const verifyPhoneCode = endpoint({
  method: 'POST',
  path: '/api/auth/verify-phone-code',
  summary: 'Verify the phone with the code that was sent',
  access: 'member',
  body: z.strictObject({ phoneNumber, code: z.string().regex(/^\d{6}$/, 'The code has 6 digits') }),
  reply: user,
  refusals: ['wrong-code', 'code-expired', 'phone-taken'],
});
