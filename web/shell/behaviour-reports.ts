import { useEffect } from 'react';
import { hasSessionMark } from '#web/client/session.ts';

/** How long a busy page may put off what nobody waits for. */
const IDLE_MS_MAX = 10_000;

/** Where somebody is signed in, loads the reports of mouse, keyboard and page once the browser has nothing to do. */
export function useBehaviourReports(): void {
  useEffect(() => {
    if (!hasSessionMark()) return;
    let stop: (() => void) | null = null;
    let isGone = false;
    const begin = () =>
      void import('#web/behaviour/behaviour.ts').then(({ startReports }) => {
        if (!isGone) stop = startReports();
      });
    const cancel = whenIdle(begin);
    return () => {
      isGone = true;
      cancel();
      stop?.();
    };
  }, []);
}

/** Not every browser tells when it is idle; a while later it is likely. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(work, { timeout: IDLE_MS_MAX });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(work, 2_000);
  return () => clearTimeout(timer);
}
