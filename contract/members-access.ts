import { z } from 'zod';
import { endpoint, nothing } from './endpoint.ts';
import { optionalText, text } from './fields.ts';
import { email, newPassword } from './members.ts';

/** Ways in besides the password, what mails prove, and what a browser reports of how it is used. */

export const startGoogle = endpoint({
  method: 'GET',
  path: '/api/auth/google',
  summary: 'Go to Google to sign in or register; a referral code travels along',
  access: 'public',
  query: z.object({ ref: optionalText(40).optional(), referral: optionalText(40).optional() }),
  status: 302,
  reply: z.string(),
  refusals: ['not-found'],
});

export const finishGoogle = endpoint({
  method: 'GET',
  path: '/api/auth/google/callback',
  summary: 'Come back from Google: to `/` with a session, or to `/auth?error=…`',
  access: 'public',
  status: 302,
  reply: z.string(),
  refusals: ['not-found'],
});

/** What `/auth?error=…` may say besides the codes of refusals. */
export const googleErrors = [
  'google-denied',
  'google-failed',
  'google-unavailable',
  'google-email-unverified',
  'google-use-password',
] as const;
export type GoogleError = (typeof googleErrors)[number];

/** A token as it stands in a mail's link. */
const mailToken = z.string().regex(/^[\w-]{20,100}$/, 'This link is not whole');

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/auth/forgot-password',
  summary: 'Send a link to choose a new password, if the address has an account',
  access: 'public',
  body: z.strictObject({ email }),
  status: 204,
  reply: nothing,
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password',
  summary: 'Choose a new password with the token of a mail; ends every session',
  access: 'public',
  body: z.strictObject({ token: mailToken, newPassword }),
  status: 204,
  reply: nothing,
  refusals: ['common-password', 'wrong-code', 'code-expired'],
});

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/auth/verify-email',
  summary: 'Confirm an e-mail address with the token of a mail',
  access: 'public',
  body: z.strictObject({ token: mailToken }),
  status: 204,
  reply: nothing,
  refusals: ['wrong-code', 'code-expired'],
});

export const sendEmailVerification = endpoint({
  method: 'POST',
  path: '/api/auth/send-email-verification',
  summary: 'Send the link that confirms the e-mail address once more',
  access: 'member',
  status: 204,
  reply: nothing,
});

export const setPassword = endpoint({
  method: 'POST',
  path: '/api/auth/set-password',
  summary: 'Set the first password of an account that has none',
  access: 'member',
  body: z.strictObject({ newPassword }),
  status: 204,
  reply: nothing,
  refusals: ['common-password', 'has-password'],
});

/** `metadataLength` in characters of JSON: a member may send a thousand entries a day. */
export const behaviourLimits = { entries: 50, metadataFields: 20, metadataLength: 1_000 } as const;

/** What a person did, in a word or a few: no sentence and nothing that was typed. */
const action = text(100).pipe(z.string().regex(/^[A-Za-z][\w .:/-]*$/, 'Must be the name of an act'));

/** That a key was pressed may be told, never which one or what was typed. */
const telltale = /^(key|code|value|keycode|charcode|which)$/i;

const metadata = z
  .record(
    z.string().min(1).max(40),
    z.union([z.string().max(200), z.number(), z.boolean(), z.null()], 'Only text, numbers, true and false'),
  )
  .refine(
    (fields) => !Object.keys(fields).some((name) => telltale.test(name)),
    'Must not tell what was typed',
  )
  .refine((fields) => Object.keys(fields).length <= behaviourLimits.metadataFields, 'Too many fields')
  .refine((fields) => JSON.stringify(fields).length <= behaviourLimits.metadataLength, 'Too long')
  .refine((fields) => !JSON.stringify(fields).includes('\\u0000'), 'NUL is not allowed');

export const behaviourEntry = z.strictObject({
  action,
  target: optionalText(200).nullable().optional(),
  metadata: metadata.nullable().optional(),
  sessionId: optionalText(100).nullable().optional(),
});
export type BehaviourEntry = z.infer<typeof behaviourEntry>;

export const logBehaviour = endpoint({
  method: 'POST',
  path: '/api/behavior/log',
  summary: 'Report what the mouse, the keyboard and the page did: one entry or up to 50',
  access: 'member',
  body: z.union([behaviourEntry, z.array(behaviourEntry).min(1).max(behaviourLimits.entries)]),
  status: 204,
  reply: nothing,
});

export const trackBehaviour = endpoint({
  method: 'POST',
  path: '/api/security/track-behavior',
  summary: 'Report one act that matters to security, such as having signed in',
  access: 'member',
  body: z.strictObject({ action }),
  status: 204,
  reply: nothing,
});
