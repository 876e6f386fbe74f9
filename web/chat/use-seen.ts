import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Channel, markRead, readChannels } from '#contract/chat.ts';
import { call, isApiError } from '#web/client/call.ts';
import { keyOf } from '#web/client/use-call.ts';
import type { Row } from './rows.ts';

/** What was read when the panel was opened. */
export type Opened = {
  /** The place where reading stopped; null if nothing was unread. */
  readSeq: number | null;
  /** The place up to which the member has seen messages. */
  seenSeq: number;
};

/** Without a channel, because it could not be read, nothing counts as unread. */
export const openedOf = (channel: Channel | undefined): Opened => ({
  readSeq: channel === undefined || channel.unread === 0 ? null : channel.readSeq,
  seenSeq: channel?.unread === 0 ? channel.seq : (channel?.readSeq ?? 0),
});

/** The server is told after this time, so that scrolling tells it once. */
const TOLD_AFTER_MS = 500;

/** The channels with what was read in one of them. */
const withRead = (channels: Channel[] | undefined, channelId: string, seq: number): Channel[] | undefined =>
  channels?.map((one) =>
    one.id === channelId && one.readSeq < seq
      ? { ...one, readSeq: seq, unread: Math.max(0, one.seq - seq) }
      : one,
  );

/**
 * The place up to which messages were in sight. The server remembers it for the next opening; the counts of this page
 * have it at once.
 */
export function useSeen(channelId: string, opened: Opened | null) {
  const client = useQueryClient();
  const [seen, setSeen] = useState(0);
  const told = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const openedSeq = opened?.seenSeq ?? Number.POSITIVE_INFINITY;
  const seenSeq = Math.max(seen, openedSeq);

  const tell = useCallback(async () => {
    clearTimeout(timer.current);
    const upTo = told.current;
    if (upTo === null) return;
    told.current = null;
    try {
      await call(markRead, { params: { channelId }, body: { upTo } });
    } catch (error) {
      // The next message that is seen tells it too.
      if (!isApiError(error)) throw error;
    }
  }, [channelId]);
  useEffect(() => () => void tell(), [tell]);

  const noticeSeen = useCallback(
    (row: Row) => {
      if (row.kind !== 'message' || row.isPending || row.message.seq <= seenSeq) return;
      const { seq } = row.message;
      setSeen(seq);
      client.setQueryData<Channel[]>(keyOf(readChannels, {}), (before) => withRead(before, channelId, seq));
      told.current = row.message.id;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void tell(), TOLD_AFTER_MS);
    },
    [seenSeq, tell, client, channelId],
  );
  return { seenSeq, noticeSeen };
}
