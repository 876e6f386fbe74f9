import { z } from 'zod';
import { brand, brandChange, logoFile } from './brand.ts';
import { endpoint } from './endpoint.ts';
import { positivePoints, REASON_MAX, rowId, text, time } from './fields.ts';
import { pause } from './pause.ts';
import { riskRuleModes, riskRules } from './rule-modes.ts';

/** What the site's owner sets: one shape for the server, the operators' screens and the database. */

/** A cap in points; null for no cap. */
const cap = positivePoints.nullable();

const wholeBetween = (min: number, max: number) => z.number().int().min(min).max(max);

/** The caps of payouts. They count whole requests, with their fees, on the site day of their approval. */
const caps = z.object({
  memberDay: cap,
  methodDay: cap,
  /** From this sum on, of one request or of what one operator approves alone on a day, two operators must agree. */
  secondPersonFrom: cap,
});

const rateBounds = z.object({
  /** How far the two sources may differ. */
  differencePercent: wholeBetween(1, 50),
  /** How far a rate may move in an hour before an operator must confirm it. */
  jumpPercent: wholeBetween(1, 99),
});

const switches = z.object({
  /** A new payout address, and a request after a change of the account's security, wait 24 hours. */
  addressHold: z.boolean(),
});

/** Choices of slow mode: the seconds between two messages of one member. */
export const slowModeChoices = [0, 10, 30, 60] as const;
/** How long messages of the chat are kept, in days. */
export const KEPT_DAYS = { min: 7, max: 3_650 } as const;

const chat = z.object({
  slowModeSeconds: z.literal([...slowModeChoices]),
  /** Links only from members with earnings. */
  linksNeedEarnings: z.boolean(),
  /** How long messages of the general channel are kept. */
  keptDays: wholeBetween(KEPT_DAYS.min, KEPT_DAYS.max),
});

/** The points of the first, second, … day in a row. The last entry is for every later day. */
export const BONUS_DAYS = { min: 7, max: 31 } as const;
export const BONUS_POINTS_MAX = 1_000_000;
const bonusPoints = positivePoints.refine(
  (value) => value.length <= 7 && Number(value) <= BONUS_POINTS_MAX,
  `At most ${BONUS_POINTS_MAX} points a day`,
);
const bonusSchedule = z
  .array(bonusPoints)
  .min(BONUS_DAYS.min, `At least ${BONUS_DAYS.min} days`)
  .max(BONUS_DAYS.max, `At most ${BONUS_DAYS.max} days`);

export const siteSettings = z.object({
  brand,
  /** How long a payment takes, as `1–3 business days` or in the operator's own words. */
  processingTime: z.string(),
  /** The points of the daily bonus by the day in a row. A claim takes the schedule of its moment. */
  bonusSchedule: z.array(z.string()),
  /** The time in which an approval can be taken back. */
  payoutDelaySeconds: wholeBetween(0, 3_600),
  /** Nothing is signed or sent while it is true. Payouts that were sent are followed, and nothing is dropped. */
  payoutsPaused: z.boolean(),
  caps,
  rateBounds,
  /**
   * How many times its best hour and day of the last 30 days a provider may pay before its credits wait for an
   * operator; null for no ceiling.
   */
  providerCeilingTimes: wholeBetween(2, 1_000).nullable(),
  switches,
  /** How long providers' raw calls are kept. */
  postbackDays: wholeBetween(30, 3_650),
  chat,
  riskRules: riskRuleModes,
});
export type SiteSettings = z.infer<typeof siteSettings>;

export const siteSettingsChange = siteSettings
  .extend({
    brand: brandChange,
    processingTime: text(100),
    bonusSchedule,
    caps: caps.partial().strict(),
    rateBounds: rateBounds.partial().strict(),
    switches: switches.partial().strict(),
    chat: chat.partial().strict(),
    riskRules: riskRuleModes.partial().strict(),
  })
  .partial()
  .strict();
export type SiteSettingsChange = z.infer<typeof siteSettingsChange>;

/** The settings by their paths. */
export const settingPaths = [
  'brand.name',
  'brand.supportEmail',
  'brand.logo',
  'brand.lightColor',
  'brand.darkColor',
  'processingTime',
  'bonusSchedule',
  'payoutDelaySeconds',
  'payoutsPaused',
  'caps.memberDay',
  'caps.methodDay',
  'caps.secondPersonFrom',
  'rateBounds.differencePercent',
  'rateBounds.jumpPercent',
  'providerCeilingTimes',
  'switches.addressHold',
  'postbackDays',
  'chat.slowModeSeconds',
  'chat.linksNeedEarnings',
  'chat.keptDays',
  ...riskRules.map((rule) => `riskRules.${rule}` as const),
] as const;
export type SettingName = (typeof settingPaths)[number];

const settingValue = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);
export type SettingValue = z.infer<typeof settingValue>;

/** A change that loosens a bound and waits for another operator. */
const proposal = z.object({
  id: rowId,
  setting: z.enum(settingPaths),
  /** The value of now, and the one that is asked for. */
  from: settingValue,
  to: settingValue,
  /** Who asked for it. */
  operatorId: z.string(),
  at: time,
  /** It can't be confirmed after this time. */
  endsAt: time,
});
export type SiteProposal = z.infer<typeof proposal>;

const siteState = siteSettings.extend({
  /** Null while payouts are not paused. */
  pause: pause.nullable(),
  proposals: z.array(proposal),
});
export type SiteState = z.infer<typeof siteState>;

export const readSite = endpoint({
  method: 'GET',
  path: '/api/admin/site',
  summary: 'The settings of the site',
  access: 'operator',
  topic: 'settings',
  reply: siteState,
});

export const changeSite = endpoint({
  method: 'PUT',
  path: '/api/admin/site',
  summary:
    'Change some or all of the settings of the site; with a sum for two, a looser bound waits for another operator',
  access: 'operator',
  act: 'site.change',
  refreshes: ['settings'],
  /** The reason is kept in the audit trail, also that of the end of a pause. It is shown while payouts are paused. */
  body: siteSettingsChange.extend({
    /** A logo is sent as its file. */
    brand: brandChange.extend({ logo: logoFile.nullable().optional() }).optional(),
    reason: text(REASON_MAX).optional(),
  }),
  bodyBytesMax: 192 * 1024,
  reply: siteState,
});

export const confirmProposal = endpoint({
  method: 'POST',
  path: '/api/admin/site/proposals/:id/confirm',
  summary: 'Confirm a change of the site’s settings that another operator asked for',
  access: 'operator',
  act: 'site.confirm',
  refreshes: ['settings'],
  params: z.object({ id: rowId }),
  reply: siteState,
  refusals: ['not-found', 'own-request', 'asker-not-operator'],
});

export const withdrawProposal = endpoint({
  method: 'POST',
  path: '/api/admin/site/proposals/:id/withdraw',
  summary: 'Drop a change of the site’s settings that waits for another operator',
  access: 'operator',
  act: 'site.withdraw',
  refreshes: ['settings'],
  params: z.object({ id: rowId }),
  reply: siteState,
  refusals: ['not-found'],
});
