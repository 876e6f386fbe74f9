import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { eventTopics, type ServerEvent } from '#contract/events.ts';
import { readStats, type Stats } from '#contract/ledger.ts';
import { deliverNews, isNewsHeld } from './held-news.ts';
import { onLineOpen, onLiveEvent, startLine, useLineState } from './live-line.ts';
import { configQuery } from './session.ts';
import { keyOf, refreshTopics } from './use-call.ts';

/**
 * Keeps the member's figures up to date: fetches them again after each push, and every ten seconds without a
 * connection.
 */

const POLL_MS = 10_000;

/** Fetches the topics that a change of balance or a notice affects. */
const refresh = (client: QueryClient): Promise<void> =>
  refreshTopics(client, [...eventTopics.balance, ...eventTopics.notice]);

/** Puts a pushed balance into the cache, so that it shows before the lists are fetched again. */
function takeBalance(client: QueryClient, balance: string): void {
  client.setQueryData<Stats>(keyOf(readStats, {}), (before) => (before ? { ...before, balance } : before));
}

/** All open pages hear of a change at once. They read it spread over this time. */
const SPREAD_MS = 1_000;

/** Fetches what the site's owner changed: the configuration, and what follows from it. */
function refetchSiteSoon(client: QueryClient): void {
  setTimeout(() => {
    void client.invalidateQueries({ queryKey: configQuery.queryKey });
    void refreshTopics(client, eventTopics.site);
  }, Math.random() * SPREAD_MS);
}

/**
 * Runs the live connection while the component is mounted. `announce` is called after each opening and each push, to
 * show the member what is new.
 */
export function useLiveNews(announce: () => Promise<void>): void {
  const client = useQueryClient();
  const isLive = useLineState().state === 'live';
  /** Whether the last news could not be fetched. */
  const [hasMissed, setMissed] = useState(false);

  useEffect(() => {
    // A failure needs no message here, because the lists on the screen show their own.
    const fetchNews = () =>
      void Promise.all([announce(), refresh(client)]).then(
        () => setMissed(false),
        () => setMissed(true),
      );
    const take = (event: ServerEvent) => {
      if (event.type === 'notice' || event.type === 'withdrawal' || event.type === 'claim')
        deliverNews(() => void refreshTopics(client, eventTopics[event.type]));
      if (event.type === 'site') refetchSiteSoon(client);
      if (event.type !== 'balance') return;
      deliverNews(() => {
        takeBalance(client, event.balance);
        fetchNews();
      });
    };
    const ends = [onLineOpen(fetchNews), onLiveEvent(take), startLine()];
    return () => {
      for (const end of ends) end();
    };
  }, [client, announce]);

  useEffect(() => {
    if (isLive && !hasMissed) return;
    const timer = setInterval(() => {
      if (!isNewsHeld()) void refresh(client);
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [client, isLive, hasMissed]);
}
