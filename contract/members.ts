import { z } from 'zod';
import { endpoint, nothing } from './endpoint.ts';
import { time } from './fields.ts';
import { alwaysMailed, noticeKinds } from './notice-kinds.ts';
import { typedPassword } from './password.ts';
import { POINTS_PER_USD } from './points.ts';
import { timezone } from './time-zone.ts';
import { user } from './user.ts';

/** A member's settings, export, deletion and chat theme, and the site's public configuration. */

export const languages = ['en', 'ko'] as const;

/** The colours of each scheme that replace the site's own, by their tokens; null where these stay. */
const colorTokens = z.record(z.string(), z.string()).nullable();
const brandColors = z.object({ light: colorTokens, dark: colorTokens });

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
  /** The points of the daily bonus by the day in a row. The last entry is for every later day. */
  bonusSchedule: z.array(z.string()),
  /** The payment methods that members may choose now: their names, and the first characters of their addresses. */
  payoutMethods: z
    .array(
      z.object({
        names: z.record(z.enum(languages), z.string()),
        beginnings: z.array(z.string()).readonly(),
      }),
    )
    .readonly(),
  pointsPerUsd: z.literal(Number(POINTS_PER_USD)),
  measurementId: z.string().nullable(),
  termsVersion: z.string(),
  /** For members: all providers that were ever enabled, because a history names disabled ones too. Else empty. */
  providers: z.array(z.object({ id: z.string(), name: z.string(), kind: z.enum(['survey', 'offerwall']) })),
});

export type SiteConfig = z.infer<typeof siteConfig>;

export const readConfig = endpoint({
  method: 'GET',
  path: '/api/config',
  summary: 'The site’s public configuration',
  access: 'public',
  reply: siteConfig,
});

export const currencies = ['USD', 'KRW', 'EUR'] as const;

export type Currency = (typeof currencies)[number];

/** Whether a kind of notice is mailed. Push messages are not sent yet, so no choice can ask for them. */
const noticeChoice = z.strictObject({
  mail: z.boolean(),
  push: z.literal(false, 'Push messages are not available'),
});

export const settings = z.strictObject({
  language: z.enum(languages),
  timezone,
  /** The currency in which the worth of points is shown. It does not affect bookings or payments. */
  currency: z.enum(currencies),
  emailNotifications: z.boolean(),
  notices: z.record(z.enum(noticeKinds), noticeChoice),
});

export type Settings = z.infer<typeof settings>;

/** Some kinds with some of their choices. */
const noticeChange = z
  .partialRecord(z.enum(noticeKinds), noticeChoice.partial())
  .refine(
    (change) => alwaysMailed.every((kind) => change[kind]?.mail !== false),
    'Mails about logins and security can’t be switched off',
  );

const settingsChange = settings.partial().extend({ notices: noticeChange.optional() });
export type SettingsChange = z.infer<typeof settingsChange>;

const shownSettings = settings.extend({ timezone: z.string() });

export const readSettings = endpoint({
  method: 'GET',
  path: '/api/user/settings',
  summary: 'The member’s language, time zone, currency and e-mail setting',
  access: 'member',
  reply: shownSettings,
});

export const changeSettings = endpoint({
  method: 'PUT',
  path: '/api/user/settings',
  summary: 'Change some or all of the settings',
  access: 'member',
  body: settingsChange,
  reply: shownSettings,
});

export const readDisplayRates = endpoint({
  method: 'GET',
  path: '/api/user/display-rates',
  summary:
    'The price of a US dollar in other currencies, for display only; currencies without a recent rate are absent',
  access: 'member',
  reply: z.array(
    z.object({
      currency: z.enum(currencies),
      /** A positive decimal number. */
      perUsd: z.string(),
      asOf: time,
    }),
  ),
});

export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/api/user/account',
  summary: 'Delete the account: all sessions end at once; personal data is removed after 7 days',
  access: 'member',
  body: z.strictObject({ password: typedPassword }),
  status: 204,
  reply: nothing,
  refusals: ['forbidden', 'wrong-password', 'no-password', 'fresh-factor-required', 'withdrawal-pending'],
});

/** The sections of every export. Features may add more. Rows are oldest first. */
export const readExport = endpoint({
  method: 'GET',
  path: '/api/user/export',
  summary: 'All data about the member as one JSON document',
  access: 'member',
  reply: z.looseObject({
    exportedAt: time,
    profile: z.looseObject({ id: z.string() }),
    settings: shownSettings,
    sessions: z.array(z.looseObject({})),
    movements: z.array(z.looseObject({})),
    withdrawals: z.array(z.looseObject({})),
    tickets: z.array(z.looseObject({})),
  }),
});

/** The preset chat themes. The web has their names. Text is white, on yellow black, for contrast. */
export const chatPresets = [
  { id: 'default', bubbleColor: '#3B82F6', textColor: '#FFFFFF' },
  { id: 'green', bubbleColor: '#15803D', textColor: '#FFFFFF' },
  { id: 'purple', bubbleColor: '#7C3AED', textColor: '#FFFFFF' },
  { id: 'pink', bubbleColor: '#DB2777', textColor: '#FFFFFF' },
  { id: 'orange', bubbleColor: '#C2410C', textColor: '#FFFFFF' },
  { id: 'red', bubbleColor: '#DC2626', textColor: '#FFFFFF' },
  { id: 'indigo', bubbleColor: '#4F46E5', textColor: '#FFFFFF' },
  { id: 'teal', bubbleColor: '#0F766E', textColor: '#FFFFFF' },
  { id: 'yellow', bubbleColor: '#FACC15', textColor: '#000000' },
  { id: 'rose', bubbleColor: '#E11D48', textColor: '#FFFFFF' },
  { id: 'emerald', bubbleColor: '#047857', textColor: '#FFFFFF' },
  { id: 'slate', bubbleColor: '#475569', textColor: '#FFFFFF' },
] as const;

export const CUSTOM_THEME = 'custom';

export const chatColor = z.string().regex(/^#[0-9A-Fa-f]{6}$/, 'Must be a colour such as #3B82F6');

export const chatTheme = z.strictObject({
  chatTheme: z.enum([...chatPresets.map(({ id }) => id), CUSTOM_THEME]),
  chatBubbleColor: chatColor,
  chatTextColor: chatColor,
});

export type ChatTheme = z.infer<typeof chatTheme>;

export const changeChatTheme = endpoint({
  method: 'PUT',
  path: '/api/user/chat-theme',
  summary: 'Set the chat theme',
  access: 'member',
  body: chatTheme,
  reply: user,
});
