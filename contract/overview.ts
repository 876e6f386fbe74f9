import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { points, time } from './fields.ts';

/** The operators' first page: what waits for them, and the site day by day. */

/** What can wait for an operator. */
export const waitKinds = [
  'withdrawals',
  'approvals',
  'tickets',
  'claims',
  'appeals',
  'registrations',
  'grants',
  'settings',
  'quarantine',
  'parkedPayouts',
  'lowWallets',
  'failedJobs',
  'auditFindings',
] as const;

/** `late`: a promise is broken, or the books differ. `soon`: a promise is nearly due, or something is stuck. */
export const urgencies = ['late', 'soon', 'inTime'] as const;

const wait = z.object({
  kind: z.enum(waitKinds),
  /** Of what has no kept count at most 1,000. */
  count: z.number(),
  /** Their sum; null where no points wait. */
  points: points.nullable(),
  oldestAt: time.nullable(),
  /** When the oldest is due by what members were promised; null without a promise. */
  dueAt: time.nullable(),
  urgency: z.enum(urgencies),
});
export type Wait = z.infer<typeof wait>;

export const readOverview = endpoint({
  method: 'GET',
  path: '/api/admin/overview',
  summary: 'What waits for an operator, the most urgent first',
  access: 'operator',
  reply: z.object({
    /** The time of the answer by the site’s clock. */
    at: time,
    /** Without kinds of which nothing waits. */
    waits: z.array(wait),
  }),
});

/** The site days that the overview shows, and those before with which it compares providers. */
export const OVERVIEW_DAYS = 30;

/** One value for each of the days. */
const pointsByDay = z.array(points);

const wallet = z.object({
  method: z.string(),
  name: z.string(),
  currency: z.string(),
  /** Decimal text in the currency: what the account held at the last look, and what waits to be paid from it. */
  balance: z.string(),
  needed: z.string(),
  /** The same in points; null if no rate was known. */
  points: points.nullable(),
  neededPoints: points.nullable(),
  /** How many times it holds what is needed, to a tenth; null if nothing is. */
  covers: z.string().nullable(),
  /** What is missing, in the currency; null while it holds enough. */
  missing: z.string().nullable(),
  /** Where it is filled up; null if the outside party names no address. */
  topUpDestination: z.string().nullable(),
  /** Since when it holds less than is needed; null while it holds enough. */
  shortSince: time.nullable(),
  notedAt: time,
});
export type Wallet = z.infer<typeof wallet>;

const providerDays = z.object({
  id: z.string(),
  name: z.string(),
  earned: pointsByDay,
  /** In all days together: earned, taken back, and earned in as many days before. */
  earnedSum: points,
  reversedSum: points,
  earnedBefore: points,
});
export type ProviderDays = z.infer<typeof providerDays>;

export const readOverviewDays = endpoint({
  method: 'GET',
  path: '/api/admin/overview/days',
  summary: 'The last 30 site days from kept sums: owed and held, earnings by provider, members, payouts',
  access: 'operator',
  reply: z.object({
    /** The site days, the oldest first. The last one is today. */
    days: z.array(z.string()),
    /** Up to when movements are counted in `owed` and `providers`; null before the first count. */
    countedUntil: time.nullable(),
    /** What all members together could ask for at the end of each day. */
    owed: pointsByDay,
    /** What the paying accounts held on each day, at the rates of the day; null where none was looked at. */
    held: z.array(points.nullable()),
    /** The paying accounts at the last look. */
    wallets: z.array(wallet),
    /** The one that earned most first. */
    providers: z.array(providerDays),
    joined: z.array(z.number()),
    /** Active within 30 days at the end of each day; null where it was not counted. */
    active: z.array(z.number().nullable()),
    paid: z.array(z.object({ method: z.string(), name: z.string(), points: pointsByDay, count: z.number() })),
  }),
});
export type OverviewDays = z.infer<typeof readOverviewDays.reply>;
