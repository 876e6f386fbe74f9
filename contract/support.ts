import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { text, time, uuid } from './fields.ts';
import { operatorList } from './operator-list.ts';

/** Support tickets and operators' responses. */

export const ticketStatus = z.enum(['open', 'in_progress', 'resolved', 'closed']);
export type TicketStatus = z.infer<typeof ticketStatus>;
export const ticketPriority = z.enum(['urgent', 'high', 'medium', 'low']);
export type TicketPriority = z.infer<typeof ticketPriority>;

/** What a member asks about. */
export const ticketCategory = z.enum(['credit', 'withdrawal', 'chargeback', 'account']);
export type TicketCategory = z.infer<typeof ticketCategory>;
/** The kinds of records that a ticket can be about. */
export const ticketSubjectKind = z.enum(['withdrawal', 'chargeback']);
export type TicketSubjectKind = z.infer<typeof ticketSubjectKind>;

/** What stands between the messages of a ticket's conversation. */
const ticketEvent = z.object({
  /** A member begins to wait for an answer by `asked`: at the opening, and after an answer. */
  kind: z.enum(['asked', 'resolved', 'closed', 'reopened']),
  at: time,
  /** What was promised then; null if nobody waited. */
  answerBy: time.nullable(),
});
export type TicketEvent = z.infer<typeof ticketEvent>;

export const ticket = z.object({
  id: z.string(),
  subject: z.string(),
  message: z.string(),
  status: ticketStatus,
  priority: ticketPriority,
  createdAt: time,
  /** The latest response. */
  adminResponse: z.string().nullable(),
  /** The channel of the conversation about this ticket. */
  channelId: z.string(),
  /** When an operator answers at the latest; null while the member waits for nothing. */
  answerBy: time.nullable(),
  /** Whether this time has passed by the site's clock. */
  isLate: z.boolean(),
  /** The time of the first response. */
  answeredAt: time.nullable(),
  /** The opening, and the newest 50 since, oldest first. */
  events: z.array(ticketEvent),
  category: ticketCategory.nullable(),
  /** The member's record that it is about. */
  subjectKind: ticketSubjectKind.nullable(),
  subjectId: z.string().nullable(),
});
export type Ticket = z.infer<typeof ticket>;

export const operatorTicket = ticket.extend({
  userId: z.string(),
  userName: z.string(),
  userEmail: z.string(),
  /** The operator of the latest response by id and name, and its time. Members never see them. */
  responderId: z.string().nullable(),
  respondedBy: z.string().nullable(),
  respondedAt: time.nullable(),
});
export type OperatorTicket = z.infer<typeof operatorTicket>;

const ticketParams = z.object({ id: uuid });

export const readTickets = endpoint({
  method: 'GET',
  path: '/api/support/tickets',
  summary: 'The member’s tickets, newest first, at most 200',
  access: 'member',
  topic: 'tickets',
  reply: z.array(ticket),
  whileSuspended: true,
});

export const openTicket = endpoint({
  method: 'POST',
  path: '/api/support/tickets',
  summary: 'Open a ticket',
  access: 'member',
  refreshes: ['tickets'],
  body: z
    .strictObject({
      subject: text(200, 'Subject is required'),
      message: text(5_000, 'Message is required'),
      category: ticketCategory.optional(),
      subjectKind: ticketSubjectKind.optional(),
      subjectId: text(64).optional(),
    })
    .refine(({ subjectKind, subjectId }) => (subjectKind === undefined) === (subjectId === undefined), {
      path: ['subjectId'],
      message: 'A record has a kind and an id',
    }),
  status: 201,
  reply: ticket,
  refusals: ['not-found'],
  whileSuspended: true,
  idempotent: true,
});

export const resolveOwnTicket = endpoint({
  method: 'POST',
  path: '/api/support/tickets/:id/resolve',
  summary: 'Say that one’s own ticket is solved; writing into its channel opens it again',
  access: 'member',
  refreshes: ['tickets'],
  params: ticketParams,
  reply: ticket,
  refusals: ['not-found'],
  whileSuspended: true,
});

const response = text(5_000, 'Response is required');
/** `seq` of the newest message that the operator saw, 0 for none. Without it all count as seen. */
const seenSeq = z
  .number()
  .int('Must be a whole number')
  .min(0, 'Must not be negative')
  .max(1e15, 'Too many')
  .optional();
const statusBody = z.strictObject({ status: ticketStatus });

/** The operators' list and the change of a status have two URLs, one for each of the two operator screens. */
const ticketQueue = (path: string) =>
  operatorList({
    path,
    summary: 'All members’ tickets, newest first',
    topic: 'tickets',
    row: operatorTicket,
    csvRow: operatorTicket.omit({ events: true }),
    // By `answerBy`, the longest wait is first, then the priority, and the tickets on which nobody waits are last.
    sorts: ['createdAt', 'answerBy'],
    defaultSort: '-createdAt',
    filters: {
      // Unsolved are those that are open or in progress.
      status: { kind: 'choice', choices: ['unsolved', ...ticketStatus.options] },
      priority: { kind: 'choice', choices: ticketPriority.options },
    },
    searches: ['id', 'userId', 'userName', 'userEmail'],
  });
export const readTicketQueue = ticketQueue('/api/admin/support/tickets');
export const readSimpleTicketQueue = ticketQueue('/api/admin/support-tickets');

export const readTicketFigures = endpoint({
  method: 'GET',
  path: '/api/admin/support/figures',
  summary: 'How many tickets wait, and how the tickets of the last 30 days were answered',
  access: 'operator',
  topic: 'tickets',
  reply: z.object({
    /** Tickets on which a member waits, and those of them whose promised time has passed; each at most 1,000. */
    waiting: z.number(),
    late: z.number(),
    /** From the opening to the first response; null without one. */
    firstAnswerMedianMinutes: z.number().nullable(),
    /** Resolved tickets with one response that the member never opened again, of all resolved ones. */
    resolvedAtOnce: z.object({ resolved: z.number(), of: z.number() }),
  }),
});

export const respondToTicket = endpoint({
  method: 'POST',
  path: '/api/admin/support/tickets/:id/respond',
  summary: 'Respond to a ticket and set its status',
  access: 'operator',
  act: 'ticket.respond',
  refreshes: ['tickets', 'messages'],
  params: ticketParams,
  body: z.strictObject({ response, status: ticketStatus, seenSeq }),
  reply: operatorTicket,
  refusals: ['not-found', 'outcome-changed'],
  idempotent: true,
});

export const resolveTicket = endpoint({
  method: 'POST',
  path: '/api/admin/support-tickets/:id/respond',
  summary: 'Respond to a ticket, which resolves it',
  access: 'operator',
  act: 'ticket.respond',
  refreshes: ['tickets', 'messages'],
  params: ticketParams,
  body: z.strictObject({ response, seenSeq }),
  reply: operatorTicket,
  refusals: ['not-found', 'outcome-changed'],
  idempotent: true,
});

const statusChange = (path: string) =>
  endpoint({
    method: 'PATCH',
    path,
    summary: 'Set a ticket’s status',
    access: 'operator',
    act: 'ticket.change-status',
    refreshes: ['tickets'],
    params: ticketParams,
    body: statusBody,
    reply: operatorTicket,
    refusals: ['not-found'],
  });
export const changeTicketStatus = statusChange('/api/admin/support/tickets/:id/status');
export const changeSimpleTicketStatus = statusChange('/api/admin/support-tickets/:id/status');
