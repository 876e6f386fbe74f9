import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useState } from 'react';
import type { Channel } from '#contract/chat.ts';
import type { Message } from '#contract/message.ts';
import type { User } from '#contract/user.ts';
import { useMember } from '#web/client/session.ts';
import { refreshTopics } from '#web/client/use-call.ts';
import { BanCard } from './ban-card.tsx';
import { ChatContents, isClosedBy } from './chat-contents.tsx';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { useBox } from './outbox.ts';
import { ReportDialog } from './report-dialog.tsx';
import { countUnseen, type Row } from './rows.ts';
import type { TalkKind } from './talk-kind.ts';
import { TypingLine } from './typing-line.tsx';
import { useAnnouncement } from './use-announcement.ts';
import { useBan } from './use-ban.ts';
import { useConversation } from './use-conversation.ts';
import { useRows } from './use-rows.ts';
import { type Opened, openedOf, useSeen } from './use-seen.ts';
import { useTypists } from './use-typing.ts';

/** Draws what stands under messages, by the message's id. */
export type DrawNotes = (messages: readonly Message[]) => ReadonlyMap<string, ReactNode>;

type TalkProps = {
  kind: TalkKind;
  channelId: string;
  channel: Channel | undefined;
  /** Whether the channel was read since the opening, or could not be. */
  isKnown: boolean;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  onUnread: (count: number) => void;
  /** Stands before the first message of the channel. */
  opening?: Message | undefined;
  drawNotes?: DrawNotes | undefined;
  /** Stands between the messages and the field. */
  children?: ReactNode;
};

const nobody: readonly string[] = [];

/** The messages of a channel, and the field for one's own. Another channel is another component: give it a key. */
export function Talk(props: TalkProps) {
  const { kind, channelId, channel, isKnown, fieldRef, onUnread, opening, drawNotes, children } = props;
  const member = useMember();
  const ownId = member.id;
  const mutedUserIds = channel?.mutedUserIds ?? nobody;
  const address = useMemo(() => ({ memberId: ownId, channelId }), [ownId, channelId]);
  const { outgoing, refusal } = useBox(address);
  const { conversation, failure, fetchNewest, pageBack } = useConversation(channelId, ownId);
  const { messages, isLoaded } = conversation;
  const loadFailure = isLoaded ? null : failure;
  const ban = useBan(channel, refusal, address);
  const client = useQueryClient();
  const noticeBanEnd = useCallback(() => void refreshTopics(client, ['channels']), [client]);
  const names = useTypists(channelId, ownId, mutedUserIds);
  const report = useReport();

  // The mark stays where reading stopped when the panel was opened.
  const [opened, setOpened] = useState<Opened | null>(null);
  if (opened === null && isKnown) setOpened(openedOf(channel));
  const readSeq = opened?.readSeq ?? null;

  const rows = useRows({ conversation, outgoing, opening, readSeq, mutedUserIds, member });
  const notes = useMemo(() => drawNotes?.(sentOf(rows)), [drawNotes, rows]);
  const { seenSeq, noticeSeen } = useSeen(channelId, opened);
  const unseen = countUnseen(messages, { ownId, mutedUserIds }, seenSeq);
  useEffect(() => {
    if (isLoaded && opened !== null) onUnread(unseen);
  }, [isLoaded, opened, unseen, onUnread]);

  return (
    <>
      <ChatContents
        kind={kind}
        isReady={isLoaded && opened !== null}
        isEmpty={rows.length === 0}
        failure={loadFailure}
        retry={() => void fetchNewest()}
        write={() => fieldRef.current?.focus()}
      >
        <MessageList
          kind={kind}
          rows={rows}
          notes={notes}
          address={address}
          outgoing={outgoing}
          mayDelete={kind === 'general' && member.role === 'admin'}
          hasUnread={readSeq !== null}
          unseen={unseen}
          onSeen={noticeSeen}
          onBeginning={pageBack}
          onReport={report.open}
          onDeleted={fetchNewest}
        />
      </ChatContents>
      <Announcement messages={messages} ownId={ownId} mutedUserIds={mutedUserIds} />
      <TypingLine names={names} />
      {children}
      {ban !== null && <BanCard ban={ban} onEnd={noticeBanEnd} />}
      {ban === null && !isClosedBy(loadFailure) && (
        <Composer
          kind={kind}
          address={address}
          slowModeSeconds={slowModeOf(channel, member)}
          fieldRef={fieldRef}
        />
      )}
      {report.dialog}
    </>
  );
}

type AnnouncementProps = { messages: readonly Message[]; ownId: string; mutedUserIds: readonly string[] };

/** Says to screen readers what others write. */
function Announcement({ messages, ownId, mutedUserIds }: AnnouncementProps) {
  const isOthers = useCallback(
    ({ userId }: Message) => userId !== ownId && !mutedUserIds.includes(userId),
    [ownId, mutedUserIds],
  );
  return (
    <span className="visually-hidden" role="status">
      {useAnnouncement(messages, isOthers)}
    </span>
  );
}

/** The messages of the rows that the server has. */
const sentOf = (rows: readonly Row[]): Message[] =>
  rows.flatMap((row) => (row.kind === 'message' && !row.isPending ? [row.message] : []));

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
