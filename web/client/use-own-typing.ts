import { useCallback, useEffect, useRef } from 'react';
import { TYPING_MS } from '#contract/chat.ts';
import { sendFrame } from './live-line.ts';

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
