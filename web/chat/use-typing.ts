import { useCallback, useEffect, useRef, useState } from 'react';
import { TYPING_MS } from '#contract/chat.ts';
import { onLiveEvent, sendFrame } from '#web/client/live-line.ts';
import { nextEnd, type Typists, withoutExpired, withTyping } from './typists.ts';

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

/** A member who goes on typing says so once in this time, which is shorter than the mark is shown. */
const SAID_EVERY_MS = 2_000;

/** Returns what a key says and what the end of typing says to the channel's other readers. */
export function useOwnTyping(channelId: string): { type: () => void; stop: () => void } {
  const saidAt = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = useCallback(() => {
    clearTimeout(timer.current);
    if (saidAt.current === 0) return;
    saidAt.current = 0;
    sendFrame({ type: 'stop_typing', channelId });
  }, [channelId]);
  const type = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(stop, TYPING_MS.stoppedAfter);
    if (Date.now() - saidAt.current < SAID_EVERY_MS) return;
    saidAt.current = Date.now();
    sendFrame({ type: 'user_typing', channelId });
  }, [channelId, stop]);
  useEffect(() => stop, [stop]);
  return { type, stop };
}
