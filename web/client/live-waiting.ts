import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { eventTopics, type Topic, waitingTopics } from '#contract/events.ts';
import { onLineOpen, onLiveEvent, startLine, useLineState } from './live-line.ts';
import { refreshTopics } from './use-call.ts';

/**
 * Keeps operators' counts and lists of what waits up to date: the server says over the live connection which of them
 * changed, and they are read again. Without a connection each is polled as often as it is specified.
 */

const liveTopics: readonly Topic[] = [...eventTopics.waiting, ...waitingTopics];

/** With a connection, for what a lost frame left out. */
const SLOW_POLL_MS = 30_000;

/** Runs the live connection while the component is mounted. */
export function useLiveWaiting(): void {
  const client = useQueryClient();
  useEffect(() => {
    let wasOpen = false;
    const ends = [
      onLineOpen(() => {
        // What changed before the opening. Lists are read again only after a loss.
        void refreshTopics(client, wasOpen ? liveTopics : eventTopics.waiting);
        wasOpen = true;
      }),
      onLiveEvent((event) => {
        if (event.type === 'waiting') void refreshTopics(client, [...eventTopics.waiting, ...event.topics]);
      }),
      startLine(),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [client]);
}

/** How often an answer of this topic is polled now. */
export function usePollMs(specifiedMs: number, topic: Topic | undefined): number {
  const isLive = useLineState().state === 'live';
  const isHinted = topic !== undefined && liveTopics.includes(topic);
  return isLive && isHinted ? Math.max(specifiedMs, SLOW_POLL_MS) : specifiedMs;
}
