import { readMessages } from '#contract/chat.ts';
import type { OperatorTicket } from '#contract/support.ts';
import { useRead } from '#web/client/use-call.ts';

const POLL_MS = 5_000;
/** The server answers with so many at most. */
export const MESSAGES_MAX = 100;

/** The newest messages of a ticket's channel, oldest first. */
export function useConversation({ channelId }: OperatorTicket, isWatched = true) {
  return useRead(
    readMessages,
    { params: { channelId }, query: { limit: String(MESSAGES_MAX) } },
    { enabled: isWatched, refetchInterval: POLL_MS },
  );
}
