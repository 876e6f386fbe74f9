import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Message } from '#contract/message.ts';
import { countUnseen, type RowsInput, rowsOf } from './rows.ts';

const messageOf = (seq: number, userId: string, at: string, isFromAdmin = false): Message => ({
  id: `m${seq}`,
  channelId: '1',
  seq,
  userId,
  user: { firstName: `Member ${userId}`, chatBubbleColor: '#3B82F6', chatTextColor: '#FFFFFF' },
  message: 'Hello',
  isFromAdmin,
  createdAt: `2026-11-${at}:00.000Z`,
  clientId: null,
});
const inputOf = (messages: Message[], more: Partial<RowsInput> = {}): RowsInput => ({
  messages,
  hasOlder: false,
  readSeq: null,
  ownId: 'own',
  mutedUserIds: [],
  dayOf: (iso) => iso.slice(0, 10),
  ...more,
});
const shown = (input: RowsInput) =>
  rowsOf(input).map((row) => {
    if (row.kind === 'muted') return `muted ${row.userId} ${row.count}`;
    const { message, isNewDay, unreadSince, isFirst } = row;
    return [
      ...(isNewDay ? [message.createdAt.slice(0, 10)] : []),
      ...(unreadSince === null ? [] : [`new since ${unreadSince.slice(11, 16)}`]),
      ...(isFirst ? ['name'] : []),
      message.id,
    ].join(', ');
  });

describe('the rows of a chat', () => {
  it('have one name per five minutes, and one anew for another member and another day', () => {
    const messages = [
      messageOf(1, 'a', '19T23:50'),
      messageOf(2, 'a', '19T23:54'),
      messageOf(3, 'a', '19T23:55'),
      messageOf(4, 'b', '19T23:56'),
      messageOf(5, 'b', '20T00:00'),
      messageOf(6, 'b', '20T00:01', true),
    ];
    assert.deepEqual(shown(inputOf(messages)), [
      '2026-11-19, name, m1',
      'm2',
      'name, m3',
      'name, m4',
      '2026-11-20, name, m5',
      'name, m6',
    ]);
  });
  it('have one mark before the first unread message of another member', () => {
    const messages = [
      messageOf(1, 'a', '20T08:33'),
      messageOf(2, 'own', '20T08:34'),
      messageOf(3, 'a', '20T08:35'),
      messageOf(4, 'a', '20T08:36'),
    ];
    const input = inputOf(messages, { readSeq: 1 });
    assert.deepEqual(shown(input), ['2026-11-20, name, m1', 'name, m2', 'new since 08:34, name, m3', 'm4']);
    assert.equal(countUnseen(messages, input, 1), 2);
    assert.equal(countUnseen(messages, input, 4), 0);
  });
  it('have no mark above the oldest known message, and none for a member who has read all', () => {
    const messages = [messageOf(5, 'a', '20T08:33'), messageOf(6, 'a', '20T08:34')];
    assert.equal(
      shown(inputOf(messages, { readSeq: 2 })).some((row) => row.startsWith('unread')),
      false,
    );
    assert.equal(
      shown(inputOf(messages)).some((row) => row.startsWith('unread')),
      false,
    );
  });
  it('have one line for a muted member at the newest hidden message, and never hide an operator', () => {
    const messages = [
      messageOf(1, 'a', '20T08:30'),
      messageOf(2, 'b', '20T08:31'),
      messageOf(3, 'a', '20T08:32'),
      messageOf(4, 'b', '20T08:33'),
      messageOf(5, 'a', '20T08:34', true),
    ];
    const input = inputOf(messages, { mutedUserIds: ['a'] });
    assert.deepEqual(shown(input), ['2026-11-20, name, m2', 'muted a 2', 'm4', 'name, m5']);
    assert.deepEqual(shown(inputOf(messages.slice(0, 1), { mutedUserIds: ['a'] })), ['muted a 1']);
  });
});
