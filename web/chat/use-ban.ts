import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Channel, type ChatBan, readChannels } from '#contract/chat.ts';
import type { ApiError } from '#web/client/call.ts';
import { keyOf, refreshTopics } from '#web/client/use-call.ts';
import { type BoxAddress, removeRefusal } from './outbox.ts';

/** The member's ban, also as the refusal of a message says it before the channel is read again. */
export function useBan(
  channel: Channel | undefined,
  refusal: ApiError | null,
  address: BoxAddress,
): ChatBan | null {
  const client = useQueryClient();
  const isBanned = refusal?.code === 'chat-banned';
  useEffect(() => {
    if (!isBanned) return;
    client.setQueryData<Channel[]>(keyOf(readChannels, {}), (before) =>
      before?.map((one) => (one.id === address.channelId ? { ...one, ban: banOf(refusal) } : one)),
    );
    removeRefusal(address);
    void refreshTopics(client, ['channels']);
  }, [client, isBanned, refusal, address]);
  return channel?.ban ?? (isBanned ? banOf(refusal) : null);
}

function banOf(refusal: ApiError): ChatBan {
  const reason = refusal?.problem?.reason;
  const expiresAt = refusal?.problem?.expiresAt;
  return {
    reason: typeof reason === 'string' ? reason : '',
    expiresAt: typeof expiresAt === 'string' ? expiresAt : null,
  };
}
