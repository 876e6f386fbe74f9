import type { Message } from '#contract/message.ts';
import type { Ticket } from '#contract/support.ts';

/** What is said about a request: received and promised until when, answered after how long, solved or closed. */
export type LineKind = 'promised' | 'answered' | 'resolved' | 'closed';

/** What a member may expect now; null if nothing was said yet. */
export function currentLineOf({ status, answerBy, answeredAt }: Ticket): LineKind | null {
  if (answerBy !== null) return 'promised';
  if (status === 'resolved' || status === 'closed') return status;
  return answeredAt === null ? null : 'answered';
}

/** What stands between the messages, by the id of the message before it. */
export type Lines = ReadonlyMap<string, readonly LineKind[]>;

/**
 * Puts each line where it was said: the promise under the first message that waits for an answer, the answer's time
 * under the first answer, and the end of the request under everything, because what is written then reopens it.
 */
export function linesOf(ticket: Ticket, messages: readonly Message[], isWhole: boolean): Lines {
  const lines = new Map<string, LineKind[]>();
  const put = (message: Message | undefined, kind: LineKind) => {
    if (message !== undefined) lines.set(message.id, [...(lines.get(message.id) ?? []), kind]);
  };
  const current = currentLineOf(ticket);
  // Without the older messages the first answer is not known.
  if (isWhole && ticket.answeredAt !== null)
    put(
      messages.find(({ isFromAdmin }) => isFromAdmin),
      'answered',
    );
  const latestAnswer = messages.findLastIndex(({ isFromAdmin }) => isFromAdmin);
  if (current === 'promised') put(messages[latestAnswer + 1] ?? messages.at(-1), current);
  else if (current !== 'answered' && current !== null) put(messages.at(-1), current);
  return lines;
}
