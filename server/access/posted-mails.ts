import { createHash } from 'node:crypto';
import { sentence } from '#contract/operator-sentences.ts';
import type { Tx } from '#platform/database.ts';
import { troubleOf } from '#platform/health.ts';
import { enqueue, type JobAttempt } from '#platform/jobs.ts';
import {
  COPIES_MAX,
  MAIL_JOB,
  type Mail,
  PerhapsSent,
  RecipientDeferred,
  RecipientRefused,
  type SendMail,
} from '#platform/mail.ts';
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

/** About an hour: five attempts within four minutes, and each later one after at most five minutes. */
const DEFERRED_ATTEMPTS_MAX = 20;

/**
 * Sends a mail. The job is tried again after an error. A server that can't be reached gets every attempt of the job; an
 * attempt that the server answered, or that may have sent the mail, is repeated a few times.
 * @throws RecipientDeferred, PerhapsSent, or the library's error
 */
export async function sendPosted(
  { config, database, log, health }: Pick<Platform, 'config' | 'database' | 'log' | 'health'>,
  sendMail: SendMail,
  { link, ...mail }: PostedMail,
  attempt: JobAttempt,
): Promise<void> {
  if (link !== undefined && !(await isMailTokenFresh(database, link.token, link.purpose))) {
    log.warn({ purpose: link.purpose }, 'a mail was not sent, because its link has ended');
    return;
  }
  try {
    await sendMail({ ...mail, messageId: messageIdOf(config, attempt, mail) });
  } catch (error) {
    const isWell = error instanceof RecipientRefused || error instanceof RecipientDeferred;
    health.report('mail', isWell ? undefined : `${sentence('mail-not-sent')} ${troubleOf(error)}`);
    const givenUp = reasonToGiveUp(error, attempt.number);
    if (givenUp === undefined) throw error;
    log.warn({ error, purpose: link?.purpose }, givenUp);
    return;
  }
  health.report('mail', undefined);
}

/** Why a mail gets no further attempt, for the log; undefined if it gets one. */
function reasonToGiveUp(error: unknown, number: number): string | undefined {
  if (error instanceof RecipientRefused) return 'a recipient was refused';
  if (error instanceof RecipientDeferred && number >= DEFERRED_ATTEMPTS_MAX)
    return 'a mail was given up, because its recipient was deferred each time';
  if (error instanceof PerhapsSent && number >= COPIES_MAX)
    return 'a mail was given up, because the mail server may have sent it';
  return undefined;
}

/** The same for every attempt of a job, so that a mailbox recognises a copy. It shows neither the job nor the mail. */
function messageIdOf({ publicUrl }: Platform['config'], { jobId }: JobAttempt, mail: Mail): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([jobId, mail]))
    .digest('base64url');
  return `<link.${hash}@${new URL(publicUrl).hostname}>`;
}
