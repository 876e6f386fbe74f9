/**
 * Holds news while an animation runs, so that a new balance does not reveal the result of a coin flip early. Held news
 * is delivered in order after the last release.
 */
let holders = 0;
let waiting: (() => void)[] = [];

/** Holds news until the returned function is called. Calling it again does nothing. */
export function holdNews(): () => void {
  let isHeld = true;
  holders += 1;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    holders -= 1;
    if (holders > 0) return;
    const released = waiting;
    waiting = [];
    for (const deliver of released) deliver();
  };
}

export const isNewsHeld = (): boolean => holders > 0;

/** Calls `deliver` now, or once news is no longer held. */
export function deliverNews(deliver: () => void): void {
  if (isNewsHeld()) waiting.push(deliver);
  else deliver();
}
