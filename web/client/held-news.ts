/**
 * News waits while a screen shows something that it would give away: a balance that moves says how a coin will fall
 * that is still in the air. What waits is heard in its order as soon as nobody holds it any more.
 */
let holders = 0;
let waiting: (() => void)[] = [];

/** Holds news until the returned function is called; calling it again does nothing. */
export function holdNews(): () => void {
  let isHeld = true;
  holders += 1;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    holders -= 1;
    if (holders > 0) return;
    const heard = waiting;
    waiting = [];
    for (const hear of heard) hear();
  };
}

export const isNewsHeld = (): boolean => holders > 0;

/** Hears news now, or when it is no longer held. */
export function whenNewsIsFree(hear: () => void): void {
  if (isNewsHeld()) waiting.push(hear);
  else hear();
}
