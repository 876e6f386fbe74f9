import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { MESSAGES_POLLED_EVERY_MS, MESSAGES_READ, readMessages } from '#contract/chat.ts';
import type { Message } from '#contract/message.ts';
import { type ApiError, isApiError } from '#web/client/call.ts';
import { onLineOpen, onLiveEvent, useLineState } from '#web/client/live-line.ts';
import { readQuery } from '#web/client/use-call.ts';
import {
  applyEvent,
  applyOlder,
  applyPage,
  beginFetch,
  type ChatEvent,
  type Conversation,
  emptyConversation,
  hasGap,
} from './messages.ts';
import { onSent, sendWaiting } from './outbox.ts';

/** After a longer absence what is missing is fetched in so many pages; beyond, the list begins anew at its end. */
const MISSED_PAGES_MAX = 5;

/** The messages of a channel, kept up to date while the component is mounted. */
export function useConversation(channelId: string, memberId: string) {
  const client = useQueryClient();
  const { conversation, current, change } = useCurrent();
  const [failure, setFailure] = useState<ApiError | null>(null);
  const isFetching = useRef(false);
  /** Whether a fetch was asked for while one was running. */
  const isWanted = useRef(false);

  const read = useCallback(
    (before?: string): Promise<Message[]> =>
      client.fetchQuery({
        ...readQuery(readMessages, {
          params: { channelId },
          query: before === undefined ? {} : { before },
        }),
        staleTime: 0,
        gcTime: 0,
      }),
    [client, channelId],
  );

  const fetchNewest = useCallback(async () => {
    isWanted.current = true;
    if (isFetching.current) return;
    isFetching.current = true;
    try {
      while (isWanted.current) {
        isWanted.current = false;
        change(beginFetch(current.current));
        const { page, isWhole } = await readNewest(read, current.current);
        change(applyPage(current.current, page, isWhole));
      }
      setFailure(null);
      sendWaiting(memberId);
    } catch (error) {
      if (!isApiError(error)) throw error;
      // With messages on the screen the next turn tries again, and the line above says that there is no connection.
      setFailure(error);
    } finally {
      isFetching.current = false;
    }
  }, [change, current, read, memberId]);

  const pageBack = usePageBack(read, current, change, setFailure);

  const takeEvent = useCallback(
    (event: ChatEvent) => {
      if (event.channelId !== channelId) return;
      change(applyEvent(current.current, event));
      if (hasGap(current.current)) void fetchNewest();
    },
    [channelId, change, current, fetchNewest],
  );
  useChatEvents(takeEvent);
  useFetches(fetchNewest);

  return { conversation, failure, fetchNewest, pageBack };
}

/** Fetches what is before the first held message. */
function usePageBack(
  read: (before?: string) => Promise<Message[]>,
  current: RefObject<Conversation>,
  change: (next: Conversation) => void,
  setFailure: (failure: ApiError) => void,
) {
  const isPagingBack = useRef(false);
  return useCallback(async () => {
    const first = current.current.messages[0];
    if (isPagingBack.current || first === undefined || !current.current.hasOlder) return;
    isPagingBack.current = true;
    try {
      const page = await read(first.id);
      // The list may have begun anew meanwhile.
      if (current.current.messages[0]?.id === first.id)
        change(applyOlder(current.current, page, page.length < MESSAGES_READ));
    } catch (error) {
      // The reader's next move towards the beginning tries again.
      if (!isApiError(error)) throw error;
      setFailure(error);
    } finally {
      isPagingBack.current = false;
    }
  }, [change, current, read, setFailure]);
}

/** The conversation as a state, and as a value that is right between two renderings. */
function useCurrent() {
  const [conversation, setConversation] = useState(emptyConversation);
  const current = useRef<Conversation>(emptyConversation);
  const change = useCallback((next: Conversation) => {
    current.current = next;
    setConversation(next);
  }, []);
  return { conversation, current, change };
}

/** Calls the listener with what is pushed, and with the member's own messages when the server has them. */
function useChatEvents(take: (event: ChatEvent) => void): void {
  useEffect(() => {
    const ends = [
      onLiveEvent((event) => {
        if (event.type === 'new_message' || event.type === 'message_deleted') take(event);
      }),
      onSent((message) => take({ type: 'new_message', channelId: message.channelId, message })),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [take]);
}

/** Fetches now, after each opening of the line, and again and again while the page is in sight. */
function useFetches(fetchNewest: () => Promise<void>): void {
  const isLive = useLineState().state === 'live';
  useEffect(() => {
    const fetch = () => void fetchNewest();
    fetch();
    const end = onLineOpen(fetch);
    window.addEventListener('online', fetch);
    return () => {
      end();
      window.removeEventListener('online', fetch);
    };
  }, [fetchNewest]);
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && void fetchNewest();
    const timer = setInterval(look, MESSAGES_POLLED_EVERY_MS[isLive ? 'live' : 'offline']);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [isLive, fetchNewest]);
}

/** The newest messages, back to those that are held. */
async function readNewest(
  read: (before?: string) => Promise<Message[]>,
  { isLoaded, knownTo }: Conversation,
): Promise<{ page: Message[]; isWhole: boolean }> {
  let page = await read();
  let isWhole = page.length < MESSAGES_READ;
  for (let pages = 1; pages < MISSED_PAGES_MAX && isLoaded && !isWhole; pages += 1) {
    const first = page[0];
    if (first === undefined || first.seq <= knownTo + 1) break;
    const earlier = await read(first.id);
    isWhole = earlier.length < MESSAGES_READ;
    page = [...earlier, ...page];
  }
  return { page, isWhole };
}
