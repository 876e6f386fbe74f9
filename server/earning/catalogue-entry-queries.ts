import type { CatalogueEntry, EntryStep } from '#contract/earning-catalogue-entries.ts';
import { json, type Reader, type Sql, sql, type Tx } from '#platform/database.ts';

/** The queries of the catalogue as operators keep it. */

export type EntryRow = {
  id: bigint;
  kind: CatalogueEntry['kind'];
  category: CatalogueEntry['category'];
  provider: string;
  title: string;
  titleKo: string | null;
  description: string;
  descriptionKo: string | null;
  points: bigint;
  minutes: number;
  url: string;
  steps: EntryStep[];
  /** SHA-256 of the picture's bytes. */
  picture: string | null;
  isEnabled: boolean;
  expiresAt: Date | null;
  createdAt: Date;
  state: CatalogueEntry['state'];
};

/** What an operator sets. */
export type EntryFields = Pick<
  EntryRow,
  | 'kind'
  | 'category'
  | 'provider'
  | 'title'
  | 'titleKo'
  | 'description'
  | 'descriptionKo'
  | 'points'
  | 'minutes'
  | 'url'
  | 'steps'
  | 'isEnabled'
> & { expiresAt: string | null };

export type Picture = { hash: string; type: string; bytes: Buffer };

/** The distance of neighbours, so that an entry can be moved between them often before others must be numbered anew. */
const GAP = 1_048_576;

/** Whether members see an entry, where the walls of these providers can be opened. */
export const stateOf = (usable: readonly string[]): Sql => sql`
  case when not c.is_enabled then 'hidden' when c.expires_at <= platform.business_now() then 'expired'
    when c.provider <> all(${usable}::text[]) then 'unreachable' else 'shown' end`;

export const entryColumns = (usable: readonly string[]): Sql => sql`
  c.id, c.kind, c.category, c.provider, c.title, c.title_ko as "titleKo", c.description,
  c.description_ko as "descriptionKo", c.points, c.minutes, c.url, c.steps, p.hash as picture,
  c.is_enabled as "isEnabled", c.expires_at as "expiresAt", c.created_at as "createdAt", ${stateOf(usable)} as state`;

export const entryPicture: Sql = sql`left join earning.catalogue_pictures p on p.entry_id = c.id`;

/** Finds an entry that was not taken off. */
export const findEntry = (reader: Reader, id: bigint, usable: readonly string[]) =>
  reader.row<EntryRow>(sql`
    select ${entryColumns(usable)} from earning.catalogue c ${entryPicture}
    where c.id = ${id} and c.deleted_at is null`);

/** Locks an entry until the end of the transaction. Returns whether it is there. */
export const lockEntry = async (tx: Tx, id: bigint): Promise<boolean> =>
  (await tx.row(sql`
    select id from earning.catalogue where id = ${id} and deleted_at is null for update`)) !== undefined;

export const findProviderId = async (reader: Reader, id: string): Promise<boolean> =>
  (await reader.row(sql`select id from earning.providers where id = ${id}`)) !== undefined;

/** Adds an entry above the others of its kind. Returns its id. */
export const insertEntry = async (tx: Tx, entry: EntryFields): Promise<bigint> => {
  const { id } = await tx.one<{ id: bigint }>(sql`
    insert into earning.catalogue (kind, category, provider, title, title_ko, description, description_ko, points,
      minutes, url, steps, is_enabled, expires_at, position)
    values (${entry.kind}, ${entry.category}, ${entry.provider}, ${entry.title}, ${entry.titleKo},
      ${entry.description}, ${entry.descriptionKo}, ${entry.points}, ${entry.minutes}, ${entry.url},
      ${json(entry.steps)}::jsonb, ${entry.isEnabled}, ${entry.expiresAt},
      (select coalesce(max(position), 0) + ${GAP}::bigint from earning.catalogue
       where kind = ${entry.kind} and deleted_at is null))
    returning id`);
  return id;
};

export const updateEntry = (tx: Tx, id: bigint, entry: EntryFields) =>
  tx.rows(sql`
    update earning.catalogue set kind = ${entry.kind}, category = ${entry.category}, provider = ${entry.provider},
      title = ${entry.title}, title_ko = ${entry.titleKo}, description = ${entry.description},
      description_ko = ${entry.descriptionKo}, points = ${entry.points}, minutes = ${entry.minutes},
      url = ${entry.url}, steps = ${json(entry.steps)}::jsonb, is_enabled = ${entry.isEnabled},
      expires_at = ${entry.expiresAt}
    where id = ${id}`);

/** Takes an entry off. Returns whether it was still there. */
export const deleteEntry = async (tx: Tx, id: bigint): Promise<boolean> =>
  (await tx.row(sql`
    update earning.catalogue set deleted_at = platform.business_now()
    where id = ${id} and deleted_at is null returning id`)) !== undefined;

export const putPicture = (tx: Tx, id: bigint, { hash, type, bytes }: Picture) =>
  tx.rows(sql`
    insert into earning.catalogue_pictures (entry_id, hash, type, bytes)
    values (${id}, ${hash}, ${type}, ${bytes})
    on conflict (entry_id) do update set hash = excluded.hash, type = excluded.type, bytes = excluded.bytes`);

export const deletePicture = (tx: Tx, id: bigint) =>
  tx.rows(sql`delete from earning.catalogue_pictures where entry_id = ${id}`);

/** Finds a picture of an entry that was not taken off. */
export const findPicture = (reader: Reader, hash: string) =>
  reader.row<Pick<Picture, 'type' | 'bytes'>>(sql`
    select p.type, p.bytes from earning.catalogue_pictures p join earning.catalogue c on c.id = p.entry_id
    where p.hash = ${hash} and c.deleted_at is null limit 1`);

type Place = { id: bigint; position: bigint };

/** Finds the place of an entry of this kind. */
export const findPlace = (tx: Tx, id: bigint, kind: EntryRow['kind']) =>
  tx.row<Place>(sql`
    select id, position from earning.catalogue where id = ${id} and kind = ${kind} and deleted_at is null`);

/** The next entry of the same kind above or below an entry. */
export const readNeighbours = (tx: Tx, id: bigint, side: 'above' | 'below') =>
  side === 'above'
    ? tx.rows<Place>(sql`
        select c.id, c.position from earning.catalogue c join earning.catalogue e on e.id = ${id} and e.kind = c.kind
        where c.deleted_at is null and (c.position, c.created_at, c.id) > (e.position, e.created_at, e.id)
        order by c.position, c.created_at, c.id limit 1`)
    : tx.rows<Place>(sql`
        select c.id, c.position from earning.catalogue c join earning.catalogue e on e.id = ${id} and e.kind = c.kind
        where c.deleted_at is null and (c.position, c.created_at, c.id) < (e.position, e.created_at, e.id)
        order by c.position desc, c.created_at desc, c.id desc limit 1`);

/** Puts an entry above or below all others of its kind. */
export const moveToEnd = (tx: Tx, id: bigint, side: 'above' | 'below') =>
  tx.rows(sql`
    update earning.catalogue e set position = case when ${side} = 'above' then o.highest + ${GAP}::bigint
      else o.lowest - ${GAP}::bigint end
    from (select kind, max(position) as highest, min(position) as lowest from earning.catalogue
          where deleted_at is null group by kind) o
    where e.id = ${id} and o.kind = e.kind`);

export const setPosition = (tx: Tx, id: bigint, position: bigint) =>
  tx.rows(sql`update earning.catalogue set position = ${position} where id = ${id}`);

/** Numbers the entries of a kind anew in their order, so that there is room between them. */
export const numberAnew = (tx: Tx, kind: EntryRow['kind']) =>
  tx.rows(sql`
    update earning.catalogue c set position = n.place * ${GAP}::bigint
    from (select id, row_number() over (order by position, created_at, id) as place from earning.catalogue
          where kind = ${kind} and deleted_at is null) n
    where n.id = c.id`);

export const readProviderIds = async (reader: Reader): Promise<string[]> =>
  (await reader.rows<{ id: string }>(sql`select id from earning.providers`)).map(({ id }) => id);

/** Locks the entries with these ids until the end of the transaction, and reads those that are there. */
export const lockEntries = (tx: Tx, ids: readonly bigint[]) =>
  tx.rows<EntryRow>(sql`
    select ${entryColumns([])} from earning.catalogue c ${entryPicture}
    where c.id = any(${ids}::bigint[]) and c.deleted_at is null order by c.id for update of c`);

/** The entries of a file as rows. */
const given = (entries: readonly EntryFields[]): Sql => sql`
  jsonb_to_recordset(${json(entries.map((entry, index) => ({ place: entries.length - index, ...entry })))}::jsonb)
    as n (id bigint, place integer, kind text, category text, provider text, title text, "titleKo" text,
      description text, "descriptionKo" text, points bigint, minutes integer, url text, steps jsonb,
      "isEnabled" boolean, "expiresAt" timestamptz)`;

/** Adds entries above the others of their kinds, the first one on top. */
export const insertEntries = (tx: Tx, entries: readonly EntryFields[]) =>
  tx.rows(sql`
    insert into earning.catalogue (kind, category, provider, title, title_ko, description, description_ko, points,
      minutes, url, steps, is_enabled, expires_at, position)
    select n.kind, n.category, n.provider, n.title, n."titleKo", n.description, n."descriptionKo", n.points,
      n.minutes, n.url, n.steps, n."isEnabled", n."expiresAt", coalesce(o.highest, 0) + n.place * ${GAP}::bigint
    from ${given(entries)}
    left join (select kind, max(position) as highest from earning.catalogue where deleted_at is null group by kind) o
      on o.kind = n.kind`);

export const updateEntries = (tx: Tx, entries: readonly (EntryFields & { id: bigint })[]) =>
  tx.rows(sql`
    update earning.catalogue c set kind = n.kind, category = n.category, provider = n.provider, title = n.title,
      title_ko = n."titleKo", description = n.description, description_ko = n."descriptionKo", points = n.points,
      minutes = n.minutes, url = n.url, steps = n.steps, is_enabled = n."isEnabled", expires_at = n."expiresAt"
    from ${given(entries)} where c.id = n.id`);
