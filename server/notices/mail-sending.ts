import type { Config } from '#platform/config.ts';
import type { SendMail } from '#platform/mail.ts';
import type { Platform } from '#platform/platform.ts';
import { findMailReader } from '../members/members.ts';
import { denialTokenOf } from './denials.ts';
import { type Names, noticeMail } from './mails.ts';
import * as queries from './queries.ts';

/**
 * Sends the mails of notices. The row says whether a mail is due, so none is lost with a process or a job. A process
 * claims a mail before it sends it, by moving the time at which it is due, and marks it as sent afterwards.
 *
 * SMTP can't do this exactly once: a process may die after the server accepted the mail and before the row says so.
 * The claim then ends and the mail is sent again, with the same Message-ID, made from the notice's number, so that a
 * mailbox recognises it (docs/decisions/0040).
 */
export type MailParts = Pick<Platform, 'database' | 'log' | 'secrets'> & {
  config: Pick<Config, 'publicUrl'>;
  sendMail: SendMail;
  readNames: () => Promise<Names>;
};

/** Longer than any attempt to send takes. */
const CLAIMED_MINUTES = 5;
const FIRST_WAIT_MINUTES = 1;
const LONGEST_WAIT_MINUTES = 6 * 60;
/** With these waits, the last attempt is more than two days after the first. */
const ATTEMPTS_MAX = 15;
/** After this many failures in a row the server is probably down, so the next sweep continues. */
const FAILURES_MAX = 3;
/** A turn ends after the mail that was begun in this time. The next turn continues. */
const TURN_MS_MAX = 30_000;

export type Mailed = {
  sentCount: number;
  /** Why the last mail was not sent; undefined if it was. */
  trouble: string | undefined;
};

/** Sends the mails that are due, one after the other. */
export async function sendDueMails(parts: MailParts, signal?: AbortSignal): Promise<Mailed> {
  let sentCount = 0;
  let failures = 0;
  let trouble: string | undefined;
  const startedAt = performance.now();
  while (!signal?.aborted && failures < FAILURES_MAX && performance.now() < startedAt + TURN_MS_MAX) {
    const due = await queries.claimMail(parts.database, CLAIMED_MINUTES);
    if (due === undefined) break;
    trouble = await sendClaimed(parts, due);
    failures = trouble === undefined ? 0 : failures + 1;
    sentCount += trouble === undefined ? 1 : 0;
  }
  return { sentCount, trouble };
}

/** Sends a claimed mail and marks it. Returns why it was not sent; undefined if it was, or nobody is to get it. */
async function sendClaimed(parts: MailParts, due: queries.DueMail): Promise<string | undefined> {
  const { database, log } = parts;
  const { memberId, memberNumber, attemptCount } = due;
  const reader = await findMailReader(database, memberId);
  if (reader === undefined) {
    await queries.postponeMail(database, due, 'The account was deleted.', null);
    return undefined;
  }
  try {
    const mail = noticeMail(parts.config, due.kind, due.facts, {
      to: reader.email,
      language: reader.language,
      names: await parts.readNames(),
      denialToken: denialTokenOf(parts, memberId, memberNumber),
    });
    await parts.sendMail({ ...mail, messageId: messageIdOf(parts.config, memberId, memberNumber) });
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error);
    const isLast = attemptCount >= ATTEMPTS_MAX;
    log[isLast ? 'error' : 'warn'](
      { error, memberId, notice: memberNumber, attemptCount },
      'a notice was not mailed',
    );
    const minutes = Math.min(FIRST_WAIT_MINUTES * 2 ** (attemptCount - 1), LONGEST_WAIT_MINUTES);
    await queries.postponeMail(database, due, trouble.slice(0, 500), isLast ? null : minutes);
    return trouble;
  }
  await queries.markMailed(database, due);
  return undefined;
}

/** The same for every attempt. */
export const messageIdOf = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  memberId: number,
  memberNumber: bigint,
): string => `<notice.${memberId}.${memberNumber}@${new URL(publicUrl).hostname}>`;
