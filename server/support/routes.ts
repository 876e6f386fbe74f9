import * as contract from '#contract/support.ts';
import { memberKey } from '#platform/http/admission.ts';
import { handle } from '#platform/http/handle.ts';
import type { Limit } from '#platform/http/limits.ts';
import type { Platform } from '#platform/platform.ts';
import { openTicket, type RequireOwnRecord, readTickets, resolveOwnTicket } from './support.ts';

/** The tickets that a member may open. Each waits for an operator. */
export const openedTickets: Limit = { name: 'tickets', max: 10, perS: 3_600, scaledIn: 'sandbox' };

/** HTTP for members: opening and reading tickets. */
export function supportRoutes(platform: Platform, requireOwn: RequireOwnRecord): void {
  handle(platform, contract.readTickets, ({ caller }) => readTickets(platform, caller.id));
  handle(platform, contract.resolveOwnTicket, ({ caller, params }) =>
    resolveOwnTicket(platform, caller.id, params.id),
  );
  handle(
    platform,
    contract.openTicket,
    async ({ caller, body, idempotencyKey }) => {
      const { subjectKind, subjectId } = body;
      if (subjectKind !== undefined && subjectId !== undefined)
        await requireOwn[subjectKind](caller.id, subjectId);
      return openTicket(platform, caller.id, body, idempotencyKey);
    },
    { limits: [{ limit: openedTickets, by: ({ caller }) => memberKey(caller.id) }] },
  );
}
