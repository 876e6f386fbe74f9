import * as contract from '#contract/claims.ts';
import { memberKey } from '#platform/http/admission.ts';
import { handle } from '#platform/http/handle.ts';
import type { Limit } from '#platform/http/limits.ts';
import type { Platform } from '#platform/platform.ts';
import { fileClaim, readClaimable, readClaims } from './claims.ts';

/** The claims that a member may file. Each waits for an operator. */
export const filedClaims: Limit = { name: 'claims', max: 10, perS: 3_600, scaledIn: 'sandbox' };

/** HTTP for members: filing and reading claims, and what may be claimed. */
export function claimsRoutes(platform: Platform): void {
  handle(platform, contract.readClaims, ({ caller }) => readClaims(platform, caller.id));
  handle(platform, contract.readClaimable, ({ caller }) => readClaimable(platform, caller.id));
  handle(platform, contract.fileClaim, ({ caller, body }) => fileClaim(platform, caller.id, body), {
    limits: [{ limit: filedClaims, by: ({ caller }) => memberKey(caller.id) }],
  });
}
