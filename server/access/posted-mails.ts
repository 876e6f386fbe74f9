import { sentence } from '#contract/operator-sentences.ts';
import type { Tx } from '#platform/database.ts';
import { troubleOf } from '#platform/health.ts';
import { enqueue } from '#platform/jobs.ts';
import { MAIL_JOB, type Mail, RecipientDeferred, RecipientRefused, type SendMail } from '#platform/mail.ts';
import type { Platform } from '#platform/platform.ts';
import { isMailTokenFresh } from './mail-tokens.ts';
import type { MailPurpose } from './queries.ts';

/**
 * The mails of access, each a job. A mail whose link has ended, or was replaced by a newer one, is not sent. Each mail
 * says whether the mail server works, as the mails of notices do (docs/decisions/0045).
 */
/** The token in the link of a mail, and what it is for. */
type Link = { token: string; purpose: MailPurpose };
/** Jobs of an older release name no link. */
type PostedMail = Mail & { link?: Link };

/** Enqueues a mail in the caller's transaction. */
export const postMail = (tx: Tx, mail: Mail, link?: Link): Promise<void> =>
  enqueue(tx, MAIL_JOB, link === undefined ? mail : { ...mail, link });

/** Sends a mail. The job is tried again after an error. @throws RecipientDeferred, or the library's error */
export async function sendPosted(
  { database, log, health }: Pick<Platform, 'database' | 'log' | 'health'>,
  sendMail: SendMail,
  { link, ...mail }: PostedMail,
): Promise<void> {
  if (link !== undefined && !(await isMailTokenFresh(database, link.token, link.purpose))) {
    log.warn({ purpose: link.purpose }, 'a mail was not sent, because its link has ended');
    return;
  }
  try {
    await sendMail(mail);
  } catch (error) {
    const isRefused = error instanceof RecipientRefused;
    const isWell = isRefused || error instanceof RecipientDeferred;
    health.report('mail', isWell ? undefined : `${sentence('mail-not-sent')} ${troubleOf(error)}`);
    if (!isRefused) throw error;
    log.warn({ error, purpose: link?.purpose }, 'a recipient was refused');
    return;
  }
  health.report('mail', undefined);
}
