import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { eventTopics } from '#contract/events.ts';
import { readStats, type Stats } from '#contract/ledger.ts';
import { isNewsHeld, whenNewsIsFree } from './held-news.ts';
import { openSocket } from './socket.ts';
import { keyOf, refreshTopics } from './use-call.ts';

/**
 * Keeps the member's figures up to date: they are read again on each push of the live connection, and every ten seconds
 * while there is no connection.
 */

const POLL_MS = 10_000;

/** What a push of the balance changes; without a connection the same is read again from time to time. */
const refresh = (client: QueryClient): Promise<void> => refreshTopics(client, eventTopics.balance);

/** Takes a pushed balance at once, so that the figure moves before the lists are back. */
function takeBalance(client: QueryClient, balance: string): void {
  client.setQueryData<Stats>(keyOf(readStats, {}), (before) => (before ? { ...before, balance } : before));
}

/**
 * Runs the live connection for as long as the calling component is mounted. `announce` is called after each opening and
 * after each push, to tell the member what is new.
 */
export function useLiveNews(announce: () => Promise<void>): void {
  const client = useQueryClient();
  const [isConnected, setConnected] = useState(false);

  useEffect(() => {
    // A failed look needs no message here: the lists on the screen show their own failures.
    const look = () => void Promise.all([announce(), refresh(client)]).catch(() => setConnected(false));

    return openSocket({
      onOpen: () => {
        setConnected(true);
        look();
      },
      onClose: () => setConnected(false),
      onEvent: (event) => {
        if (event.type !== 'balance') return;
        whenNewsIsFree(() => {
          takeBalance(client, event.balance);
          look();
        });
      },
    });
  }, [client, announce]);

  useEffect(() => {
    if (isConnected) return;
    const timer = setInterval(() => {
      if (!isNewsHeld()) void refresh(client);
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [client, isConnected]);
}
