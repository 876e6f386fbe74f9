import type { JobHandlers } from '#platform/jobs.ts';
import type { Platform } from '#platform/platform.ts';
import { RESET_JOB, sendResetLink } from './password-reset.ts';

/** What the worker does for members. */
export const membersJobs = (platform: Pick<Platform, 'database' | 'config'>): JobHandlers => ({
  [RESET_JOB]: (payload) => sendResetLink(platform, payload as { email: string }),
});
