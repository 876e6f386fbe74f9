import * as contract from '#contract/notices.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { markNoticesRead, readNotices } from './notices.ts';

/** HTTP for members: their notices. */
export function noticesRoutes(platform: Platform): void {
  handle(platform, contract.readNotices, ({ caller, query }) => readNotices(platform, caller.id, query));
  handle(platform, contract.markNoticesRead, async ({ caller, body }) => {
    await markNoticesRead(platform.database, caller.id, BigInt(body.upTo));
    return null;
  });
}
