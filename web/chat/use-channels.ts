import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  MESSAGES_POLLED_EVERY_MS,
  ONLINE_POLLED_EVERY_MS,
  readChannels,
  readOnlineUsers,
} from '#contract/chat.ts';
import { eventTopics } from '#contract/events.ts';
import { onLineOpen, onLiveEvent, useLineState } from '#web/client/live-line.ts';
import { refreshTopics, useRead } from '#web/client/use-call.ts';

/** With a connection, for what a lost event left out. */
const SLOW_POLL_MS = 30_000;

/** The member's channels, read while the panel is open. */
export function useChannels() {
  const client = useQueryClient();
  const isLive = useLineState().state === 'live';
  useEffect(() => {
    const ends = [
      onLiveEvent((event) => {
        // What the member may do, or an answer to a request.
        if (event.type === 'chat' || event.type === 'ticket')
          void refreshTopics(client, eventTopics[event.type]);
      }),
      onLineOpen(() => void refreshTopics(client, eventTopics.ticket)),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [client]);
  return useRead(readChannels, undefined, {
    // Where reading stopped is known only anew.
    refetchOnMount: 'always',
    refetchInterval: isLive ? SLOW_POLL_MS : MESSAGES_POLLED_EVERY_MS.live,
  });
}

/** How many members are online: what was heard last. Null until it is known. */
export function useOnlineCount(): number | null {
  const { data, dataUpdatedAt } = useRead(readOnlineUsers, undefined, {
    refetchInterval: ONLINE_POLLED_EVERY_MS,
  });
  const [pushed, setPushed] = useState({ count: 0, at: 0 });
  useEffect(
    () =>
      onLiveEvent((event) => {
        if (event.type === 'presence') setPushed({ count: event.count, at: Date.now() });
      }),
    [],
  );
  if (pushed.at > dataUpdatedAt) return pushed.count;
  return data?.length ?? null;
}
