import {
  ANNOUNCEMENTS_MAX,
  type Announcement,
  IMPORTANT_TERMS_NOTICE_DAYS,
  type OperatorAnnouncement,
  type publishAnnouncement as publishEndpoint,
  TERMS_NOTICE_DAYS,
} from '#contract/announcements.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Reader, Tx } from '#platform/database.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { operatorAnnouncementOf } from './announcement-list.ts';
import * as queries from './queries.ts';

/**
 * Announcements: what operators tell all members. One is public from its time on, which is a condition of every read,
 * so nothing has to run for it. Open pages poll, and are told at once of what is published or deleted.
 *
 * Invariants: an announcement never changes, so its id is enough for a browser to know what its member has seen. One
 * that changes the terms is public at least 7 site days before they are in force, 30 for an important change. Each is
 * announced to open pages once.
 */

type Parts = Pick<Platform, 'database' | 'bus'>;

const LATEST_READ_EVERY_MS = 60_000;

/** Reads the public announcements, newest first. */
export async function readAnnouncements(
  { database }: Pick<Platform, 'database'>,
  language: queries.Language,
): Promise<Announcement[]> {
  return (await queries.readPublic(database, language, ANNOUNCEMENTS_MAX)).map(announcementOf);
}

/** Reads the newest public announcement; null if there is none. */
export async function readLatest(
  { database }: Pick<Platform, 'database'>,
  language: queries.Language,
): Promise<Announcement | null> {
  const [latest] = await queries.readPublic(database, language, 1);
  return latest === undefined ? null : announcementOf(latest);
}

/**
 * Keeps the id of the newest public announcement for documents, which keep the place of its banner: read at the
 * start, after each change, and each minute, because a change can be missed. With an old id a document only moves a
 * little when its banner comes.
 */
export async function keepLatestId({
  database,
  bus,
  log,
}: Parts & Pick<Platform, 'log'>): Promise<{ latestId: () => string | null; close: () => void }> {
  let id: string | null = null;
  let reads = 0;
  const read = async () => {
    reads += 1;
    const own = reads;
    const found = (await readLatest({ database }, 'en'))?.id ?? null;
    if (own === reads) id = found;
  };
  const readQuietly = () =>
    read().catch((error: Error) => log.warn({ error }, 'the newest announcement was not read'));
  bus.onNewsForAll(({ type }) => {
    if (type === 'announcement') void readQuietly();
  });
  const timer = setInterval(() => void readQuietly(), LATEST_READ_EVERY_MS).unref();
  await read();
  return { latestId: () => id, close: () => clearInterval(timer) };
}

/**
 * Publishes an announcement, or schedules it.
 * @throws InvalidRequest for a time that is past, or terms that would be in force too soon, or more than a year later
 */
export async function publishAnnouncement(
  { database, bus }: Parts,
  operatorId: number,
  asked: BodyOf<typeof publishEndpoint>,
): Promise<OperatorAnnouncement> {
  const { title, content, termsChange } = asked;
  const publishAt = asked.publishAt ?? null;
  const effectiveOn = termsChange?.effectiveOn ?? null;
  const isImportant = termsChange?.isImportant ?? false;
  const texts = { title, content, titleKo: asked.titleKo || null, contentKo: asked.contentKo || null };
  const published = await database.transaction(async (tx) => {
    await refuseBadTimes(tx, { publishAt, effectiveOn, isImportant });
    const given = { ...texts, publishAt, effectiveOn, isImportant, operatorId };
    const { id } = await queries.insertAnnouncement(tx, given);
    const target = { kind: 'announcement', id: String(id) } as const;
    const after = { ...texts, publishAt, effectiveOn, isImportant };
    await recordActs(tx, [{ actor: operatorId, act: 'announcement.publish', target, after }]);
    const row = await queries.findAnnouncement(tx, id);
    if (row === undefined) throw new Error('The announcement that was added is not there');
    return operatorAnnouncementOf(row);
  });
  if (publishAt === null) announce({ bus }, published.id);
  return published;
}

/** @throws InvalidRequest */
async function refuseBadTimes(
  tx: Tx,
  asked: { publishAt: string | null; effectiveOn: string | null; isImportant: boolean },
): Promise<void> {
  const days = asked.isImportant ? IMPORTANT_TERMS_NOTICE_DAYS : TERMS_NOTICE_DAYS;
  const { isLater, isInTime, isFar } = await queries.judgeTimes(tx, { ...asked, days });
  if (asked.publishAt !== null && !isLater)
    throw new InvalidRequest([{ path: 'publishAt', message: 'Must be in the future' }]);
  if (isInTime === false) {
    const message = `Must be at least ${days} days after the announcement`;
    throw new InvalidRequest([{ path: 'termsChange.effectiveOn', message }]);
  }
  if (isFar === true)
    throw new InvalidRequest([
      { path: 'termsChange.effectiveOn', message: 'Must be at most a year after the announcement' },
    ]);
}

/** Functions of features that depend on announcements, which `app.ts` passes in. */
export type AnnouncementParts = {
  /** Stops the mails of an announcement of terms that was deleted. Returns what the audit trail keeps. */
  stopMails(tx: Tx, operatorId: number, id: bigint): Promise<Record<string, unknown> | null>;
};

/**
 * Deletes an announcement, also from the banner and the lists of open pages. Mails of it that wait are never sent.
 * @throws Refusal `not-found`
 */
export async function deleteAnnouncement(
  { database, bus }: Parts,
  operatorId: number,
  id: bigint,
  { stopMails }: AnnouncementParts,
): Promise<void> {
  const { isPublic } = await database.transaction(async (tx) => {
    const deleted = await queries.removeAnnouncement(tx, id);
    if (deleted === undefined) throw refuse('not-found');
    const { isPublic, publishAt, ...texts } = deleted;
    const target = { kind: 'announcement', id: String(id) } as const;
    const before = { ...texts, publishAt: publishAt.toISOString() };
    const after = await stopMails(tx, operatorId, id);
    await recordActs(tx, [{ actor: operatorId, act: 'announcement.delete', target, before, after }]);
    return deleted;
  });
  if (isPublic) announce({ bus }, String(id));
}

/**
 * Reads the next public announcements of changed terms that are not in force yet, besides those that are mailed
 * already. Each is mailed to all members.
 */
export const readComingTerms = (reader: Reader, mailed: readonly bigint[]): Promise<queries.ComingTerms[]> =>
  queries.readComingTerms(reader, mailed);

/** Keeps an announcement from being deleted until this transaction ends. Returns whether it is there. */
export const holdAnnouncement = (tx: Tx, id: bigint): Promise<boolean> => queries.hold(tx, id);

/** Tells open pages of scheduled announcements that became public. Each is told by one node, once. */
export async function announceDue({ database, bus }: Parts): Promise<void> {
  for (const { id } of await queries.takeUnannounced(database)) announce({ bus }, String(id));
}

const announce = ({ bus }: Pick<Platform, 'bus'>, id: string): void =>
  bus.announceToAll({ type: 'announcement', id });

const announcementOf = (row: queries.AnnouncementRow): Announcement => ({
  id: String(row.id),
  title: row.title,
  content: row.content,
  createdAt: row.publishAt.toISOString(),
});
