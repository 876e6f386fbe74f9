import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { markRead, readChannels, readMessages } from '#contract/chat.ts';
import { call, isApiError } from '#web/client/call.ts';
import { refreshTopics, useRead } from '#web/client/use-call.ts';

/** Marks the answers to the member's requests as read, because the list shows the newest one of each. */
export function useSeenAnswers(): void {
  const client = useQueryClient();
  const channels = useRead(readChannels).data;
  const unread = channels
    ?.filter((channel) => channel.type === 'support' && channel.unread > 0)
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    if (!unread) return;
    const mark = async () => {
      await Promise.all(unread.split(' ').map(markNewest));
      await refreshTopics(client, ['channels']);
    };
    void mark().catch((error: unknown) => {
      // The mark stays, and goes with the next visit.
      if (!isApiError(error)) throw error;
    });
  }, [client, unread]);
}

async function markNewest(channelId: string): Promise<void> {
  const params = { channelId };
  const [newest] = await call(readMessages, { params, query: { limit: '1' } });
  if (newest !== undefined) await call(markRead, { params, body: { upTo: newest.id } });
}
