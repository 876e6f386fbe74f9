import { useEffect } from 'react';
import { hasSessionMark } from '#web/client/session.ts';

/** The longest delay on a busy page. */
const IDLE_MS_MAX = 10_000;

/** For members, loads the reports of mouse, keyboard and page when the browser is idle. */
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

/** Runs `work` when the browser is idle; without `requestIdleCallback`, after two seconds. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(work, { timeout: IDLE_MS_MAX });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(work, 2_000);
  return () => clearTimeout(timer);
}
