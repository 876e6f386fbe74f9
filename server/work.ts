import type { JobHandlers } from './platform/jobs.ts';
import { createMailer } from './platform/mail.ts';
import type { Platform } from './platform/platform.ts';
import { startPayouts } from './withdrawals/jobs.ts';

/** What this node does besides answering: the sweeps that find due acts, and the jobs that nudge them. */
export type Work = { handlers: JobHandlers; close(): Promise<void> };

export async function startWork(platform: Platform, appUrl: string): Promise<Work> {
  const payouts = await startPayouts(platform, appUrl);
  const sendMail = createMailer(platform.config);
  return {
    handlers: {
      'payouts.sweep': () => payouts.sweep(),
      'mail.send': (payload) => sendMail(payload as Parameters<typeof sendMail>[0]),
    },
    close: () => payouts.close(),
  };
}
