import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#platform/config.ts';
import { type Lease, takeLease } from '#platform/leases.ts';
import { CONNECTIONS_MAX, type SendMail } from '#platform/mail.ts';
import type { Platform } from '#platform/platform.ts';
import { pause } from '#platform/repeat.ts';
import { readBrand } from '../members/members.ts';
import { hasDueMail } from '../notices/notices.ts';
import { broadcastMail, broadcastMessageId, reportAddress } from './broadcast-mails.ts';
import { type MailOutcome, outcomeOf } from './mail-outcome.ts';
import { readPace } from './queries.ts';
import * as queries from './sending-queries.ts';

/**
 * Sends the mails of running broadcasts. One process at a time sends, by a lease, so the pace holds for the whole site.
 * A mail is claimed before it is sent and settled after the server's answer.
 *
 * Nobody gets a mail twice, whatever ends: what a process claimed and left counts as perhaps sent, and is not sent
 * again by itself. That is one mail for each connection at most, and an operator sees how many
 * (docs/decisions/0081). Notices go first: a turn ends while one is due.
 */
export type SendingParts = Pick<Platform, 'database' | 'log' | 'health' | 'secrets'> & {
  config: Pick<Config, 'publicUrl' | 'mode' | 'broadcastPerSecond' | 'bounceAddress'>;
  sendMail: SendMail;
  /** After the death of its holder, another process goes on this much later; 6 s by default. */
  leaseMs?: number;
};

const LEASE = 'broadcasts';
const LEASE_MS = 6_000;
/** A turn ends after the round that was begun in this time. The next turn continues. */
const TURN_MS_MAX = 25_000;
/** How often a turn looks at the pace, and for mails of notices, which go first. */
const LOOKED_EVERY_MS = 200;
/** A mail that the server defers is tried so often, in more than a day. */
const DEFERRALS_MAX = 10;
const FIRST_WAIT_S = 5 * 60;
/** How long nothing is sent after a round in which the mail server did not work. */
const SERVER_WAIT_S = 60;
/** The row of a mail that was sent is written this often, while the database is away for a moment. */
const SETTLE_ATTEMPTS = 3;
const SETTLED_AGAIN_AFTER_MS = 500;

/** Sends what is due, for the time of a turn. */
export async function sendBroadcasts(parts: SendingParts, signal?: AbortSignal): Promise<void> {
  const { database, log } = parts;
  if (!(await queries.hasDue(database))) return;
  const lease = await takeLease(parts, LEASE, { lastsMs: parts.leaseMs ?? LEASE_MS });
  if (lease === undefined) return;
  try {
    const left = await queries.markLeft(database, lease);
    if (left > 0n) log.warn({ mails: Number(left) }, 'a process left mails of broadcasts: perhaps sent');
    await sendRounds(parts, lease, signal);
  } finally {
    await lease.release();
  }
}

async function sendRounds(parts: SendingParts, lease: Lease, signal?: AbortSignal): Promise<void> {
  const { database, config } = parts;
  const brand = await readBrand(database, config);
  const endsAt = performance.now() + TURN_MS_MAX;
  let perSecond = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  while (!signal?.aborted && lease.isHeld() && performance.now() < endsAt) {
    const startedAt = performance.now();
    if (startedAt > lookedAt + LOOKED_EVERY_MS) {
      const { slowCount, waitsUntil } = await readPace(database);
      if (waitsUntil !== null || (await hasDueMail(database))) return;
      perSecond = config.broadcastPerSecond / 2 ** slowCount;
      lookedAt = startedAt;
    }
    const mailsMax = Math.max(1, Math.min(CONNECTIONS_MAX, Math.floor(perSecond)));
    const claimed = await queries.claimMails(database, lease, mailsMax);
    if (claimed.length === 0) return;
    const answers = await Promise.all(claimed.map((mail) => sendClaimed(parts, brand, mail)));
    const outcomes = await settleUnknown(parts, claimed, answers);
    if (!(await notePace(parts, outcomes))) return;
    const sentCount = outcomes.filter((outcome) => outcome !== 'skipped').length;
    const waitMs = startedAt + (sentCount * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs, signal ?? new AbortController().signal);
  }
}

type Brand = Awaited<ReturnType<typeof readBrand>>;
type Outcome = MailOutcome | 'sent' | 'skipped';

/** Sends a claimed mail and settles it, unless its address is unknown: then the answers of the whole round count. */
async function sendClaimed(parts: SendingParts, brand: Brand, mail: queries.ClaimedMail): Promise<Outcome> {
  const { log } = parts;
  if (!mail.isRecipient) {
    await settle(parts, mail, { state: 'skipped' });
    return 'skipped';
  }
  try {
    const messageId = broadcastMessageId(parts, mail.broadcastId, mail.memberId);
    const { bounceAddress } = parts.config;
    const reportsTo = bounceAddress === null ? {} : { reportsTo: reportAddress(parts, bounceAddress, mail) };
    await parts.sendMail({ ...broadcastMail(parts, brand, mail), messageId, ...reportsTo });
  } catch (error) {
    const outcome = outcomeOf(error);
    const { broadcastId, memberId } = mail;
    log.warn(
      { error, broadcast: String(broadcastId), memberId, outcome: outcome.kind },
      'a mail was not sent',
    );
    if (outcome.kind !== 'no-address') await settle(parts, mail, settledBy(mail, outcome));
    return outcome;
  }
  await settle(parts, mail, { state: 'sent' });
  return 'sent';
}

/**
 * Settles the mails of a round whose addresses are unknown. A server that knows none of a round's addresses is taken
 * for one that does not want this sender, whatever its words: two such answers would end broadcasts to everybody.
 */
async function settleUnknown(
  parts: SendingParts,
  mails: readonly queries.ClaimedMail[],
  answers: readonly Outcome[],
): Promise<Outcome[]> {
  const tried = answers.filter((outcome) => outcome !== 'skipped');
  const knowsNone =
    tried.length > 1 && tried.every((outcome) => outcome !== 'sent' && outcome.kind === 'no-address');
  return Promise.all(
    mails.map(async (mail, index) => {
      const answer = answers[index] ?? 'skipped';
      if (typeof answer === 'string' || answer.kind !== 'no-address') return answer;
      const outcome: MailOutcome = knowsNone ? { ...answer, kind: 'throttled' } : answer;
      await settle(parts, mail, settledBy(mail, outcome));
      if (outcome.kind === 'no-address') await queries.noteBounce(parts.database, mail.email);
      return outcome;
    }),
  );
}

/** Writes what became of a mail. While the row does not say so, the mail counts as perhaps sent. */
async function settle(
  { database, log }: SendingParts,
  mail: queries.ClaimedMail,
  settled: queries.Settled,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      await queries.settle(database, mail, settled);
      return;
    } catch (error) {
      if (attempt === SETTLE_ATTEMPTS) throw error;
      log.warn({ error, memberId: mail.memberId }, 'a mail of a broadcast was not settled; once more');
      await sleep(SETTLED_AGAIN_AFTER_MS);
    }
}

/**
 * A mail waits longer after each answer "later", also after one about the sender or the server: a server may answer so
 * about one recipient alone, and for ever.
 */
function settledBy({ deferralCount }: queries.ClaimedMail, outcome: MailOutcome): queries.Settled {
  switch (outcome.kind) {
    case 'perhaps':
      return { state: 'perhaps' };
    case 'throttled':
    case 'trouble':
    case 'deferred':
      if (deferralCount + 1 < DEFERRALS_MAX)
        return {
          state: 'waiting',
          isDeferral: true,
          waitS: Math.min(FIRST_WAIT_S * 2 ** deferralCount, queries.LONGEST_WAIT_S),
        };
      return {
        state: 'failed',
        reason: 'deferred',
        smtpCode: outcome.kind === 'trouble' ? null : outcome.smtpCode,
      };
  }
  return { state: 'failed', reason: outcome.kind, smtpCode: outcome.smtpCode };
}

/**
 * Slows down, or waits for the server, if no mail of a round got an answer about its recipient. Returns whether to go
 * on.
 */
async function notePace({ database }: SendingParts, outcomes: readonly Outcome[]): Promise<boolean> {
  const tried = outcomes.filter((outcome) => outcome !== 'skipped');
  const unheard = tried
    .filter((outcome) => outcome !== 'sent')
    .filter(({ kind }) => kind === 'throttled' || kind === 'trouble' || kind === 'perhaps');
  if (unheard.length === 0 || unheard.length < tried.length) return true;
  const throttled = unheard.find(({ kind }) => kind === 'throttled');
  if (throttled?.kind === 'throttled') {
    await queries.slowDown(database, throttled.answer);
    return false;
  }
  const trouble = unheard.find(({ kind }) => kind === 'trouble');
  const answer = trouble?.kind === 'trouble' ? trouble.answer : 'no answer';
  await queries.waitForServer(database, answer, SERVER_WAIT_S);
  return false;
}
