import { trackBehaviour } from '#contract/access-behaviour.ts';
import { call, isApiError } from '#web/client/call.ts';
import { hasSessionMark } from '#web/client/session.ts';

/** Reports an act that matters to security. Nobody waits for it, and its failure stops nothing. */
export function trackAct(action: 'login' | 'register'): void {
  if (!hasSessionMark()) return;
  call(trackBehaviour, { body: { action } }).catch((error: unknown) => {
    if (!isApiError(error)) throw error;
  });
}
