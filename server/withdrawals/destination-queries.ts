import { type Reader, sql } from '#platform/database.ts';

/** The statements of the destinations that members used. `withdrawals.use_destination` keeps them. */

export type MemberDestination = {
  id: string;
  method: string;
  destination: string;
  firstUsedAt: Date;
  holdUntil: Date | null;
};

const ROWS_MAX = 200;

export const readDestinations = (reader: Reader, memberId: number) =>
  reader.rows<MemberDestination>(sql`
    select id, method, destination, first_used_at as "firstUsedAt",
      case when hold_until > platform.business_now() then hold_until end as "holdUntil"
    from withdrawals.destinations where member_id = ${memberId} and removed_at is null
    order by first_used_at desc, id limit ${ROWS_MAX}`);

export const removeDestination = (reader: Reader, memberId: number, id: string) =>
  reader.row<{ id: string }>(sql`
    update withdrawals.destinations set removed_at = platform.business_now()
    where id = ${id} and member_id = ${memberId} and removed_at is null returning id`);
