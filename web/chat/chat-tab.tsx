import type { RefObject } from 'react';
import { GENERAL_CHANNEL_ID } from '#contract/chat.ts';
import { LineStatus } from './line-status.tsx';
import { Talk } from './talk.tsx';
import { useChannels } from './use-channels.ts';

type ChatTabProps = {
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  /** Called with the number of messages that the member has not seen. */
  onUnread: (count: number) => void;
};

/** The general channel of all members. */
export function ChatTab({ fieldRef, onUnread }: ChatTabProps) {
  const channels = useChannels();
  const general = channels.data?.find(({ type }) => type === 'general');
  // Where reading stopped is known after the first answer of this opening. Without one the chat opens at its end.
  const isKnown = channels.isFetchedAfterMount;
  return (
    <>
      <LineStatus slowModeSeconds={general?.slowModeSeconds ?? 0} />
      <Talk
        kind="general"
        // Without an answer it is the channel of this id.
        channelId={general?.id ?? GENERAL_CHANNEL_ID}
        channel={isKnown ? general : undefined}
        isKnown={isKnown}
        fieldRef={fieldRef}
        onUnread={onUnread}
      />
    </>
  );
}
