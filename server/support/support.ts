import type { OperatorTicket, Ticket, TicketPriority, TicketStatus } from '#contract/support.ts';
import type { Reader } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import * as queries from './queries.ts';

/**
 * Support: a member asks, operators respond and say how far the matter is. Every ticket has a channel of its own from
 * the moment it is opened, for the conversation about it; what is said there is chat's.
 *
 * What always holds: what a member wrote and what an operator responded is never changed or lost. A ticket shows its
 * latest response together with the status that came with it or after it, whoever responds at the same moment. Any of
 * the four statuses may follow any other: a closed ticket can be opened again. A member sees their own tickets alone.
 */

/** How many of a member's tickets are listed, the newest ones. */
export const MEMBER_TICKETS_MAX = 200;

type Question = { subject: string; message: string; priority?: TicketPriority };

/** Opens a ticket. Members choose no priority: theirs is medium. */
export async function openTicket(reader: Reader, memberId: number, question: Question): Promise<Ticket> {
  return shown(await queries.insertTicket(reader, memberId, { priority: 'medium', ...question }));
}

/** The member's newest tickets, newest first. */
export async function readTickets(
  { database }: Pick<Platform, 'database'>,
  memberId: number,
): Promise<Ticket[]> {
  return (await queries.readNewestOf(database, memberId, MEMBER_TICKETS_MAX)).map(shown);
}

/**
 * Responds to a ticket and sets its status, in one transaction.
 * @throws Refusal `not-found`
 */
export function respondToTicket(
  { database }: Pick<Platform, 'database'>,
  operatorId: number,
  id: string,
  { response, status }: { response: string; status: TicketStatus },
): Promise<OperatorTicket> {
  return database.transaction(async (tx) => {
    await queries.insertResponse(tx, id, { operatorId, response, status });
    return find(tx, id);
  });
}

/** @throws Refusal `not-found` */
export function changeTicketStatus(
  { database }: Pick<Platform, 'database'>,
  id: string,
  status: TicketStatus,
): Promise<OperatorTicket> {
  return database.transaction(async (tx) => {
    await queries.setStatus(tx, id, status);
    return find(tx, id);
  });
}

async function find(reader: Reader, id: string): Promise<OperatorTicket> {
  const row = await queries.findTicket(reader, id);
  if (row === undefined) throw refuse('not-found');
  return shownToOperator(row);
}

const shown = (row: queries.TicketRow): Ticket => ({
  id: row.id,
  subject: row.subject,
  message: row.message,
  status: row.status,
  priority: row.priority,
  createdAt: row.createdAt.toISOString(),
  adminResponse: row.response,
  channelId: String(row.channelId),
});

/** A ticket as operators see it. */
export const shownToOperator = (row: queries.OperatorRow): OperatorTicket => ({
  ...shown(row),
  userId: String(row.memberId),
  userEmail: row.email,
});
