import { type RefObject, useCallback, useEffect, useMemo, useState } from 'react';
import { type Channel, GENERAL_CHANNEL_ID } from '#contract/chat.ts';
import type { Message } from '#contract/message.ts';
import type { User } from '#contract/user.ts';
import { useMember } from '#web/client/session.ts';
import { BanCard } from './ban-card.tsx';
import { ChatContents } from './chat-contents.tsx';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { useBox } from './outbox.ts';
import { ReportDialog } from './report-dialog.tsx';
import { countUnseen } from './rows.ts';
import { TypingLine } from './typing-line.tsx';
import { useAnnouncement } from './use-announcement.ts';
import { useBan } from './use-ban.ts';
import { useConversation } from './use-conversation.ts';
import { useRows } from './use-rows.ts';
import { type Opened, openedOf, useSeen } from './use-seen.ts';
import { useTypists } from './use-typing.ts';

type GeneralTalkProps = {
  channel: Channel | undefined;
  /** Whether the channel was read since the opening, or could not be. */
  isKnown: boolean;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  onUnread: (count: number) => void;
  onBanEnd: () => void;
};

const nobody: readonly string[] = [];

/** The messages of the general channel, and the field for one's own. */
export function GeneralTalk({ channel, isKnown, fieldRef, onUnread, onBanEnd }: GeneralTalkProps) {
  const member = useMember();
  const ownId = member.id;
  // Without an answer it is the channel of this id.
  const channelId = channel?.id ?? GENERAL_CHANNEL_ID;
  const mutedUserIds = channel?.mutedUserIds ?? nobody;
  const address = useMemo(() => ({ memberId: ownId, channelId }), [ownId, channelId]);
  const { outgoing, refusal } = useBox(address);
  const { conversation, failure, fetchNewest, pageBack } = useConversation(channelId, ownId);
  const { messages, isLoaded } = conversation;
  const ban = useBan(channel, refusal, address);
  const names = useTypists(channelId, ownId, mutedUserIds);
  const report = useReport();

  // The mark stays where reading stopped when the panel was opened.
  const [opened, setOpened] = useState<Opened | null>(null);
  if (opened === null && isKnown) setOpened(openedOf(channel));
  const readSeq = opened?.readSeq ?? null;

  const rows = useRows({ conversation, outgoing, readSeq, mutedUserIds, member });

  const { seenSeq, noticeSeen } = useSeen(channelId, opened);
  const unseen = countUnseen(messages, { ownId, mutedUserIds }, seenSeq);
  useEffect(() => {
    if (isLoaded && opened !== null) onUnread(unseen);
  }, [isLoaded, opened, unseen, onUnread]);
  const isOthers = useCallback(
    ({ userId }: Message) => userId !== ownId && !mutedUserIds.includes(userId),
    [ownId, mutedUserIds],
  );
  const announcement = useAnnouncement(messages, isOthers);

  return (
    <>
      <ChatContents
        isReady={isLoaded && opened !== null}
        isEmpty={rows.length === 0}
        failure={isLoaded ? null : failure}
        retry={() => void fetchNewest()}
        write={() => fieldRef.current?.focus()}
      >
        <MessageList
          rows={rows}
          address={address}
          outgoing={outgoing}
          isOperator={member.role === 'admin'}
          hasUnread={readSeq !== null}
          unseen={unseen}
          onSeen={noticeSeen}
          onBeginning={pageBack}
          onReport={report.open}
          onDeleted={fetchNewest}
        />
      </ChatContents>
      <span className="visually-hidden" role="status">
        {announcement}
      </span>
      <TypingLine names={names} />
      {ban === null ? (
        <Composer address={address} slowModeSeconds={slowModeOf(channel, member)} fieldRef={fieldRef} />
      ) : (
        <BanCard ban={ban} onEnd={onBanEnd} />
      )}
      {report.dialog}
    </>
  );
}

/** Operators write without a wait. */
const slowModeOf = (channel: Channel | undefined, { role }: User): number =>
  role === 'admin' ? 0 : (channel?.slowModeSeconds ?? 0);

/** The dialog that reports a message. Its content stays while it closes. */
function useReport() {
  const [reported, setReported] = useState<Message | null>(null);
  const [isOpen, setOpen] = useState(false);
  const open = useCallback((message: Message) => {
    setReported(message);
    setOpen(true);
  }, []);
  const dialog = reported !== null && (
    <ReportDialog
      key={reported.id}
      message={reported}
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      onClosed={() => setReported(null)}
    />
  );
  return { open, dialog };
}
