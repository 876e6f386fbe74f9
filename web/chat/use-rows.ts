import { useMemo } from 'react';
import type { User } from '#contract/user.ts';
import { dayKeyOf } from '#web/client/format.ts';
import type { Conversation } from './messages.ts';
import type { Outgoing } from './outbox.ts';
import { pendingOf, withOwnColors } from './pending.ts';
import { type Row, rowsOf } from './rows.ts';

type RowsOptions = {
  conversation: Conversation;
  outgoing: readonly Outgoing[];
  readSeq: number | null;
  mutedUserIds: readonly string[];
  member: User;
};

/** What the list shows: the messages that the server has, then those on their way. */
export function useRows({ conversation, outgoing, readSeq, mutedUserIds, member }: RowsOptions): Row[] {
  const { messages, hasOlder } = conversation;
  return useMemo(() => {
    const pending = outgoing.filter(({ clientId }) => !messages.some((one) => one.clientId === clientId));
    return rowsOf({
      messages: [...withOwnColors(messages, member), ...pending.map((one) => pendingOf(one, member))],
      hasOlder,
      readSeq,
      ownId: member.id,
      mutedUserIds,
      dayOf: dayKeyOf,
    });
  }, [messages, outgoing, hasOlder, readSeq, mutedUserIds, member]);
}
