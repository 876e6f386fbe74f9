import { NUMBER, type TimelineSource } from '#platform/timeline.ts';
import { listTicketsBefore } from './queries.ts';

/** A member's tickets as lines of the operators' timeline. */
export const ticketLines: TimelineSource = {
  name: 'ticket',
  part: 'support',
  placeForm: NUMBER,
  read: async (reader, memberId, after, limit) => {
    const tickets = await listTicketsBefore(reader, memberId, after === null ? null : BigInt(after), limit);
    return tickets.map(({ id, channelId, subject, status, createdAt }) => ({
      place: String(channelId),
      at: createdAt,
      kind: 'ticket',
      text: `Ticket: ${subject}`,
      link: `/management-panel-x7k9w/support?status=all&open=${id}`,
      amount: null,
      balanceAfter: null,
      facts: { subject, status },
    }));
  },
};
