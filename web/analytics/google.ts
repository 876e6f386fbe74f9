import { readConsent } from './consent.ts';

/**
 * Signing in with Google leaves the site, so that it was begun is remembered until somebody is back, signed in. The
 * link itself remembers it: counting begins late, and a quick reader is gone by then.
 */
const KEY = 'signingInWithGoogle';

/** For the link's click. Without a yes nothing is kept. */
export function rememberGoogle(): void {
  if (readConsent() === 'granted') sessionStorage.setItem(KEY, '1');
}

/** Whether this page is the one that Google led back to, with a session. It is so once. */
export function cameBackFromGoogle(): boolean {
  const wasBegun = sessionStorage.getItem(KEY) !== null;
  sessionStorage.removeItem(KEY);
  return wasBegun && document.cookie.split('; ').includes('signedin=1');
}
