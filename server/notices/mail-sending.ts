import type { Config } from '#platform/config.ts';
import {
  CONNECTIONS_MAX,
  COPIES_MAX,
  PerhapsSent,
  RecipientDeferred,
  RecipientRefused,
  type SendMail,
} from '#platform/mail.ts';
import type { Platform } from '#platform/platform.ts';
import { findMailReader, readBrand } from '../members/members.ts';
import { denialTokenOf } from './denials.ts';
import { type Names, noticeMail } from './mails.ts';
import * as queries from './queries.ts';

/**
 * Sends the mails of notices. The row says whether a mail is due, so none is lost with a process or a job. A process
 * claims a mail before it sends it, by moving the time at which it is due, and marks it as sent afterwards.
 *
 * SMTP can't do this exactly once: a process may die after the server accepted the mail and before the row says so.
 * The claim then ends and the mail is sent again, with the same Message-ID, made from the notice's number, so that a
 * mailbox recognises it (docs/decisions/0040). A mail that the server perhaps sent has at most three attempts.
 *
 * A recipient whom the mail server refuses gets no further attempt. Of one whom it defers, all mails wait. Neither is a
 * trouble of the server. Each round takes one mail of each member, and first attempts before repeats, so that nobody's
 * mailbox delays the mails of others.
 */
export type MailParts = Pick<Platform, 'database' | 'log' | 'secrets'> & {
  config: Pick<Config, 'publicUrl' | 'siteTimezone' | 'mode'>;
  sendMail: SendMail;
  readNames: () => Promise<Names>;
};

/** Longer than any attempt to send takes. */
export const CLAIMED_MINUTES = 5;
const FIRST_WAIT_MINUTES = 1;
const LONGEST_WAIT_MINUTES = 6 * 60;
/** With these waits, the last attempt is more than two days after the first. */
const ATTEMPTS_MAX = 15;
/** The mails of one round, sent at the same time. If all fail, the server is probably down, and the turn ends. */
const MAILS_PER_ROUND = CONNECTIONS_MAX;
/** A turn ends after the mail that was begun in this time. The next turn continues. */
const TURN_MS_MAX = 30_000;

export type Mailed = {
  sentCount: number;
  /** How many recipients the mail server did not take, for good or for now. */
  refusedCount: number;
  /** Why no mail of the last round was sent; undefined if the server took one or answered about a recipient. */
  trouble: string | undefined;
};

type Outcome = 'sent' | 'refused' | 'dropped' | { trouble: string };

/** Sends the mails that are due, in rounds. */
export async function sendDueMails(parts: MailParts, signal?: AbortSignal): Promise<Mailed> {
  const mailed: Mailed = { sentCount: 0, refusedCount: 0, trouble: undefined };
  const startedAt = performance.now();
  while (!signal?.aborted && performance.now() < startedAt + TURN_MS_MAX) {
    const due = await queries.claimMails(parts.database, CLAIMED_MINUTES, MAILS_PER_ROUND);
    if (due.length === 0) break;
    const outcomes = await Promise.all(due.map((mail) => sendClaimed(parts, mail)));
    mailed.sentCount += outcomes.filter((outcome) => outcome === 'sent').length;
    mailed.refusedCount += outcomes.filter((outcome) => outcome === 'refused').length;
    mailed.trouble = troubleOf(outcomes);
    if (mailed.trouble !== undefined) break;
  }
  return mailed;
}

/** The trouble of a round in which the mail server took no mail and answered about no recipient. */
function troubleOf(outcomes: readonly Outcome[]): string | undefined {
  if (outcomes.includes('sent') || outcomes.includes('refused')) return undefined;
  return outcomes.find((outcome) => typeof outcome === 'object')?.trouble;
}

/** Sends a claimed mail and marks it. */
async function sendClaimed(parts: MailParts, due: queries.DueMail): Promise<Outcome> {
  const { database } = parts;
  const { memberId, memberNumber, moreCount } = due;
  const reader = await findMailReader(database, memberId);
  if (reader === undefined) {
    await queries.postponeMail(database, due, 'The account was deleted.', null);
    return 'dropped';
  }
  try {
    const brand = await readBrand(database, parts.config);
    const mail = noticeMail(parts.config, brand, due.kind, due.facts, {
      to: reader.email,
      language: reader.language,
      names: await parts.readNames(),
      happenedAt: due.createdAt,
      denialToken: denialTokenOf(parts, memberId, memberNumber),
      moreCount,
    });
    await parts.sendMail({ ...mail, messageId: messageIdOf(parts.config, memberId, memberNumber) });
  } catch (error) {
    return noteFailure(parts, due, error);
  }
  await queries.markMailed(database, due);
  return 'sent';
}

/**
 * Makes a failed mail due again later; never again if its recipient was refused, or after the last attempt. The other
 * mails of a deferred recipient wait as long.
 */
async function noteFailure(
  { database, log }: MailParts,
  due: queries.DueMail,
  error: unknown,
): Promise<Outcome> {
  const { memberId, memberNumber, attemptCount } = due;
  const trouble = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  const isRefused = error instanceof RecipientRefused;
  const isDeferred = error instanceof RecipientDeferred;
  const isLast = attemptCount >= (error instanceof PerhapsSent ? COPIES_MAX : ATTEMPTS_MAX);
  log[isLast && !isRefused ? 'error' : 'warn'](
    { error, memberId, notice: memberNumber, attemptCount },
    isRefused
      ? 'a recipient was refused'
      : isDeferred
        ? 'a recipient was deferred'
        : 'a notice was not mailed',
  );
  const minutes = Math.min(FIRST_WAIT_MINUTES * 2 ** (attemptCount - 1), LONGEST_WAIT_MINUTES);
  await database.transaction(async (tx) => {
    if (isDeferred) await queries.deferMails(tx, memberId, minutes);
    await queries.postponeMail(tx, due, trouble, isLast || isRefused ? null : minutes);
  });
  return isRefused || isDeferred ? 'refused' : { trouble };
}

/** The same for every attempt. */
export const messageIdOf = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  memberId: number,
  memberNumber: bigint,
): string => `<notice.${memberId}.${memberNumber}@${new URL(publicUrl).hostname}>`;
