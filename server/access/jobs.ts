import type { JobHandlers } from '#platform/jobs.ts';
import type { Platform } from '#platform/platform.ts';
import { RESET_JOB, sendResetLink } from './password-reset.ts';

/** The jobs of access. */
export const accessJobs = (platform: Pick<Platform, 'database' | 'config'>): JobHandlers => ({
  [RESET_JOB]: (payload) => sendResetLink(platform, payload as { email: string }),
});
