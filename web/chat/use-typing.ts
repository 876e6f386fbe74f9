import { useEffect, useState } from 'react';
import { TYPING_MS } from '#contract/chat.ts';
import { onLiveEvent } from '#web/client/live-line.ts';
import { nextEnd, type Typists, withoutExpired, withTyping } from '#web/client/typists.ts';

/** The first names of others who are typing in a channel. */
export function useTypists(channelId: string, ownId: string, mutedUserIds: readonly string[]): string[] {
  const [typists, setTypists] = useState<Typists>(new Map());
  useEffect(
    () =>
      onLiveEvent((event) => {
        // A message ends its writer's mark at once.
        const userId =
          event.type === 'new_message' ? event.message.userId : 'userId' in event ? event.userId : '';
        const isTyping = event.type === 'user_typing' || event.type === 'stop_typing';
        if (!isTyping && event.type !== 'new_message') return;
        if (event.channelId !== channelId || userId === ownId) return;
        const typing = isTyping ? event : { type: 'stop_typing' as const, userId, firstName: '', channelId };
        setTypists((before) => withTyping(before, typing, Date.now(), TYPING_MS.shown));
      }),
    [channelId, ownId],
  );
  useEffect(() => {
    const end = nextEnd(typists);
    if (end === null) return;
    const timer = setTimeout(
      () => setTypists((before) => withoutExpired(before, Date.now())),
      Math.max(0, end - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [typists]);
  return [...typists]
    .filter(([userId]) => !mutedUserIds.includes(userId))
    .map(([, { firstName }]) => firstName);
}
