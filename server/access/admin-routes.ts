import * as contract from '#contract/access-registration-reviews.ts';
import { handle } from '#platform/http/handle.ts';
import { handleOperatorList } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { registrationReviewList } from './registration-review-list.ts';
import { decideRegistration, readReviewDetails } from './registration-reviews.ts';

/** HTTP for operators: registrations that wait for a decision. */
export function accessAdminRoutes(platform: Platform): void {
  handleOperatorList(platform, registrationReviewList);
  handle(platform, contract.readRegistrationReview, ({ caller, params }) =>
    readReviewDetails(platform, BigInt(params.id), caller.id),
  );
  handle(platform, contract.approveRegistration, ({ caller, params, body }) =>
    decideRegistration(platform, {
      id: BigInt(params.id),
      status: 'approved',
      operatorId: caller.id,
      reason: body?.reason ?? null,
      overturns: body?.overturns ?? false,
    }),
  );
  handle(platform, contract.rejectRegistration, ({ caller, params, body }) =>
    decideRegistration(platform, {
      id: BigInt(params.id),
      status: 'rejected',
      operatorId: caller.id,
      reason: body.reason,
      overturns: false,
    }),
  );
}
