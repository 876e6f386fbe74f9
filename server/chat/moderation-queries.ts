import type { BanDuration } from '#contract/chat-moderation.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of banned words and of bans, for operators. */

export type WordRow = {
  id: bigint;
  word: string;
  createdAt: Date;
  firstName: string | null;
  lastName: string | null;
  blockedCount: bigint;
};

/** The days over which the messages are counted that a word stopped, today among them. */
const COUNTED_DAYS = 30;

export const wordColumns = sql`w.id, w.word, w.created_at as "createdAt", o.first_name as "firstName",
  o.last_name as "lastName", (
    select coalesce(sum(d.blocked), 0)::bigint from chat.word_days d
    where d.word_id = w.id and d.day > platform.site_day(platform.business_now()) - ${COUNTED_DAYS}::integer
  ) as "blockedCount"`;
export const wordJoins = sql`
  left join members.profiles o on o.id = w.created_by and o.deleted_at is null`;

export const findWord = (reader: Reader, id: bigint) =>
  reader.row<WordRow>(sql`select ${wordColumns} from chat.words w ${wordJoins} where w.id = ${id}`);

/** Adds a word, unless one is there that reads alike; undefined then. */
export const insertWord = (tx: Tx, { word, readAs }: { word: string; readAs: string }, operatorId: number) =>
  tx.row<{ id: bigint }>(sql`
    insert into chat.words (word, read_as, created_at, created_by)
    values (${word}, ${readAs}, platform.business_now(), ${operatorId})
    on conflict (read_as) do nothing
    returning id`);

export const findWordReadAs = (reader: Reader, readAs: string) =>
  reader.row<Pick<WordRow, 'word' | 'createdAt'>>(
    sql`select word, created_at as "createdAt" from chat.words where read_as = ${readAs}`,
  );

export const removeWord = (tx: Tx, id: bigint) =>
  tx.row<Pick<WordRow, 'word'>>(sql`delete from chat.words where id = ${id} returning word`);

export type BanRow = {
  id: bigint;
  memberId: number;
  firstName: string;
  lastName: string | null;
  email: string;
  isDeleted: boolean;
  reason: string;
  duration: BanDuration;
  expiresAt: Date | null;
  isActive: boolean;
  createdAt: Date;
  liftedAt: Date | null;
};

export const isActive = sql`members.is_in_force(b.lifted_at, b.expires_at)`;

export const banColumns = sql`b.id, b.member_id as "memberId", m.first_name as "firstName",
  m.last_name as "lastName", m.email, m.deleted_at is not null as "isDeleted", b.reason, b.duration,
  b.expires_at as "expiresAt", ${isActive} as "isActive", b.created_at as "createdAt", b.lifted_at as "liftedAt"`;
export const banJoins = sql`join members.profiles m on m.id = b.member_id`;

export const findBan = (reader: Reader, id: bigint) =>
  reader.row<BanRow>(sql`select ${banColumns} from chat.bans b ${banJoins} where b.id = ${id}`);

export const findMember = (reader: Reader, memberId: number) =>
  reader.one<{ role: 'user' | 'admin' | 'banned'; isDeleted: boolean }>(sql`
    select role, deleted_at is not null as "isDeleted" from members.profiles where id = ${memberId}`);

export type NewBan = { memberId: number; reason: string; duration: BanDuration; operatorId: number };

/** Adds a ban, unless one is active; undefined then. The caller holds the lock on the member's wallet. */
export const insertBan = (tx: Tx, { memberId, reason, duration, operatorId }: NewBan) =>
  tx.row<{ id: bigint; expiresAt: Date | null }>(sql`
    insert into chat.bans (member_id, reason, duration, created_at, created_by, expires_at)
    select ${memberId}, ${reason}, ${duration}, now, ${operatorId},
      case ${duration}::text when '1day' then now + interval '1 day' when '7days' then now + interval '7 days' end
    from platform.business_now() now
    where not exists (select from chat.bans b where b.member_id = ${memberId} and ${isActive})
    returning id, expires_at as "expiresAt"`);

/** Lifts a ban that is active; undefined if it ended before. */
export const endBan = (tx: Tx, id: bigint, operatorId: number) =>
  tx.row<{ memberId: number }>(sql`
    update chat.bans b set lifted_at = platform.business_now(), lifted_by = ${operatorId}
    where b.id = ${id} and ${isActive}
    returning b.member_id as "memberId"`);
