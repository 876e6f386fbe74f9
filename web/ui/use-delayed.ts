import { useEffect, useState } from 'react';

let isFirstScreen = false;

/**
 * Sets whether the screen replaces a document's skeleton. If so, what is delayed shows at once, because the member has
 * already seen it.
 */
export function setFirstScreen(isFirst: boolean): void {
  isFirstScreen = isFirst;
}

/**
 * False, then true after `delayMs`, for elements that must not flash when the answer is fast. True at once on the first
 * screen.
 */
export function useDelayed(delayMs: number): boolean {
  const [hasPassed, setPassed] = useState(isFirstScreen);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return hasPassed;
}
