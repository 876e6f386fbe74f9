import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import type { Message } from '#contract/message.ts';
import type { Ticket } from '#contract/support.ts';
import type { User } from '#contract/user.ts';
import { onSent } from '#web/chat/outbox.ts';
import { type DrawNotes, Talk } from '#web/chat/talk.tsx';
import { useChannels } from '#web/chat/use-channels.ts';
import { useMember } from '#web/client/session.ts';
import { ticketLinesOf } from '#web/client/ticket-lines.ts';
import { refreshTopics } from '#web/client/use-call.ts';
import { ConversationLine } from '#web/support/conversation-line.tsx';

/** A conversation that is open, and how many of its messages the member has not seen. */
export type OpenTalk = { channelId: string; unread: number };

type TicketTalkProps = {
  ticket: Ticket;
  /** Called with what is unread in the conversation, and with null when it is left. */
  onTalk: (talk: OpenTalk | null) => void;
  /** Stands between the messages and the field. */
  children: ReactNode;
};

/** The channel of a request, which begins with its text. */
export function TicketTalk({ ticket, onTalk, children }: TicketTalkProps) {
  const { channelId } = ticket;
  const member = useMember();
  const channels = useChannels();
  const isKnown = channels.isFetchedAfterMount;
  const field = useRef<HTMLTextAreaElement>(null);
  const opening = useOpening(ticket, member);
  useReopening(channelId);
  const drawNotes = useNotes(ticket);
  const takeUnread = useCallback((unread: number) => onTalk({ channelId, unread }), [onTalk, channelId]);
  useEffect(() => () => onTalk(null), [onTalk]);
  return (
    <Talk
      kind="ticket"
      channelId={channelId}
      channel={isKnown ? channels.data?.find(({ id }) => id === channelId) : undefined}
      isKnown={isKnown}
      fieldRef={field}
      onUnread={takeUnread}
      opening={opening}
      drawNotes={drawNotes}
    >
      {children}
    </Talk>
  );
}

const OPENING_ID = 'opening';

/** The text of a request as the first message of its conversation. */
function useOpening({ channelId, message, createdAt }: Ticket, member: User): Message {
  const { id, firstName, chatBubbleColor, chatTextColor } = member;
  return useMemo(
    () => ({
      id: OPENING_ID,
      channelId,
      seq: 0,
      userId: id,
      user: { firstName, chatBubbleColor, chatTextColor },
      message,
      isFromAdmin: false,
      createdAt,
      clientId: null,
    }),
    [channelId, message, createdAt, id, firstName, chatBubbleColor, chatTextColor],
  );
}

/** The lines of the request between its messages. */
function useNotes(ticket: Ticket): DrawNotes {
  return useCallback(
    (messages) => {
      const lines = ticketLinesOf(ticket, messages, messages[0]?.id === OPENING_ID);
      return new Map(
        [...lines].map(([id, linesUnder]) => [
          id,
          linesUnder.map((line) => (
            <ConversationLine key={`${line.kind} ${line.at}`} line={line} ticket={ticket} />
          )),
        ]),
      );
    },
    [ticket],
  );
}

/** What a member writes opens a solved request again, which the list learns at once. */
function useReopening(channelId: string): void {
  const client = useQueryClient();
  useEffect(
    () =>
      onSent((message) => {
        if (message.channelId === channelId) void refreshTopics(client, ['tickets']);
      }),
    [client, channelId],
  );
}
