import * as contract from '#contract/support.ts';
import * as replies from '#contract/support-replies.ts';
import { handle } from '#platform/http/handle.ts';
import { handleOperatorList } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import type { OperatorRow } from './queries.ts';
import { changeReply, createReply, readReplies, removeReply } from './replies.ts';
import { changeTicketStatus, operatorTicketOf, readTicketFigures, respondToTicket } from './support.ts';
import { ticketList } from './ticket-list.ts';

/**
 * HTTP for operators: the list of tickets, responses and statuses, at the URLs of both operator screens, and canned
 * replies.
 */
export function supportAdminRoutes(platform: Platform): void {
  for (const endpoint of [contract.readTicketQueue, contract.readSimpleTicketQueue])
    handleOperatorList(platform, {
      endpoint,
      source: ticketList,
      toReply: (row: OperatorRow) => operatorTicketOf(platform, row),
    });
  handle(platform, contract.readTicketFigures, () => readTicketFigures(platform));
  handle(platform, contract.respondToTicket, ({ caller, params, body, idempotencyKey: key }) =>
    respondToTicket(platform, caller.id, params.id, { ...body, key }),
  );
  handle(platform, contract.resolveTicket, ({ caller, params, body, idempotencyKey: key }) =>
    respondToTicket(platform, caller.id, params.id, { ...body, status: 'resolved', key }),
  );
  for (const change of [contract.changeTicketStatus, contract.changeSimpleTicketStatus])
    handle(platform, change, ({ caller, params, body }) =>
      changeTicketStatus(platform, caller.id, params.id, body.status),
    );
  replyRoutes(platform);
}

function replyRoutes(platform: Platform): void {
  const { database } = platform;
  handle(platform, replies.readReplies, () => readReplies(database));
  handle(platform, replies.createReply, ({ caller, body }) => createReply(database, caller.id, body));
  handle(platform, replies.changeReply, ({ caller, params, body }) =>
    changeReply(database, caller.id, BigInt(params.id), body),
  );
  handle(platform, replies.removeReply, async ({ caller, params }) => {
    await removeReply(database, caller.id, BigInt(params.id));
    return null;
  });
}
