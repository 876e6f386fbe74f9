/**
 * Signing in with Google leaves the site, so that it was begun is remembered until somebody is back, signed in. This is
 * listened to from the first moment on: counting begins late, and a quick reader is gone by then.
 */
const KEY = 'signingInWithGoogle';

/** For every click of a document that is counted. */
export function rememberGoogle(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('a[href^="/api/auth/google"]') !== null)
    sessionStorage.setItem(KEY, '1');
}

/** Whether this page is the one that Google led back to, with a session. It is so once. */
export function cameBackFromGoogle(): boolean {
  const wasBegun = sessionStorage.getItem(KEY) !== null;
  sessionStorage.removeItem(KEY);
  return wasBegun && document.cookie.split('; ').includes('signedin=1');
}
