/**
 * The names under which parts of a node report to health, each with the section of `docs/operating.md` that says what
 * to do (`npm run documents` writes its table). Operators read a plain name beside each: `healthNames` in the words of
 * `web/admin/kit`.
 */
export const parts = {
  database: 'The database is silent, frozen or killed',
  'database-writes': 'The disk is full, or the database refuses writes',
  'database-settings': 'A PostgreSQL of your own',
  'embedded-postgres': 'The embedded database crashed',
  redis: 'Redis is gone',
  proxy: 'A proxy that is not named',
  jobs: 'A sweep is stuck',
  restore: 'A backup was restored',
  'payouts-paused': 'All payouts must stop',
  'payments-marker': "The marker of payments can't be written",
  mail: 'Mail does not go out',
  bounces: 'Broadcast e-mail',
  'terms-mails': 'Broadcast e-mail',
  captcha: 'Captcha, text messages or Google do not answer',
  sms: 'Captcha, text messages or Google do not answer',
  audit: 'The audit found something',
  'audit-trail': 'The chain of the audit trail is broken',
  'site-timezone': 'A clock was wrong',
  clock: 'A clock was wrong',
} as const;

/** Parts of which there is one for each method, sweep and so on; the second word stands for its name. */
export const kinds = {
  payouts: { of: 'METHOD', section: 'A sweep is stuck' },
  sweep: { of: 'NAME', section: 'A sweep is stuck' },
  lease: { of: 'NAME', section: 'A lease that nobody holds' },
  rail: {
    of: 'METHOD',
    section: 'A coin node is away; A coin node is behind; A payment method is not offered',
  },
  rate: { of: 'CURRENCY', section: 'A rate is refused or jumps' },
  ceiling: { of: 'PROVIDER', section: 'A provider pays more than usual' },
} as const;

const STUCK = kinds.sweep.section;
const STANDS_STILL = 'A paying account runs low, or the overview stands still';
const REMOVED = 'What is removed when';

/** The sweeps of a node. */
export const sweeps = {
  absences: STUCK,
  'account-days': STANDS_STILL,
  announcements: STUCK,
  'audit-trail': parts['audit-trail'],
  audits: STUCK,
  bounces: STUCK,
  broadcasts: STUCK,
  'bulk-decisions': STUCK,
  clock: parts.clock,
  'company-accounts': STUCK,
  'deleted-accounts': STUCK,
  'display-rates': STUCK,
  'ended-sessions': STUCK,
  'member-counts': STANDS_STILL,
  nodes: STUCK,
  'notice-mails': parts.mail,
  'notice-news': STUCK,
  'old-answers': STUCK,
  'old-appeals': REMOVED,
  'old-behaviour': REMOVED,
  'old-broadcasts': REMOVED,
  'old-bulk-acts': REMOVED,
  'old-claims': REMOVED,
  'old-messages': REMOVED,
  'old-notices': REMOVED,
  'old-postbacks': REMOVED,
  'old-sign-ins': REMOVED,
  'old-signals': REMOVED,
  'old-tickets': REMOVED,
  'old-withdrawals': REMOVED,
  payouts: STUCK,
  'provider-sums': STUCK,
  rails: STANDS_STILL,
  rates: STUCK,
  referrals: STUCK,
  'terms-broadcasts': STUCK,
  'risk-signals': STUCK,
  'trial-balance': STANDS_STILL,
  'unknown-devices': STUCK,
} as const;

/** Leases that last as long as a node runs. */
export const nodeLeases = { onlyNode: 'only-node', redisNodes: 'redis-nodes' } as const;

export type SweepName = keyof typeof sweeps;
export type HealthName = keyof typeof parts | `${keyof typeof kinds}-${string}`;

const needing: readonly HealthName[] = ['jobs', 'database-writes'];
const kindsNeeding = ['sweep', 'lease', 'payouts'] as const satisfies readonly (keyof typeof kinds)[];

/**
 * Whether a part works only while the database answers. The silence of the database is one trouble: these parts fail by
 * it and name no cause of their own. Each reports again while it fails, so what is left out meanwhile is not lost.
 */
export const needsDatabase = (name: HealthName): boolean =>
  needing.includes(name) || (!(name in parts) && kindsNeeding.some((kind) => name.startsWith(`${kind}-`)));
