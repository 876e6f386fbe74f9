import { useMemo } from 'react';
import type { Message } from '#contract/message.ts';
import type { User } from '#contract/user.ts';
import { dayKeyOf } from '#web/client/format.ts';
import type { Conversation } from './messages.ts';
import type { Outgoing } from './outbox.ts';
import { pendingOf, withOwnColors } from './pending.ts';
import { type Row, rowsOf } from './rows.ts';

type RowsOptions = {
  conversation: Conversation;
  outgoing: readonly Outgoing[];
  /** Stands before the first message of the channel. */
  opening: Message | undefined;
  readSeq: number | null;
  mutedUserIds: readonly string[];
  member: User;
};

/** What the list shows: the messages that the server has, then those on their way. */
export function useRows(options: RowsOptions): Row[] {
  const { conversation, outgoing, opening, readSeq, mutedUserIds, member } = options;
  const { messages, hasOlder } = conversation;
  return useMemo(() => {
    const pending = outgoing.filter(({ clientId }) => !messages.some((one) => one.clientId === clientId));
    const known = opening === undefined || hasOlder ? messages : [opening, ...messages];
    return rowsOf({
      messages: [...withOwnColors(known, member), ...pending.map((one) => pendingOf(one, member))],
      hasOlder,
      readSeq,
      ownId: member.id,
      mutedUserIds,
      dayOf: dayKeyOf,
    });
  }, [messages, outgoing, opening, hasOlder, readSeq, mutedUserIds, member]);
}
