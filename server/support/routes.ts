import * as contract from '#contract/support.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { openTicket, readTickets } from './support.ts';

/** HTTP for members: opening and reading tickets. */
export function supportRoutes(platform: Platform): void {
  handle(platform, contract.readTickets, ({ caller }) => readTickets(platform, caller.id));
  handle(platform, contract.openTicket, ({ caller, body }) => openTicket(platform, caller.id, body));
}
