import type { JobHandlers } from '#platform/jobs.ts';
import { MAIL_JOB, type SendMail } from '#platform/mail.ts';
import type { Platform } from '#platform/platform.ts';
import { RESET_JOB, sendResetLink } from './password-reset.ts';
import { sendPosted } from './posted-mails.ts';

/** The jobs of access. */
export const accessJobs = (
  platform: Pick<Platform, 'database' | 'config' | 'log' | 'health'>,
  sendMail: SendMail,
): JobHandlers => ({
  [RESET_JOB]: (payload) => sendResetLink(platform, payload as { email: string }),
  [MAIL_JOB]: (payload, attempt) =>
    sendPosted(platform, sendMail, payload as Parameters<typeof sendPosted>[2], attempt),
});
