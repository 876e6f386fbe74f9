import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of the walls that members opened. `functions-openings.sql` says what became of them. */

/** The browser and the address from which a wall was opened. */
export type OpenedFrom = { userAgent: string; address: string };

export const insertOpening = (reader: Reader, memberId: number, provider: string, from: OpenedFrom | null) =>
  reader.rows(sql`
    insert into earning.openings (member_id, provider, opened_at, user_agent, address)
    values (${memberId}, ${provider}, platform.business_now(), left(${from?.userAgent ?? null}::text, 500),
      ${from?.address ?? null}::inet)`);

/** Removes from where the walls of an account were opened that this transaction is about to anonymise. */
export const forgetOpenings = (tx: Tx, memberId: number) =>
  tx.rows(sql`select earning.forget_openings(${memberId})`);

/** Removes from where walls were opened too long ago. Returns of how many, at most `rowsMax`. */
export const removeOldDevices = async (reader: Reader, rowsMax: number): Promise<bigint> =>
  (await reader.one<{ removed: bigint }>(sql`select earning.remove_old_devices(${rowsMax}) as removed`))
    .removed;

export type OpeningRow = {
  id: bigint;
  provider: string;
  openedAt: Date;
  userAgent: string | null;
  address: string | null;
};

/** Reads a member's openings of walls with ids above `afterId`, oldest first. */
export const readOpeningsAfter = (reader: Reader, memberId: number, afterId: bigint, limit: number) =>
  reader.rows<OpeningRow>(sql`
    select id, provider, opened_at as "openedAt", user_agent as "userAgent", host(address) as address
    from earning.openings
    where member_id = ${memberId} and id > ${afterId} order by id limit ${limit}`);
