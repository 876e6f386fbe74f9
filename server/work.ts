import { closeAccountDays } from './ledger/ledger.ts';
import { startAccountSweeps } from './members/account-jobs.ts';
import { forgetOldBehaviour } from './members/behaviour.ts';
import { forgetUnknownDevices } from './members/devices.ts';
import { membersJobs } from './members/jobs.ts';
import { forgetOldAnswers } from './platform/http/idempotency.ts';
import type { JobHandlers } from './platform/jobs.ts';
import { createMailer } from './platform/mail.ts';
import type { Platform } from './platform/platform.ts';
import { startReferralRewards } from './referrals/jobs.ts';
import { startPayouts } from './withdrawals/jobs.ts';

/** What this node does besides answering: the sweeps that find due acts, and the jobs that nudge them. */
export type Work = { handlers: JobHandlers; close(): Promise<void> };

const ACCOUNTS_CLOSED_EVERY_MS = 5 * 60_000;
const ANSWERS_FORGOTTEN_EVERY_MS = 10 * 60_000;
const BEHAVIOUR_FORGOTTEN_EVERY_MS = 30 * 60_000;

export async function startWork(platform: Platform, appUrl: string): Promise<Work> {
  const payouts = await startPayouts(platform, appUrl);
  const referralRewards = startReferralRewards(platform);
  const accountSweeps = startAccountSweeps(platform);
  const accounts = setInterval(() => {
    closeAccountDays(platform.database).catch((error: Error) =>
      platform.log.warn({ error }, 'sums of accounts not closed'),
    );
  }, ACCOUNTS_CLOSED_EVERY_MS).unref();
  const answers = setInterval(() => {
    forgetOldAnswers(platform.database).catch((error: Error) =>
      platform.log.warn({ error }, 'old answers not forgotten'),
    );
  }, ANSWERS_FORGOTTEN_EVERY_MS).unref();
  const behaviour = setInterval(() => {
    forgetOldBehaviour(platform.database).catch((error: Error) =>
      platform.log.warn({ error }, 'old behaviour not forgotten'),
    );
    forgetUnknownDevices(platform.database).catch((error: Error) =>
      platform.log.warn({ error }, 'unknown devices not forgotten'),
    );
  }, BEHAVIOUR_FORGOTTEN_EVERY_MS).unref();
  const sendMail = createMailer(platform.config);
  return {
    handlers: {
      ...membersJobs(platform),
      'payouts.sweep': () => payouts.sweep(),
      'mail.send': (payload) => sendMail(payload as Parameters<typeof sendMail>[0]),
    },
    close: async () => {
      clearInterval(accounts);
      clearInterval(answers);
      clearInterval(behaviour);
      await referralRewards.close();
      await accountSweeps.close();
      await payouts.close();
    },
  };
}
