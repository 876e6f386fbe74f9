import { useLocalStorage } from '@mantine/hooks';
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { type Announcement, readLatestAnnouncement } from '#contract/announcements.ts';
import { eventTopics } from '#contract/events.ts';
import { onLiveEvent } from '#web/client/live-line.ts';
import { refreshTopics, useRead } from '#web/client/use-call.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { LAST_SEEN_KEY } from './last-seen.ts';

const POLL_MS = 30_000;
/** All open pages hear of an announcement at once. They read it spread over this time. */
const SPREAD_MS = 1_000;

export type Latest = {
  /** The newest announcement; null if there is none, or until it was read. */
  latest: Announcement | null;
  isDismissed: boolean;
  dismiss: () => void;
};

/** The newest announcement, and whether this browser's member dismissed it. */
export function useLatest(): Latest {
  const lang = useLanguage();
  const read = useRead(
    readLatestAnnouncement,
    { query: { lang } },
    { refetchInterval: POLL_MS, placeholderData: keepPreviousData },
  );
  const latest = read.data ?? null;
  const [lastSeen, setLastSeen] = useLocalStorage({
    key: LAST_SEEN_KEY,
    defaultValue: '',
    getInitialValueInEffect: false,
    serialize: String,
    deserialize: (kept) => kept ?? '',
  });
  useNews();
  const isDismissed = latest !== null && latest.id === lastSeen;
  useBannerPlace(read.isPending ? undefined : latest !== null && !isDismissed ? latest.id : null);
  return { latest, isDismissed, dismiss: () => latest !== null && setLastSeen(latest.id) };
}

/** Reads the announcements again soon after one was published or deleted. */
function useNews(): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = onLiveEvent(({ type }) => {
      if (type !== 'announcement') return;
      clearTimeout(timer);
      timer = setTimeout(
        () => void refreshTopics(client, eventTopics.announcement),
        Math.random() * SPREAD_MS,
      );
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [client]);
}

/**
 * Gives the banner its place in the page. The document keeps it for a banner that it knows. One that comes while a page
 * is read covers its top instead, until the next page, so that nothing moves under the reader's eyes.
 * @param shown the id of the shown announcement; null for none, undefined until that is known
 */
function useBannerPlace(shown: string | null | undefined): void {
  const path = useLocation({ select: ({ pathname }) => pathname });
  /** None at first if the announcement is known by then, as after a sign-in. */
  const pathBefore = useRef(shown === undefined ? path : null);
  useLayoutEffect(() => {
    if (shown === undefined) return;
    const { dataset } = document.documentElement;
    if (shown === null) delete dataset.announcement;
    else if (dataset.announcement !== undefined) dataset.announcement = shown;
  }, [shown]);
  useLayoutEffect(() => {
    if (path !== pathBefore.current && shown) document.documentElement.dataset.announcement = shown;
    pathBefore.current = path;
  }, [path, shown]);
}
