/**
 * Signing in with Google leaves the site, so its start is stored until the reader is back with a session. The
 * listener is added at once, because counting starts late and the reader may click before that.
 */
const KEY = 'signingInWithGoogle';

/** Listens to every click of a document that is counted. */
export function rememberGoogle(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('a[href^="/api/auth/google"]') !== null)
    sessionStorage.setItem(KEY, '1');
}

/** True on the first call after Google has led back to this page with a session. */
export function cameBackFromGoogle(): boolean {
  const wasStarted = sessionStorage.getItem(KEY) !== null;
  sessionStorage.removeItem(KEY);
  return wasStarted && document.cookie.split('; ').includes('signedin=1');
}
