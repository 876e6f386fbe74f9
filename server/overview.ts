import { REVIEW_HOURS } from '#contract/access-registration-reviews.ts';
import { readOverview, readOverviewDays, urgencies, type Wait } from '#contract/overview.ts';
import { promisedDaysOf } from '#contract/processing-time.ts';
import { readClock } from '#platform/clock.ts';
import { readRegistrationsWait } from './access/registration-reviews.ts';
import { readClaimsWait } from './claims/claims.ts';
import { readAppealsWait } from './decisions/decisions.ts';
import { readHeldWait, readQuarantineWait } from './earning/waiting.ts';
import { readGrantsWait } from './grants/grants.ts';
import { readAuditWait } from './ledger/books.ts';
import { readOverviewDaysOf } from './overview-days.ts';
import { afterBusinessDays } from './platform/business-days.ts';
import { handle } from './platform/http/handle.ts';
import { readFailedJobs } from './platform/jobs.ts';
import type { Platform } from './platform/platform.ts';
import { readProposalsWait } from './platform/settings-change.ts';
import { readTicketsWait } from './support/support.ts';
import { readLowBalancesWait } from './withdrawals/days.ts';
import { readParkedWait, readPendingWait } from './withdrawals/waiting.ts';

/**
 * The operators' first page: what waits in all features, with its age and what was promised. It asks the features'
 * front doors, whose counts are kept or bounded. Open pages read it again and again.
 */
export function overviewRoutes(platform: Platform): void {
  handle(platform, readOverview, async () => {
    const { now } = await readClock(platform.database);
    return { at: now.toISOString(), waits: await readWaits(platform, now) };
  });
  handle(platform, readOverviewDays, () => readOverviewDaysOf(platform));
}

/** What a feature says of what waits there. */
type Waiting = { count: number; points: string | null; oldestAt: Date | null };

/** The longest time that a credit takes that an operator looks at, by the terms of the site. */
const APPROVAL_HOURS = 72;
/** Tickets and appeals are answered within 48 business hours. */
const ANSWER_DAYS = 2;
/** The share of a promised time after which it is nearly due. */
const SOON_SHARE = 0.75;

async function readWaits(platform: Platform, now: Date): Promise<Wait[]> {
  const { database, config, settings } = platform;
  const [
    { processingTime },
    withdrawals,
    approvals,
    tickets,
    claims,
    appeals,
    registrations,
    grants,
    site,
    quarantine,
    parked,
    low,
    jobs,
    audit,
  ] = await Promise.all([
    settings.read(),
    readPendingWait(database),
    readHeldWait(database),
    readTicketsWait(platform),
    readClaimsWait(platform),
    readAppealsWait(platform),
    readRegistrationsWait(database),
    readGrantsWait(platform),
    readProposalsWait(database),
    readQuarantineWait(database),
    readParkedWait(database),
    readLowBalancesWait(database),
    readFailedJobs(database),
    readAuditWait(platform),
  ]);
  const inDays = (days: number | null) => (oldest: Date) =>
    days === null ? null : afterBusinessDays(oldest, days, config.siteTimezone);
  const inHours = (hours: number) => (oldest: Date) => new Date(oldest.getTime() + hours * 3_600_000);
  const of = (
    kind: Wait['kind'],
    waiting: Waiting,
    {
      dueOf = () => null,
      usual = 'inTime',
    }: { dueOf?: (oldest: Date) => Date | null; usual?: Wait['urgency'] } = {},
  ): Wait => waitOf(kind, waiting, { dueOf, usual, now });
  return [
    of('withdrawals', withdrawals, { dueOf: inDays(promisedDaysOf(processingTime)) }),
    of('approvals', approvals, { dueOf: inHours(APPROVAL_HOURS) }),
    of('tickets', tickets, { dueOf: inDays(ANSWER_DAYS) }),
    of('claims', claims, { dueOf: () => claims.dueAt }),
    of('appeals', appeals, { dueOf: inDays(ANSWER_DAYS) }),
    of('registrations', registrations, { dueOf: inHours(REVIEW_HOURS) }),
    of('grants', grants),
    of('settings', site),
    of('quarantine', quarantine),
    of('parkedPayouts', parked, { usual: 'soon' }),
    of('lowWallets', low, { usual: 'soon' }),
    of('failedJobs', failedJobsAt(jobs, now), { usual: 'soon' }),
    of('auditFindings', audit, { usual: 'late' }),
  ]
    .filter(({ count }) => count > 0)
    .sort(byUrgency);
}

/** The queue of jobs goes by the real clock, which a sandbox's clock may be ahead of. */
const failedJobsAt = (
  { count, firstFailedAt }: Awaited<ReturnType<typeof readFailedJobs>>,
  now: Date,
): Waiting => ({
  count: Number(count),
  points: null,
  oldestAt: firstFailedAt && new Date(now.getTime() - Date.now() + firstFailedAt.getTime()),
});

type Promised = { dueOf: (oldest: Date) => Date | null; usual: Wait['urgency']; now: Date };

function waitOf(
  kind: Wait['kind'],
  { count, points, oldestAt }: Waiting,
  { dueOf, usual, now }: Promised,
): Wait {
  const dueAt = oldestAt && dueOf(oldestAt);
  return {
    kind,
    count,
    points,
    oldestAt: oldestAt?.toISOString() ?? null,
    dueAt: dueAt?.toISOString() ?? null,
    urgency: oldestAt && dueAt ? urgencyOf(oldestAt, dueAt, now) : usual,
  };
}

function urgencyOf(oldestAt: Date, dueAt: Date, now: Date): Wait['urgency'] {
  const [from, until, at] = [oldestAt.getTime(), dueAt.getTime(), now.getTime()];
  if (at > until) return 'late';
  return at - from > (until - from) * SOON_SHARE ? 'soon' : 'inTime';
}

/** The most urgent first, then the oldest. */
function byUrgency(one: Wait, other: Wait): number {
  const order = urgencies.indexOf(one.urgency) - urgencies.indexOf(other.urgency);
  const ageOf = ({ oldestAt }: Wait) => (oldestAt === null ? Number.POSITIVE_INFINITY : Date.parse(oldestAt));
  return order || ageOf(one) - ageOf(other);
}
