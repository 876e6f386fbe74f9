import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Message } from '#contract/message.ts';
import type { Ticket } from '#contract/support.ts';
import { linesOf } from './conversation-lines.ts';

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
  category: null,
  subjectKind: null,
  subjectId: null,
  ...more,
});

/** A conversation in which `m` is the member's message and `a` an operator's. */
const shown = (ticket: Ticket, writers: string, isWhole = true): string => {
  const messages = [...writers].map(
    (writer, index): Message => ({
      id: String(index),
      channelId: '1',
      seq: index,
      userId: writer,
      user: { firstName: writer, chatBubbleColor: '#000000', chatTextColor: '#FFFFFF' },
      message: 'Text',
      isFromAdmin: writer === 'a',
      createdAt: '2026-11-20T09:00:00.000Z',
      clientId: null,
    }),
  );
  const lines = linesOf(ticket, messages, isWhole);
  return messages.map(({ id, userId }) => [userId, ...(lines.get(id) ?? [])].join(' ')).join(', ');
};

const answerBy = '2026-11-24T09:00:00.000Z';
const answeredAt = '2026-11-20T10:00:00.000Z';

describe('the lines between the messages of a request', () => {
  it('promise an answer under the first message that waits', () => {
    assert.equal(shown(ticketOf({ answerBy }), 'mm'), 'm promised, m');
    assert.equal(shown(ticketOf({ answerBy, answeredAt }), 'mamm'), 'm, a answered, m promised, m');
  });

  it('say once after how long the first answer came', () => {
    assert.equal(shown(ticketOf({ status: 'in_progress', answeredAt }), 'maa'), 'm, a answered, a');
    assert.equal(shown(ticketOf({ status: 'in_progress', answeredAt }), 'ma', false), 'm, a');
  });

  it('say last that the request is solved or closed', () => {
    assert.equal(shown(ticketOf({ status: 'resolved', answeredAt }), 'mam'), 'm, a answered, m resolved');
    assert.equal(shown(ticketOf({ status: 'closed', answeredAt }), 'ma'), 'm, a answered closed');
  });

  it('stand under the last message when an operator opens the request again', () => {
    assert.equal(shown(ticketOf({ answerBy, answeredAt }), 'ma'), 'm, a answered promised');
  });
});
