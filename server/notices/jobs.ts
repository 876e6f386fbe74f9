import { sentence } from '#contract/operator-sentences.ts';
import { isAnyBegun } from '#platform/jobs.ts';
import { MAIL_JOB } from '#platform/mail.ts';
import type { Platform } from '#platform/platform.ts';
import { repeat } from '#platform/repeat.ts';
import { type MailParts, sendDueMails } from './mail-sending.ts';
import { announceLeftNotices, type NoticeParts } from './notices.ts';
import { isAnyMailDelayed } from './queries.ts';

/**
 * The sweeps of notices, on every node: the news of rows that a process left unannounced, and due mails. Rows are
 * claimed one by one, so the sweeps of several nodes share the work.
 */
const ANNOUNCED_EVERY_MS = 1_000;
const MAILED_EVERY_MS = 2_000;

/**
 * Sends the mails that are due, and reports whether mail goes out. A trouble ends with the next mail that this node
 * sends or whose recipient is refused or deferred, or when no mail waits for another attempt, because another node may
 * have sent it. The mails of jobs report to the same part.
 */
export async function sweepMails(
  parts: MailParts & Pick<Platform, 'health'>,
  signal?: AbortSignal,
): Promise<void> {
  const { sentCount, refusedCount, trouble } = await sendDueMails(parts, signal);
  if (trouble !== undefined) parts.health.report('mail', `${sentence('mail-not-sent')} ${trouble}`);
  else if (sentCount + refusedCount > 0 || !(await isAnyDelayed(parts)))
    parts.health.report('mail', undefined);
}

const isAnyDelayed = async ({ database }: MailParts): Promise<boolean> =>
  (await isAnyMailDelayed(database)) || (await isAnyBegun(database, MAIL_JOB));

export function startNotices(platform: NoticeParts & MailParts & Pick<Platform, 'health'>): {
  close(): Promise<void>;
} {
  const closing = new AbortController();
  const { signal } = closing;
  const announce = () => announceLeftNotices(platform);
  const mail = (turn: AbortSignal) => sweepMails(platform, turn);
  const loops = Promise.all([
    repeat(platform, signal, { name: 'notice-news', everyMs: ANNOUNCED_EVERY_MS, work: announce }),
    repeat(platform, signal, { name: 'notice-mails', everyMs: MAILED_EVERY_MS, work: mail }),
  ]);
  return {
    close: async () => {
      closing.abort();
      await loops;
    },
  };
}
