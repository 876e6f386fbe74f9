import type { Message } from '#contract/message.ts';
import type { Ticket, TicketEvent } from '#contract/support.ts';

/** A line about a ticket between the messages of its conversation. `at` is null if that was not noted. */
export type TicketLine =
  | (Omit<TicketEvent, 'at'> & { at: string | null })
  | { kind: 'answered'; at: string; answerBy: null };

/** What a member may expect now; null if nothing was said yet. */
export function currentLineOf(ticket: Ticket): TicketLine | null {
  const { status, answerBy, answeredAt, createdAt, events } = ticket;
  const latest = events.at(-1);
  if (answerBy !== null)
    return {
      kind: latest?.kind === 'reopened' ? 'reopened' : 'asked',
      at: latest?.at ?? createdAt,
      answerBy,
    };
  if (status === 'resolved' || status === 'closed')
    return { kind: status, at: latest?.kind === status ? latest.at : null, answerBy };
  return answeredAt === null ? null : { kind: 'answered', at: answeredAt, answerBy };
}

/** What the place of a line depends on. */
type Placed = Pick<Message, 'id' | 'createdAt' | 'isFromAdmin'>;

/** What stands between the messages, by the id of the message before it. */
export type TicketLines = ReadonlyMap<string, readonly TicketLine[]>;

/**
 * Puts each event under the message that was the newest then, the answer's time under the first answer, and the end of
 * a request that was not noted under everything.
 * @param isWhole without the older messages the first answer is not known, nor the place of older events
 */
export function ticketLinesOf(ticket: Ticket, messages: readonly Placed[], isWhole: boolean): TicketLines {
  const lines = new Map<string, TicketLine[]>();
  const put = (message: Placed | undefined, line: TicketLine) => {
    if (message !== undefined) lines.set(message.id, [...(lines.get(message.id) ?? []), line]);
  };
  if (isWhole && ticket.answeredAt !== null)
    put(
      messages.find(({ isFromAdmin }) => isFromAdmin),
      { kind: 'answered', at: ticket.answeredAt, answerBy: null },
    );
  for (const event of ticket.events) {
    const at = Date.parse(event.at);
    const before = messages.findLast(({ createdAt }) => Date.parse(createdAt) <= at);
    put(before ?? (isWhole ? messages[0] : undefined), event);
  }
  const current = currentLineOf(ticket);
  if (current?.at === null) put(messages.at(-1), current);
  return lines;
}
