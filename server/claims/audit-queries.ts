import { type Reader, sql } from '#platform/database.ts';
import { type BooksDifference, DIFFERENCES_MAX } from '../ledger/ledger.ts';

/**
 * SQL of the audit of claims. Operators decide about each, so they are few. A booked claim is deleted three years after
 * its grant was given. The key of a grant names the claim in former releases, and its opening since.
 */
export const readGrantDifferences = (reader: Reader) =>
  reader.rows<BooksDifference>(sql`
    with booked as (
      select c.* from claims.claims c where c.state = 'booked'
    ), given as (
      select g.* from grants.given_to_claims g
      where g.created_at >= platform.business_now() - interval '3 years'
        or exists (select from booked b where b.grant_id = g.id)
    )
    select 'claims' as "check", coalesce('claim ' || c.id, 'grant ' || g.id) as subject,
      coalesce('grant ' || concat_ws(' ', g.id, g.request_key, g.member_id, g.amount_points, g.state), 'no grant')
        as expected,
      coalesce('booked ' || concat_ws(' ', c.id, c.opening_id, c.member_id, c.amount_points), 'no booked claim')
        as actual
    from booked c full join given g on g.id = c.grant_id
    where ((g.member_id, g.amount_points, g.state) = (c.member_id, c.amount_points, 'completed')
      and g.request_key in ('claim:' || c.id, 'claim-opening:' || c.opening_id)) is not true
    limit ${DIFFERENCES_MAX}`);
