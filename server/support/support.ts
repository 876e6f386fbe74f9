import type { Act } from '#contract/acts.ts';
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts';
import { fullNameOf } from '#contract/full-name.ts';
import type { Message } from '#contract/message.ts';
import type {
  OperatorTicket,
  openTicket as openEndpoint,
  readTicketFigures as readFigures,
  Ticket,
  TicketEvent,
  TicketPriority,
  TicketStatus,
  TicketSubjectKind,
} from '#contract/support.ts';
import { changedFields, recordActs } from '#platform/audit-trail.ts';
import type { Reader, Tx } from '#platform/database.ts';
import type { SearchTerms } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { removeInPieces } from '#platform/retention.ts';
import { announceMessage, findFirstWrittenAfter, hasWrittenBehind, writeResponse } from '../chat/chat.ts';
import { promisedAt } from './promise.ts';
import * as queries from './queries.ts';

/**
 * Support: members open tickets, operators respond and set the status. Each ticket gets a channel id when it is opened,
 * for a conversation about it.
 *
 * Invariants: tickets' texts and responses never change, and are deleted only by age. A ticket shows its latest
 * response with a status that was set with it or later, also when two operators respond at the same time. Any of the
 * four statuses may follow any other, so a closed ticket can be opened again. A member sees only their own tickets.
 * Each response is also a message of the ticket's channel, written in its transaction. A member who writes there opens
 * the ticket again. A ticket waits from its opening, and from a message of its member after a response, until it gets
 * a response or is resolved or closed. The promised time of the answer follows from the beginning of the wait alone.
 * Each wait after the first, each end and each reopening is an event of the ticket, which a trigger notes.
 */

/** A member's list has at most this many of the newest tickets. */
const MEMBER_TICKETS_MAX = 200;
const COUNTED_TICKETS_MAX = 1_000;

type SupportParts = Pick<Platform, 'database' | 'bus' | 'config'>;
type Zone = Pick<Platform, 'config'>;

type Question = BodyOf<typeof openEndpoint> & { priority?: TicketPriority };

/** Refuses a record that is not the member's own with `not-found`. Their features know. */
export type RequireOwnRecord = Record<TicketSubjectKind, (memberId: number, id: string) => Promise<unknown>>;

/**
 * Opens a ticket and announces it, once for each key. Members can't choose its priority: it is high if it is about a
 * withdrawal, else medium.
 * @throws Refusal `idempotency-mismatch` if the key made another ticket
 */
export async function openTicket(
  platform: SupportParts,
  memberId: number,
  question: Question,
  key: string | null = null,
): Promise<Ticket> {
  const { database } = platform;
  const { category = null, subjectKind = null, subjectId = null, priority: asked, ...texts } = question;
  const isOfWithdrawal = category === 'withdrawal' || subjectKind === 'withdrawal';
  const priority = asked ?? (isOfWithdrawal ? 'high' : 'medium');
  const given = { ...texts, priority, category, subjectKind, subjectId };
  const inserted = await queries.insertTicket(database, memberId, given, key);
  const row = inserted ?? (await queries.findTicketOfKey(database, memberId, key));
  if (row.subject !== given.subject || row.message !== given.message) throw refuse('idempotency-mismatch');
  announceTicket(platform, memberId, row.id);
  return ticketOf(platform, row);
}

/** Reads the member's newest tickets, newest first. */
export async function readTickets(
  platform: Pick<Platform, 'database' | 'config'>,
  memberId: number,
): Promise<Ticket[]> {
  const rows = await queries.readNewestOf(platform.database, memberId, MEMBER_TICKETS_MAX);
  return rows.map((row) => ticketOf(platform, row));
}

/** Resolves the member's own ticket. A closed one stays closed. @throws Refusal `not-found` */
export async function resolveOwnTicket(
  platform: SupportParts,
  memberId: number,
  id: string,
): Promise<Ticket> {
  const { database } = platform;
  if ((await queries.resolveOwn(database, id, memberId)) === undefined) throw refuse('not-found');
  announceTicket(platform, memberId, id);
  return ticketOf(platform, await queries.readOwn(database, id, memberId));
}

/** Locks the member's ticket of a channel, in whose transaction a message is written; undefined if there is none. */
export const lockTicketOf = async (
  tx: Tx,
  channelId: bigint,
  memberId: number,
): Promise<string | undefined> => (await queries.lockTicketOfChannel(tx, channelId, memberId))?.id;

/** Lets a ticket wait for an answer because its member wrote into it. A resolved or closed one is open again. */
export const reopenTicket = async (tx: Tx, id: string): Promise<void> => {
  await queries.reopen(tx, id);
};

/** Counts the open tickets, at most 1,000: more than anybody answers, and few enough to count again and again. */
export const countOpenTickets = async ({ database }: Pick<Platform, 'database'>): Promise<number> =>
  Number((await queries.countOpen(database, COUNTED_TICKETS_MAX)).count);

/** The open tickets as something that waits for an operator. */
export async function readTicketsWait(platform: Pick<Platform, 'database'>) {
  const [count, oldest] = await Promise.all([
    countOpenTickets(platform),
    queries.findOldestOpen(platform.database),
  ]);
  return { count, points: null, oldestAt: oldest?.createdAt ?? null };
}

/** How many tickets wait, how many of them too long, and how those of the last 30 days were answered. */
export async function readTicketFigures({
  database,
  config,
}: Pick<Platform, 'database' | 'config'>): Promise<ReplyOf<typeof readFigures>> {
  const [waits, answers] = await Promise.all([
    queries.readLongestWaits(database, COUNTED_TICKETS_MAX),
    queries.readAnswers(database, COUNTED_TICKETS_MAX),
  ]);
  const isLate = ({ since, now }: { since: Date; now: Date }) =>
    (promisedAt(since, config.siteTimezone) as Date) < now;
  return {
    waiting: waits.length,
    late: waits.filter(isLate).length,
    firstAnswerMedianMinutes: answers.medianMinutes,
    resolvedAtOnce: { resolved: Number(answers.atOnce), of: Number(answers.resolved) },
  };
}

/** A member's newest tickets, newest first, before a decision about the member's points. */
export const listNewestTickets = async (reader: Reader, memberId: number, limit: number) =>
  (await queries.listTicketsBefore(reader, memberId, null, limit)).map(({ id, status, createdAt }) => ({
    id,
    status,
    createdAt,
  }));

/** Finds the ticket with an id, for operators. */
export async function searchTickets(
  reader: Reader,
  { uuid }: SearchTerms,
): Promise<Pick<queries.TicketRow, 'id' | 'subject' | 'status'>[]> {
  const ticket = uuid === null ? undefined : await queries.findSubject(reader, uuid);
  return ticket === undefined ? [] : [ticket];
}

type Response = {
  response: string;
  status: TicketStatus;
  /** The place of the newest message that the operator saw; all are counted as seen without it. */
  seenSeq?: number | undefined;
  /** A response is written once for each key of its operator. */
  key?: string | null;
};

/**
 * Responds to a ticket and sets its status, in one transaction. Announces the ticket to its member.
 * @throws Refusal `not-found`; `outcome-changed` if the member wrote what the operator did not see;
 *   `idempotency-mismatch` if the key made another response
 */
export const respondToTicket = (
  platform: SupportParts,
  operatorId: number,
  id: string,
  { response, status, seenSeq, key = null }: Response,
): Promise<OperatorTicket> =>
  changeTicket(
    platform,
    { id, operatorId, act: 'ticket.respond', change: { response, status }, key },
    async (tx, ticket) => {
      // A message of the member locks the ticket first, so none comes in between.
      if (seenSeq !== undefined && (await hasWrittenBehind(tx, ticket, seenSeq)))
        throw refuse('outcome-changed', 'The member has written meanwhile.');
      // First the message, so that what the status means stands behind it.
      const message = await writeResponse(tx, operatorId, ticket.channelId, response);
      await queries.insertResponse(tx, id, { operatorId, response, status, key });
      return message;
    },
  );

/** Since when a ticket is unanswered: its beginning, or the member's first message after the latest response. */
async function findUnansweredSince(tx: Tx, id: string, ticket: queries.LockedTicket): Promise<Date | null> {
  const latest = await queries.findLatestResponse(tx, id);
  return latest === undefined ? ticket.createdAt : findFirstWrittenAfter(tx, ticket, latest.at);
}

/**
 * Sets the status of a ticket and announces the ticket to its member. One that is opened again waits since what is
 * unanswered.
 * @throws Refusal `not-found`
 */
export const changeTicketStatus = (
  platform: SupportParts,
  operatorId: number,
  id: string,
  status: TicketStatus,
): Promise<OperatorTicket> =>
  changeTicket(
    platform,
    { id, operatorId, act: 'ticket.change-status', change: { status } },
    async (tx, ticket) => {
      await queries.setStatus(tx, id, status, await findUnansweredSince(tx, id, ticket));
      return undefined;
    },
  );

type TicketAct = {
  id: string;
  operatorId: number;
  act: Act;
  change: { response?: string; status: TicketStatus };
  key?: string | null;
};

/** Whether this act was done by a former call with its key. @throws Refusal `idempotency-mismatch` */
async function isDone(tx: Tx, { id, operatorId, change, key }: TicketAct): Promise<boolean> {
  const made = key ? await queries.findResponseOfKey(tx, operatorId, key) : undefined;
  if (made === undefined) return false;
  if (made.ticketId !== id || made.response !== change.response) throw refuse('idempotency-mismatch');
  return true;
}

async function changeTicket(
  platform: SupportParts,
  asked: TicketAct,
  write: (tx: Tx, ticket: queries.LockedTicket) => Promise<Message | undefined>,
): Promise<OperatorTicket> {
  const { id, operatorId, act, change } = asked;
  const { ticket, message } = await platform.database.transaction(async (tx) => {
    const former = await queries.lockTicket(tx, id);
    if (former === undefined) throw refuse('not-found');
    if (await isDone(tx, asked)) return { ticket: await find(platform, tx, id), message: undefined };
    const written = await write(tx, former);
    const changed = changedFields({ status: former.status }, change);
    const target = { kind: 'ticket', id, memberId: former.memberId } as const;
    if (changed !== undefined) await recordActs(tx, [{ actor: operatorId, act, target, ...changed }]);
    return { ticket: await find(platform, tx, id), message: written };
  });
  const memberId = Number(ticket.userId);
  if (message !== undefined) announceMessage(platform, memberId, message);
  announceTicket(platform, memberId, id);
  return ticket;
}

/** Tells a member's browsers that a ticket of theirs has changed. Call it after the commit. */
function announceTicket({ bus }: SupportParts, memberId: number, id: string): void {
  bus.announce({ memberId, event: { type: 'ticket', id } });
}

async function find(zone: Zone, reader: Reader, id: string): Promise<OperatorTicket> {
  const row = await queries.findTicket(reader, id);
  if (row === undefined) throw refuse('not-found');
  return operatorTicketOf(zone, row);
}

function ticketOf({ config }: Zone, row: queries.TicketRow): Ticket {
  const promiseOf = (since: Date | null) => promisedAt(since, config.siteTimezone);
  const answerBy = promiseOf(row.waitingSince);
  const events = row.events.map(({ kind, at, waitingSince }): TicketEvent => {
    const promise = promiseOf(waitingSince === null ? null : new Date(waitingSince));
    return { kind, at: new Date(at).toISOString(), answerBy: promise?.toISOString() ?? null };
  });
  const opening = promiseOf(row.createdAt)?.toISOString() ?? null;
  return {
    id: row.id,
    subject: row.subject,
    message: row.message,
    status: row.status,
    priority: row.priority,
    category: row.category,
    subjectKind: row.subjectKind,
    subjectId: row.subjectId,
    createdAt: row.createdAt.toISOString(),
    adminResponse: row.response,
    channelId: String(row.channelId),
    answerBy: answerBy?.toISOString() ?? null,
    isLate: answerBy !== null && answerBy < row.now,
    answeredAt: row.answeredAt?.toISOString() ?? null,
    events: [{ kind: 'asked', at: row.createdAt.toISOString(), answerBy: opening }, ...events],
  };
}

/** A ticket in the operators' shape. */
export const operatorTicketOf = (zone: Zone, row: queries.OperatorRow): OperatorTicket => ({
  ...ticketOf(zone, row),
  userId: String(row.memberId),
  userName: fullNameOf(row),
  userEmail: row.email,
  responderId: row.responder === null ? null : String(row.responder.id),
  respondedBy: row.responder === null ? null : fullNameOf(row.responder),
  respondedAt: row.responder === null ? null : new Date(row.responder.at).toISOString(),
});

/** Deletes tickets that were opened more than three years ago, with their responses. */
export const deleteOldTickets = (
  { database }: Pick<Platform, 'database'>,
  signal: AbortSignal,
): Promise<void> =>
  removeInPieces(database, signal, (rowsMax) => queries.removeOldTickets(database, rowsMax));
