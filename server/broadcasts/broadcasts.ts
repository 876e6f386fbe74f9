import type { Act } from '#contract/acts.ts';
import type {
  Broadcast,
  BroadcastTexts,
  RecipientCounts,
  readBroadcast as readEndpoint,
} from '#contract/broadcasts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { sentence } from '#contract/operator-sentences.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Config } from '#platform/config.ts';
import type { Database, Reader, Tx } from '#platform/database.ts';
import { enqueue } from '#platform/jobs.ts';
import { MAIL_JOB } from '#platform/mail.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { removeInPieces } from '#platform/retention.ts';
import { holdAnnouncement, readComingTerms } from '../announcements/announcements.ts';
import { findMailReader, readBrand, readNamesOf } from '../members/members.ts';
import { broadcastOf } from './broadcast-list.ts';
import { broadcastMail } from './broadcast-mails.ts';
import * as queries from './queries.ts';

/**
 * Broadcasts: mails to all members who want them. The recipients are rows, fixed in the transaction that begins the
 * broadcast; `broadcast-sending.ts` sends them. An announcement that changes the terms has a broadcast of its own, to
 * all members.
 *
 * Invariants: a broadcast has one mail for a member at most, and no mail is sent twice unless an operator asks for it.
 * What a mail server does not take ends nothing but this mail, except the second answer that an address does not exist.
 * Notices have mails of their own (`notices`), which go first.
 */
type Parts = { database: Database };
type MailingParts = Parts & Pick<Platform, 'secrets'> & { config: Pick<Config, 'publicUrl' | 'mode'> };

/** So many members are looked at by one statement, which takes about a second. */
const MEMBERS_AT_ONCE = 20_000;

/** Counts the members who would get a broadcast now, and why others would not. */
export async function readRecipientCounts({ database }: Parts): Promise<RecipientCounts> {
  const counts = await queries.countRecipients(database.patient);
  return Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, Number(count)]),
  ) as RecipientCounts;
}

const storedTexts = ({ subject, content, subjectKo, contentKo }: BroadcastTexts): queries.Texts => ({
  subject,
  content,
  subjectKo: subjectKo || null,
  contentKo: contentKo || null,
});

const ofNews = { kind: 'news', announcementId: null, effectiveOn: null } as const;

/**
 * Begins a broadcast to all members who want it. A repeated key returns the first broadcast.
 * @throws Refusal `idempotency-mismatch`
 */
export function beginBroadcast(
  { database }: Parts,
  operatorId: number,
  asked: BroadcastTexts,
  beginKey: string | null = null,
): Promise<{ id: string; recipients: number }> {
  const texts = storedTexts(asked);
  return database.transaction(async (tx) => {
    const given = { ...texts, ...ofNews, operatorId, beginKey };
    const begun = await addBroadcast(tx, given);
    if (begun === undefined) {
      const first = await queries.findBegun(tx, given);
      if (first?.isSame !== true) throw refuse('idempotency-mismatch');
      return { id: String(first.id), recipients: first.recipients };
    }
    const { id, recipients } = begun;
    const target = { kind: 'broadcast', id } as const;
    const after = { ...texts, recipients };
    await recordActs(tx, [{ actor: operatorId, act: 'broadcast.begin', target, after }]);
    return begun;
  });
}

async function addBroadcast(
  tx: Tx,
  given: queries.NewBroadcast,
): Promise<{ id: string; recipients: number } | undefined> {
  const begun = await queries.insertBroadcast(tx, given);
  if (begun === undefined) return undefined;
  let recipients = 0;
  let afterId = 0;
  for (;;) {
    const piece = { kind: given.kind, afterId, membersMax: MEMBERS_AT_ONCE };
    const { lookedAt, lastId, added } = await queries.addRecipients(tx, begun.id, piece);
    recipients += added;
    afterId = lastId;
    if (lookedAt < MEMBERS_AT_ONCE) break;
  }
  await queries.setRecipientCount(tx, begun.id, recipients);
  return { id: String(begun.id), recipients };
}

/** Begins the broadcasts of announcements that change the terms and have become public. Each has one. */
export async function beginTermsBroadcasts({
  database,
  log,
  health,
}: Parts & Pick<Platform, 'log' | 'health'>): Promise<void> {
  const mailed = await queries.readMailedTerms(database);
  const coming = await readComingTerms(database, mailed);
  for (const terms of coming) {
    const { id, title, content, titleKo, contentKo, effectiveOn } = terms;
    const texts = { subject: title, content, subjectKo: titleKo, contentKo };
    const by = { operatorId: null, beginKey: null };
    const given = { ...texts, ...by, kind: 'terms', announcementId: id, effectiveOn } as const;
    const begun = await database.transaction(async (tx) =>
      (await holdAnnouncement(tx, id)) ? addBroadcast(tx, given) : undefined,
    );
    if (begun !== undefined)
      log.info({ broadcast: begun.id, recipients: begun.recipients }, 'changed terms are mailed');
  }
  const ids = [...mailed, ...coming.map(({ id }) => id)];
  const isUnread = ids.length > 0 && (await queries.isSomeUnread(database, ids));
  health.report('terms-mails', isUnread ? sentence('terms-mailed-to-nobody') : undefined);
}

/** Stops the broadcast of an announcement that this transaction has deleted. Returns what the audit trail keeps. */
export async function stopTermsBroadcast(
  tx: Tx,
  operatorId: number,
  announcementId: bigint,
): Promise<{ stoppedBroadcast: string; sent: number } | null> {
  const stopped = await queries.stopTerms(tx, announcementId, operatorId);
  return stopped === undefined ? null : { stoppedBroadcast: String(stopped.id), sent: stopped.sent };
}

/** Reads how many mails of an announcement of terms were sent. */
export const readTermsMails = async ({ database }: Parts, announcementId: bigint) =>
  (await queries.readTermsMails(database, announcementId)) ?? { recipients: 0, sent: 0 };

/**
 * Mails the texts to the operator alone, in each language that they have.
 * @throws Refusal `not-found` if the account is gone
 */
export async function sendTest(
  parts: MailingParts,
  operatorId: number,
  asked: BroadcastTexts,
): Promise<{ email: string }> {
  const { database, config } = parts;
  const texts = storedTexts(asked);
  const [reader, [named]] = await Promise.all([
    findMailReader(database, operatorId),
    readNamesOf(database, [operatorId]),
  ]);
  if (reader === undefined || named === undefined) throw refuse('not-found');
  const brand = await readBrand(database, config);
  const isBoth = texts.subjectKo !== null || texts.contentKo !== null;
  const facts = {
    ...texts,
    kind: 'news',
    effectiveOn: null,
    memberId: operatorId,
    email: reader.email,
  } as const;
  const mails = (isBoth ? (['ko', 'en'] as const) : (['en'] as const)).map((language) =>
    broadcastMail(parts, brand, { ...facts, language, firstName: named.firstName }),
  );
  await database.transaction(async (tx) => {
    for (const mail of mails) await enqueue(tx, MAIL_JOB, mail);
    const target = { kind: 'broadcast', id: 'test' } as const;
    await recordActs(tx, [{ actor: operatorId, act: 'broadcast.test', target, after: texts }]);
  });
  return { email: reader.email };
}

/** @throws Refusal `not-found` */
export async function readBroadcast(
  { database, config }: Parts & { config: Pick<Config, 'broadcastPerSecond'> },
  id: bigint,
): Promise<ReplyOf<typeof readEndpoint>> {
  const [row, { slowCount, waitsUntil, trouble }] = await Promise.all([
    readOne(database, id),
    queries.readPace(database),
  ]);
  const isSending = row.status === 'running';
  const waiting = row.recipients - row.sent - row.failed - row.perhapsSent - row.skipped;
  return {
    ...row,
    secondsLeft:
      isSending && waitsUntil === null
        ? Math.ceil((waiting * 2 ** slowCount) / config.broadcastPerSecond)
        : null,
    trouble: isSending && waitsUntil !== null ? trouble : null,
    waitsUntil: isSending ? (waitsUntil?.toISOString() ?? null) : null,
  };
}

async function readOne(reader: Reader, id: bigint): Promise<Broadcast> {
  const row = await queries.findBroadcast(reader, id);
  if (row === undefined) throw refuse('not-found');
  return broadcastOf(row);
}

type Status = Broadcast['status'];
type Change = { act: Act; from: readonly Status[]; to: Status };

export const changes = {
  pause: { act: 'broadcast.pause', from: ['running'], to: 'paused' },
  resume: { act: 'broadcast.resume', from: ['paused'], to: 'running' },
  stop: { act: 'broadcast.stop', from: ['running', 'paused'], to: 'stopped' },
} as const satisfies Record<string, Change>;

/**
 * Pauses, resumes or stops a broadcast. What is being sent at this moment is still sent.
 * @throws Refusal `not-found`, `already-decided`
 */
export function changeBroadcast(
  { database }: Parts,
  operatorId: number,
  id: bigint,
  { act, from, to }: Change,
): Promise<Broadcast> {
  return database.transaction(async (tx) => {
    const before = await readOne(tx, id);
    if ((await queries.changeStatus(tx, id, { from, to, operatorId })) === undefined)
      throw refuse('already-decided');
    if (to === 'running') await queries.finishBroadcast(tx, id);
    const { status, sent } = await readOne(tx, id);
    const target = { kind: 'broadcast', id: String(id) } as const;
    const change = { before: { status: before.status }, after: { status, sent } };
    await recordActs(tx, [{ actor: operatorId, act, target, ...change }]);
    return readOne(tx, id);
  });
}

/**
 * Sends again what failed and may succeed, or what was perhaps sent.
 * @throws Refusal `not-found`; `already-decided` if it is paused or stopped, or there is nothing of it
 */
export function retryBroadcast(
  { database }: Parts,
  operatorId: number,
  id: bigint,
  which: 'failed' | 'perhaps-sent',
): Promise<Broadcast> {
  return database.transaction(async (tx) => {
    await readOne(tx, id);
    const repeated = await queries.repeatMails(tx, id, which);
    const change = { from: ['running', 'done'], to: 'running', operatorId } as const;
    if (repeated === 0 || (await queries.changeStatus(tx, id, change)) === undefined)
      throw refuse('already-decided');
    const target = { kind: 'broadcast', id: String(id) } as const;
    const after = { which, mails: repeated };
    await recordActs(tx, [{ actor: operatorId, act: 'broadcast.retry', target, after }]);
    return readOne(tx, id);
  });
}

/**
 * Forgets the bounces of a member's address, by the command line: broadcasts go to it again. Returns how many.
 * @throws Refusal `not-found` if there was none
 */
export const forgetBounces = (
  { database }: Parts,
  { id, email }: { id: number; email: string },
): Promise<number> =>
  database.transaction(async (tx) => {
    const forgotten = await queries.forgetBounces(tx, email);
    if (forgotten === undefined) throw refuse('not-found');
    const target = { kind: 'member', id } as const;
    const change = { before: { bounces: forgotten.count }, after: { bounces: 0 } };
    await recordActs(tx, [{ actor: 'command-line', act: 'broadcast.forget-bounces', target, ...change }]);
    return forgotten.count;
  });

/** Removes what bounces told of the address of an account that this transaction is about to anonymise. */
export const forgetBroadcasts = async (tx: Tx, memberId: number): Promise<void> => {
  await queries.forget(tx, memberId);
};

/** Deletes broadcasts and bounces that are older than three years. */
export const deleteOldBroadcasts = ({ database }: Parts, signal: AbortSignal): Promise<void> =>
  removeInPieces(database, signal, (rowsMax) => queries.removeOld(database, rowsMax));
