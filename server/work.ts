import { readClock } from '#platform/clock.ts';
import type { Tx } from '#platform/database.ts';
import { forgetAccess } from './access/access.ts';
import { deleteOldBehaviourReports } from './access/behaviour.ts';
import { deleteUnknownDevices } from './access/devices.ts';
import { createEndedSessionsTurn } from './access/ended-sessions.ts';
import { accessJobs } from './access/jobs.ts';
import { listSharedDevices } from './access/member-records.ts';
import { sessionScores } from './access/session-scores.ts';
import { deleteOldSignIns } from './access/sessions.ts';
import { announceDue } from './announcements/announcements.ts';
import { checksOf } from './books.ts';
import { deleteOldBroadcasts, forgetBroadcasts } from './broadcasts/broadcasts.ts';
import { startBroadcasts } from './broadcasts/jobs.ts';
import { deleteOldMessages, forgetChat } from './chat/chat.ts';
import { deleteOldClaims } from './claims/claims.ts';
import { tellAbsent } from './decisions/absences.ts';
import { deleteOldAppeals, forgetAppeals } from './decisions/decisions.ts';
import { forgetOpenings } from './earning/earning.ts';
import { listEarningPaces, listSurveyPaces } from './earning/member-records.ts';
import { deleteOldPostbacks } from './earning/old-postbacks.ts';
import { countProviderCredits } from './earning/provider-credits.ts';
import { startAudits } from './ledger/jobs.ts';
import { closeAccountDays } from './ledger/ledger.ts';
import { keepTrialBalance } from './ledger/trial-balance.ts';
import { startMembersSweeps } from './members/jobs.ts';
import { namesReader } from './names.ts';
import { startNotices } from './notices/jobs.ts';
import { deleteOldNotices, forgetNotices } from './notices/notices.ts';
import { createChainTurn } from './platform/act-chain.ts';
import type { SweepName } from './platform/health-names.ts';
import { deleteOldAnswers } from './platform/http/idempotency.ts';
import type { JobHandlers } from './platform/jobs.ts';
import { createMailer } from './platform/mail.ts';
import { forgetNode, NODE_SEEN_EVERY_MS, noteNode } from './platform/nodes.ts';
import type { Platform } from './platform/platform.ts';
import { repeat } from './platform/repeat.ts';
import { believeClock } from './platform/retention.ts';
import { startReferralRewards } from './referrals/jobs.ts';
import { listInvitations } from './referrals/referrals.ts';
import { leaveWithin } from './risk/households.ts';
import { startSignals } from './risk/jobs.ts';
import { deleteOldSignals, forgetSignals } from './risk/signals.ts';
import { deleteOldTickets } from './support/support.ts';
import { lookAtCompanies } from './wallets/wallets.ts';
import { keepActsMarker } from './withdrawals/acts-marker.ts';
import { deleteOldBulkActs, sweepBulkActs } from './withdrawals/bulk-runs.ts';
import { startPayouts } from './withdrawals/jobs.ts';
import { listSharedDestinations } from './withdrawals/member-records.ts';
import { emptyOldWithdrawals } from './withdrawals/old-withdrawals.ts';
import { koreanMethodNames, methodCurrencies } from './withdrawals/payment-methods.ts';
import { startRailWatch } from './withdrawals/rail-watch.ts';
import { BULK_JOB, SWEEP_JOB } from './withdrawals/sweep-job.ts';

/** A node's background work: sweeps that find due rows, and the handlers of jobs. */
export type Work = { handlers: JobHandlers; close(): Promise<void> };

/** An act that is not in the marker yet is not missed after a restore. */
const ACTS_CHAINED_EVERY_MS = 1_000;
const ENDED_SESSIONS_READ_EVERY_MS = 1_000;
const BULK_ACTS_SWEPT_EVERY_MS = 2_000;
/** Pages are told this long after a scheduled announcement became public, at the latest. */
const ANNOUNCEMENTS_TOLD_EVERY_MS = 2_000;
const ACCOUNTS_CLOSED_EVERY_MS = 5 * 60_000;
const TRIAL_BALANCE_KEPT_EVERY_MS = 60_000;
const COMPANIES_ASKED_EVERY_MS = 60_000;
const ABSENT_TOLD_EVERY_MS = 10 * 60_000;
const ANSWERS_DELETED_EVERY_MS = 10 * 60_000;
const DEVICES_DELETED_EVERY_MS = 30 * 60_000;
const CLOCK_LOOKED_AT_EVERY_MS = 10 * 60_000;
const OLD_ROWS_REMOVED_EVERY_MS = 60 * 60_000;

/** What removes old rows, by the name of its sweep. Each is due by business time (docs/decisions/0044). */
export const removals = {
  'old-postbacks': deleteOldPostbacks,
  'old-withdrawals': emptyOldWithdrawals,
  'old-tickets': deleteOldTickets,
  'old-claims': deleteOldClaims,
  'old-messages': deleteOldMessages,
  'old-sign-ins': deleteOldSignIns,
  'old-notices': deleteOldNotices,
  'old-behaviour': deleteOldBehaviourReports,
  'old-broadcasts': deleteOldBroadcasts,
  'old-bulk-acts': deleteOldBulkActs,
  'old-signals': deleteOldSignals,
  'old-appeals': deleteOldAppeals,
} as const satisfies Partial<Record<SweepName, unknown>>;
const removalNames = Object.keys(removals) as (keyof typeof removals)[];

/** Deletes what the features keep of an account that this transaction is about to anonymise. */
async function forgetMember(tx: Tx, memberId: number): Promise<void> {
  await forgetAccess(tx, memberId);
  await forgetNotices(tx, memberId);
  await forgetChat(tx, memberId);
  await forgetBroadcasts(tx, memberId);
  await forgetSignals(tx, memberId);
  await leaveWithin(tx, memberId);
  await forgetAppeals(tx, memberId);
  await forgetOpenings(tx, memberId);
}

/** What the rules that look for abuse are told by the features. */
const signalSources = {
  listSharedDestinations,
  listSharedDevices,
  listEarningPaces,
  listSurveyPaces,
  listInvitations,
  countProviderCredits,
  ...sessionScores,
};

export function startWork(platform: Platform): Work {
  const payouts = startPayouts(platform);
  const railWatch = startRailWatch(platform);
  const referralRewards = startReferralRewards(platform);
  const membersSweeps = startMembersSweeps(platform, forgetMember);
  const { database } = platform;
  const sendMail = createMailer(platform.config);
  const readNames = namesReader(platform);
  const signals = startSignals(platform, signalSources);
  const notices = startNotices({
    ...platform,
    sendMail,
    readNames: async () => ({
      ...(await readNames()),
      koreanMethods: koreanMethodNames,
      currencies: methodCurrencies,
    }),
  });
  // A mailer of its own, so that a broadcast never has the connections of notices.
  const broadcasts = startBroadcasts({ ...platform, sendMail: createMailer(platform.config) });
  const audits = startAudits(platform, checksOf(platform));
  const chainActs = createChainTurn(platform);
  const closing = new AbortController();
  const { signal } = closing;
  const every = (everyMs: number, name: SweepName, work: (signal: AbortSignal) => Promise<unknown>) =>
    repeat(platform, signal, { name, everyMs, work });
  const upkeep = Promise.all([
    every(NODE_SEEN_EVERY_MS, 'nodes', () => noteNode(platform)),
    every(ACTS_CHAINED_EVERY_MS, 'audit-trail', async () => {
      await chainActs();
      await keepActsMarker(platform);
    }),
    every(ENDED_SESSIONS_READ_EVERY_MS, 'ended-sessions', createEndedSessionsTurn(platform)),
    every(BULK_ACTS_SWEPT_EVERY_MS, 'bulk-decisions', (turn) => sweepBulkActs(platform, turn)),
    every(ABSENT_TOLD_EVERY_MS, 'absences', async (turn) =>
      tellAbsent(platform, (await readClock(database)).now, turn),
    ),
    every(ANNOUNCEMENTS_TOLD_EVERY_MS, 'announcements', () => announceDue(platform)),
    every(ACCOUNTS_CLOSED_EVERY_MS, 'account-days', () => closeAccountDays(database)),
    every(TRIAL_BALANCE_KEPT_EVERY_MS, 'trial-balance', () => keepTrialBalance(database)),
    every(COMPANIES_ASKED_EVERY_MS, 'company-accounts', () => lookAtCompanies(platform)),
    every(ANSWERS_DELETED_EVERY_MS, 'old-answers', () => deleteOldAnswers(database)),
    every(CLOCK_LOOKED_AT_EVERY_MS, 'clock', () => believeClock(platform)),
    every(DEVICES_DELETED_EVERY_MS, 'unknown-devices', () => deleteUnknownDevices(database)),
    ...removalNames.map((name) =>
      every(OLD_ROWS_REMOVED_EVERY_MS, name, (turn) => removals[name](platform, turn)),
    ),
  ]);
  return {
    handlers: {
      ...accessJobs(platform, sendMail),
      [SWEEP_JOB]: () => payouts.sweep(),
      [BULK_JOB]: () => sweepBulkActs(platform, signal),
    },
    close: async () => {
      closing.abort();
      await upkeep;
      await forgetNode(platform);
      await audits.close();
      await referralRewards.close();
      await membersSweeps.close();
      await railWatch.close();
      await notices.close();
      await broadcasts.close();
      await signals.close();
      await payouts.close();
    },
  };
}
