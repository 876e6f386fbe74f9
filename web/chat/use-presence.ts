import { useEffect } from 'react';
import { goOffline, goOnline } from '#contract/chat.ts';
import { call, isApiError } from '#web/client/call.ts';

/** Half of the time for which a call shows a member as online. */
const EVERY_MS = 30_000;

async function sayOnline(): Promise<void> {
  try {
    await call(goOnline);
  } catch (error) {
    // The next turn says it again.
    if (!isApiError(error)) throw error;
  }
}

/** Outlives the page, unlike a usual call. A lost one only leaves the member online for another minute. */
const sayOffline = () =>
  void fetch(goOffline.path, { method: goOffline.method, credentials: 'include', keepalive: true }).catch(
    () => undefined,
  );

/** Shows the member as online while the component is mounted and the page is there. */
export function usePresence(): void {
  useEffect(() => {
    void sayOnline();
    const timer = setInterval(() => void sayOnline(), EVERY_MS);
    // A page that the browser keeps for its Back button comes back with the panel open.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && void sayOnline();
    window.addEventListener('pagehide', sayOffline);
    window.addEventListener('pageshow', comeBack);
    return () => {
      clearInterval(timer);
      window.removeEventListener('pagehide', sayOffline);
      window.removeEventListener('pageshow', comeBack);
      sayOffline();
    };
  }, []);
}
