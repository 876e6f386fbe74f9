import { trackBehaviour } from '#contract/access-behaviour.ts';
import { call, isApiError } from '#web/client/call.ts';
import { hasSessionMark } from '#web/client/session.ts';

/** Reports a security-relevant act. API failures are ignored. */
export function trackAct(action: 'login' | 'register'): void {
  if (!hasSessionMark()) return;
  call(trackBehaviour, { body: { action } }).catch((error: unknown) => {
    if (!isApiError(error)) throw error;
  });
}
