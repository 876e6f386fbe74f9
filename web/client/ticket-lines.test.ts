import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Ticket, TicketEvent } from '#contract/support.ts';
import { currentLineOf, ticketLinesOf } from './ticket-lines.ts';

const ticketOf = (more: Partial<Ticket>): Ticket => ({
  id: 't',
  subject: 'Where is it?',
  message: 'It did not come.',
  status: 'open',
  priority: 'medium',
  createdAt: '2026-11-20T09:00:00.000Z',
  adminResponse: null,
  channelId: '1',
  answerBy: null,
  isLate: false,
  answeredAt: null,
  events: [],
  category: null,
  subjectKind: null,
  subjectId: null,
  ...more,
});

const at = (hour: number) => `2026-11-20T${String(hour).padStart(2, '0')}:00:00.000Z`;
const answerBy = '2026-11-24T09:00:00.000Z';
const event = (kind: TicketEvent['kind'], hour: number, promise: string | null = null): TicketEvent => ({
  kind,
  at: at(hour),
  answerBy: promise,
});
const opening = event('asked', 9, answerBy);

/** A conversation with a message in each hour from 9 on, in which `m` is the member's and `a` an operator's. */
const shown = (ticket: Ticket, writers: string, isWhole = true): string => {
  const messages = [...writers].map((writer, index) => ({
    id: String(index),
    isFromAdmin: writer === 'a',
    createdAt: at(9 + index),
  }));
  const lines = ticketLinesOf(ticket, messages, isWhole);
  return messages
    .map(({ id }, index) => [writers[index], ...(lines.get(id) ?? []).map(({ kind }) => kind)].join(' '))
    .join(', ');
};

describe('the lines between the messages of a request', () => {
  it('keep each promise under the message that waited for it, and the time of the first answer', () => {
    assert.equal(shown(ticketOf({ answerBy, events: [opening] }), 'mm'), 'm asked, m');
    const again = ticketOf({
      answerBy,
      answeredAt: at(10),
      events: [opening, event('asked', 11, answerBy)],
    });
    assert.equal(shown(again, 'mamma'), 'm asked, a answered, m asked, m, a');
  });

  it('say where the request was solved, closed and opened again', () => {
    const events = [opening, event('resolved', 10), event('reopened', 11, answerBy), event('closed', 12)];
    const ticket = ticketOf({ status: 'closed', answeredAt: at(10), events });
    assert.equal(shown(ticket, 'mama'), 'm asked, a answered resolved, m reopened, a closed');
    assert.deepEqual(currentLineOf(ticket), events[3]);
    assert.equal(shown(ticket, 'ma'), 'm asked, a answered resolved reopened closed');
  });

  it('leave out what stands before the loaded messages', () => {
    const events = [event('resolved', 8), event('reopened', 10, null)];
    const ticket = ticketOf({ answeredAt: at(8), events });
    assert.equal(shown(ticket, 'ma', false), 'm, a reopened');
  });

  it('say last that a request is solved whose end was not noted', () => {
    const ticket = ticketOf({ status: 'resolved', answeredAt: at(10), events: [opening] });
    assert.equal(shown(ticket, 'mam'), 'm asked, a answered, m resolved');
  });

  it('tell with the present promise that the request was opened again', () => {
    const reopened = event('reopened', 11, answerBy);
    assert.deepEqual(currentLineOf(ticketOf({ answerBy, events: [opening, reopened] })), reopened);
    assert.equal(currentLineOf(ticketOf({ answeredAt: at(10), events: [opening] }))?.kind, 'answered');
  });
});
