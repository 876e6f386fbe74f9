import { readRegistrationReviews } from '#contract/access-registration-reviews.ts';
import { sql } from '#platform/database.ts';
import type { OperatorListBinding } from '#platform/http/operator-list.ts';
import * as queries from './registration-review-queries.ts';
import { reviewOf, storedStatuses } from './registration-reviews.ts';

/** The operators' list of registrations that wait, or that were decided. */
export const registrationReviewList: OperatorListBinding<typeof readRegistrationReviews, queries.ReviewRow> =
  {
    endpoint: readRegistrationReviews,
    toReply: reviewOf,
    source: {
      table: sql`access.registration_reviews`,
      alias: sql`r`,
      key: sql`r.id`,
      withId: ({ rowId }) => sql`r.id = ${rowId}::bigint`,
      columns: queries.reviewColumns,
      joins: queries.reviewJoins,
      sorts: { createdAt: [sql`r.id`] },
      filters: {
        status: (status) => sql`r.status = ${storedStatuses[status]}`,
        clock: (clock) =>
          clock === 'overdue'
            ? sql`r.status = 'open' and ${queries.isOverdue}`
            : sql`r.status = 'open' and not ${queries.isOverdue}`,
      },
      search: ({ text, lowerCasePrefix, rowId }) => sql`
        select id from access.registration_reviews where id = ${rowId}::bigint
        union all select id from access.registration_reviews where email like ${lowerCasePrefix}
        union all select id from access.registration_reviews where facts->>'address' = ${text}`,
    },
  };
