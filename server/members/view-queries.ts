import type { SavedView } from '#contract/members-views.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/** The statements of saved views. Each names the operator whose views they are. */

export type ViewRow = Omit<SavedView, 'id'> & { id: bigint };

const fields = sql`id, screen, name, query`;

/** Reads an operator's views of all screens, the oldest first. */
export const readViews = (reader: Reader, operatorId: number) =>
  reader.rows<ViewRow>(sql`
    select ${fields} from members.views where member_id = ${operatorId} order by id limit 1000`);

/** Reads an operator's views of one screen. */
export const readViewsOf = (tx: Tx, operatorId: number, screen: string) =>
  tx.rows<ViewRow>(sql`
    select ${fields} from members.views where member_id = ${operatorId} and screen = ${screen} limit 100`);

export const insertView = (tx: Tx, operatorId: number, { screen, name, query }: Omit<SavedView, 'id'>) =>
  tx.one<ViewRow>(sql`
    insert into members.views (member_id, screen, name, query)
    values (${operatorId}, ${screen}, ${name}, ${query}) returning ${fields}`);

export const changeView = (tx: Tx, operatorId: number, id: bigint, query: string) =>
  tx.one<ViewRow>(sql`
    update members.views set query = ${query} where id = ${id} and member_id = ${operatorId} returning ${fields}`);

export const deleteView = (tx: Tx, operatorId: number, id: bigint) =>
  tx.row<ViewRow>(sql`
    delete from members.views where id = ${id} and member_id = ${operatorId} returning ${fields}`);
