import type { OperatorAnnouncement } from '#contract/announcements.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of announcements. */

export type Language = 'en' | 'ko';

export type AnnouncementRow = { id: bigint; title: string; content: string; publishAt: Date };

export type OperatorRow = AnnouncementRow &
  Pick<
    OperatorAnnouncement,
    'titleKo' | 'contentKo' | 'state' | 'effectiveOn' | 'isImportant' | 'adminEmail'
  >;

const isPublic = sql`a.publish_at <= platform.business_now()`;

/** Reads up to `limit` public announcements, newest first, in a language. */
export const readPublic = (reader: Reader, language: Language, limit: number) =>
  reader.rows<AnnouncementRow>(sql`
    select a.id,
      case when ${language} = 'ko' then coalesce(a.title_ko, a.title) else a.title end as title,
      case when ${language} = 'ko' then coalesce(a.content_ko, a.content) else a.content end as content,
      a.publish_at as "publishAt"
    from announcements.announcements a where ${isPublic}
    order by a.publish_at desc, a.id desc limit ${limit}`);

export type ComingTerms = Pick<OperatorRow, 'id' | 'title' | 'content' | 'titleKo' | 'contentKo'> & {
  effectiveOn: string;
};

/** Reads at most ten public announcements of terms that are not in force yet, oldest first, besides the given ones. */
export const readComingTerms = (reader: Reader, otherThan: readonly bigint[]) =>
  reader.rows<ComingTerms>(sql`
    select a.id, a.title, a.content, a.title_ko as "titleKo", a.content_ko as "contentKo",
      to_char(a.effective_on, 'YYYY-MM-DD') as "effectiveOn"
    from announcements.announcements a
    where ${isPublic} and a.effective_on > platform.site_day(platform.business_now())
      and a.id <> all (${otherThan.map(String)}::bigint[])
    order by a.publish_at, a.id limit 10`);

const latestId = sql`(
  select l.id from announcements.announcements l where l.publish_at <= platform.business_now()
  order by l.publish_at desc, l.id desc limit 1)`;

/** The conditions for the states of an announcement. */
export const stateConditions = {
  scheduled: sql`not (${isPublic})`,
  latest: sql`a.id = ${latestId}`,
  listed: sql`${isPublic} and a.id <> ${latestId}`,
};

export const operatorColumns = sql`a.id, a.title, a.content, a.title_ko as "titleKo", a.content_ko as "contentKo",
  a.publish_at as "publishAt", to_char(a.effective_on, 'YYYY-MM-DD') as "effectiveOn",
  a.is_important as "isImportant", o.email as "adminEmail",
  case when not (${isPublic}) then 'scheduled' when ${stateConditions.latest} then 'latest' else 'listed' end as state`;
export const operatorJoins = sql`left join members.profiles o on o.id = a.created_by`;

export const findAnnouncement = (reader: Reader, id: bigint) =>
  reader.row<OperatorRow>(
    sql`select ${operatorColumns} from announcements.announcements a ${operatorJoins} where a.id = ${id}`,
  );

/**
 * Whether an announcement at this time, null for now, is still to come, and whether it is public `days` site days
 * before the first day of the changed terms, and whether that is more than a year after it; null without one.
 */
export const judgeTimes = (
  tx: Tx,
  { publishAt, effectiveOn, days }: { publishAt: string | null; effectiveOn: string | null; days: number },
) =>
  tx.one<{ isLater: boolean; isInTime: boolean | null; isFar: boolean | null }>(sql`
    select m.at > platform.business_now() as "isLater",
      ${effectiveOn}::date >= platform.site_day(m.at) + ${days}::integer as "isInTime",
      ${effectiveOn}::date > platform.site_day(m.at) + interval '1 year' as "isFar"
    from (select coalesce(${publishAt}::timestamptz, platform.business_now()) as at) m`);

export type NewAnnouncement = Pick<OperatorRow, 'title' | 'content' | 'titleKo' | 'contentKo'> & {
  publishAt: string | null;
  effectiveOn: string | null;
  isImportant: boolean;
  operatorId: number;
};

/** Adds an announcement. One that is public at once is announced by its writer, and by no sweep. */
export const insertAnnouncement = (tx: Tx, given: NewAnnouncement) =>
  tx.one<{ id: bigint }>(sql`
    insert into announcements.announcements (title, content, title_ko, content_ko, publish_at, announced_at,
      effective_on, is_important, created_at, created_by)
    select ${given.title}, ${given.content}, ${given.titleKo}, ${given.contentKo},
      date_trunc('milliseconds', coalesce(${given.publishAt}::timestamptz, n.now)),
      case when ${given.publishAt}::timestamptz is null then n.now end,
      ${given.effectiveOn}::date, ${given.isImportant}, n.now, ${given.operatorId}
    from (select platform.business_now() as now) n
    returning id`);

export type Deleted = Pick<OperatorRow, 'title' | 'content' | 'titleKo' | 'contentKo' | 'publishAt'> & {
  isPublic: boolean;
};

export const removeAnnouncement = (tx: Tx, id: bigint) =>
  tx.row<Deleted>(sql`
    delete from announcements.announcements a where a.id = ${id}
    returning a.title, a.content, a.title_ko as "titleKo", a.content_ko as "contentKo", a.publish_at as "publishAt",
      ${isPublic} as "isPublic"`);

/** Keeps an announcement from being deleted until this transaction ends. Returns whether it is there. */
export const hold = async (tx: Tx, id: bigint): Promise<boolean> =>
  (await tx.row(sql`select from announcements.announcements where id = ${id} for key share`)) !== undefined;

/** Marks announcements that became public as announced and returns them: each once, whichever node asks. */
export const takeUnannounced = (reader: Reader) =>
  reader.rows<{ id: bigint }>(sql`
    update announcements.announcements a set announced_at = platform.business_now()
    where a.announced_at is null and ${isPublic}
    returning a.id`);
