import type { CannedReply } from '#contract/support-replies.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of canned replies. */

export type ReplyRow = Omit<CannedReply, 'id'> & { id: bigint };
export type ReplyTexts = Omit<CannedReply, 'id'>;

const fields = sql`id, title, text_en as "textEn", text_ko as "textKo"`;

export const listReplies = (reader: Reader, limit: number) =>
  reader.rows<ReplyRow>(sql`select ${fields} from support.replies order by title limit ${limit}`);

/** No row if the title is another reply's. */
export const insertReply = (tx: Tx, { title, textEn, textKo }: ReplyTexts) =>
  tx.row<ReplyRow>(sql`
    insert into support.replies (title, text_en, text_ko) values (${title}, ${textEn}, ${textKo})
    on conflict (title) do nothing returning ${fields}`);

export const lockReply = (tx: Tx, id: bigint) =>
  tx.row<ReplyRow>(sql`select ${fields} from support.replies where id = ${id} for update`);

/** No row if the title is another reply's. */
export const changeReply = (tx: Tx, id: bigint, { title, textEn, textKo }: ReplyTexts) =>
  tx.row<ReplyRow>(sql`
    update support.replies set title = ${title}, text_en = ${textEn}, text_ko = ${textKo}
    where id = ${id} and not exists (select from support.replies o where o.title = ${title} and o.id <> ${id})
    returning ${fields}`);

export const deleteReply = (tx: Tx, id: bigint) =>
  tx.row<ReplyTexts>(sql`
    delete from support.replies where id = ${id}
    returning title, text_en as "textEn", text_ko as "textKo"`);
