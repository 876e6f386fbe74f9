import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { eventTopics, type Topic, type WaitingTopic } from '#contract/events.ts';
import { openSocket } from './socket.ts';
import { refreshTopics } from './use-call.ts';

/**
 * Keeps operators' counts and lists of what waits up to date: the server says over the live connection which of them
 * changed, and they are read again. Without a connection each is polled as often as it is specified.
 */

/** The `waitingTopics` of the contract, whose values stay in the server’s part. A missing one does not compile. */
const live: Record<WaitingTopic, true> = {
  queue: true,
  approvals: true,
  tickets: true,
  grants: true,
  registrations: true,
  quarantine: true,
};
const liveTopics: readonly Topic[] = [...eventTopics.waiting, ...(Object.keys(live) as WaitingTopic[])];

/** With a connection, for what a lost frame left out. */
const SLOW_POLL_MS = 30_000;

let isConnected = false;
const listeners = new Set<() => void>();

function setConnected(next: boolean): void {
  isConnected = next;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Runs the live connection while the component is mounted. */
export function useLiveWaiting(): void {
  const client = useQueryClient();
  useEffect(() => {
    let wasLost = false;
    const close = openSocket({
      onOpen: () => {
        setConnected(true);
        // What changed before the opening. Lists are read again only after a loss.
        void refreshTopics(client, wasLost ? liveTopics : eventTopics.waiting);
      },
      onClose: () => {
        wasLost = true;
        setConnected(false);
      },
      onEvent: (event) => {
        if (event.type === 'waiting') void refreshTopics(client, [...eventTopics.waiting, ...event.topics]);
      },
    });
    return () => {
      close();
      setConnected(false);
    };
  }, [client]);
}

/** How often an answer of this topic is polled now. */
export function usePollMs(specifiedMs: number, topic: Topic | undefined): number {
  const isLive = useSyncExternalStore(listen, () => isConnected);
  const isHinted = topic !== undefined && liveTopics.includes(topic);
  return isLive && isHinted ? Math.max(specifiedMs, SLOW_POLL_MS) : specifiedMs;
}
