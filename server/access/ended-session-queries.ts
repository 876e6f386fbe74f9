import { type Reader, sql } from '#platform/database.ts';

/** SQL of access: whose sessions ended lately. The trigger of the sessions writes the rows. */

/** Whose sessions ended in the last `keptSeconds`, in no order; null stands for all members. Deletes what is older. */
export const readEndedSessions = (reader: Reader, keptSeconds: number) =>
  reader.rows<{ number: bigint; memberId: number | null }>(sql`
    with old as (
      delete from access.ended_sessions where ended_at < clock_timestamp() - 2 * ${keptSeconds} * interval '1 second')
    select number, member_id as "memberId" from access.ended_sessions
    where ended_at >= clock_timestamp() - ${keptSeconds} * interval '1 second'`);
