import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Channel, GENERAL_CHANNEL_ID, readChannels } from '#contract/chat.ts';
import type { Message } from '#contract/message.ts';
import { onLiveEvent } from '#web/client/live-line.ts';
import { useMember } from '#web/client/session.ts';
import { keyOf } from '#web/client/use-call.ts';

export type SidePanelState = {
  isOpen: boolean;
  /** Whether a key opened it, so that the focus goes into it. With the pointer the page keeps the focus. */
  isByKeyboard: boolean;
  /** Messages that the member has not seen. */
  unread: number;
  toggle: (event: { currentTarget: HTMLElement; detail: number }) => void;
  /** @param returnsFocus whether the focus goes back to the button that opened the panel */
  close: (returnsFocus: boolean) => void;
  setUnread: (unread: number) => void;
};

/** The side panel of chat and support: whether it is open, and what is unread meanwhile. */
export function useSidePanel(): SidePanelState {
  const [isOpen, setOpen] = useState(false);
  const [isByKeyboard, setByKeyboard] = useState(false);
  const [unread, setUnread] = useState(0);
  const opener = useRef<HTMLElement | null>(null);
  const isFocusOwed = useRef(false);
  const countOne = useCallback(() => setUnread((before) => before + 1), []);
  useMessagesWhileClosed(isOpen, countOne);

  // The floating button can take the focus only after it is shown again.
  useEffect(() => {
    if (isOpen || !isFocusOwed.current) return;
    isFocusOwed.current = false;
    opener.current?.focus({ preventScroll: true });
  }, [isOpen]);

  const close = useCallback((returnsFocus: boolean) => {
    isFocusOwed.current = returnsFocus;
    setOpen(false);
  }, []);
  const toggle: SidePanelState['toggle'] = ({ currentTarget, detail }) => {
    opener.current = currentTarget;
    setByKeyboard(detail === 0);
    setOpen(!isOpen);
  };
  return { isOpen, isByKeyboard, unread, toggle, close, setUnread };
}

/** Calls `count` for each message to the member that arrives while the panel is closed. Nothing is asked meanwhile. */
function useMessagesWhileClosed(isOpen: boolean, count: () => void): void {
  const client = useQueryClient();
  const { id: ownId, role } = useMember();
  useEffect(() => {
    if (isOpen) return;
    const isForMember = ({ channelId, userId, isFromAdmin }: Message): boolean => {
      const channels = client.getQueryData<Channel[]>(keyOf(readChannels, {}));
      const isMuted = channels?.some(({ mutedUserIds }) => mutedUserIds.includes(userId)) ?? false;
      if (userId === ownId || (isMuted && !isFromAdmin)) return false;
      // Operators are told of every ticket's messages, which are no news of their own.
      return channelId === GENERAL_CHANNEL_ID || (isFromAdmin && role !== 'admin');
    };
    return onLiveEvent((event) => {
      if (event.type === 'new_message' && isForMember(event.message)) count();
    });
  }, [isOpen, count, client, ownId, role]);
}
