import { type RefObject, useCallback } from 'react';
import { GeneralTalk } from './general-talk.tsx';
import { LineStatus } from './line-status.tsx';
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
  const noticeEnd = channels.refetch;
  return (
    <>
      <LineStatus slowModeSeconds={general?.slowModeSeconds ?? 0} />
      <GeneralTalk
        channel={isKnown ? general : undefined}
        isKnown={isKnown}
        fieldRef={fieldRef}
        onUnread={onUnread}
        onBanEnd={useCallback(() => void noticeEnd(), [noticeEnd])}
      />
    </>
  );
}
