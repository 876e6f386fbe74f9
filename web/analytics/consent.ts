/**
 * Whether this reader has agreed to be counted. The answer is a cookie, because the server opens the page's policy for
 * the counting script only where it says yes; so a yes takes effect with the next document.
 */
export type Consent = 'granted' | 'denied';

const A_YEAR_SECONDS = 31_536_000;
const SINCE_KEY = 'analyticsSince';
export const SEEN_KEY = 'analyticsSeen';

const cookies = () => document.cookie.split('; ');

/** The answer, or null where there is none yet. */
export function readConsent(): Consent | null {
  const value = cookies()
    .find((cookie) => cookie.startsWith('analytics='))
    ?.slice('analytics='.length);
  return value === 'granted' || value === 'denied' ? value : null;
}

function setCookie(name: string, value: string, seconds: number): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads it, and not every browser has cookieStore.
  document.cookie = `${name}=${value}; Path=/; Max-Age=${seconds}; SameSite=Lax${secure}`;
}

/** Keeps the answer. A no also removes what counting has left in this browser. */
export function writeConsent(choice: Consent): void {
  setCookie('analytics', choice, A_YEAR_SECONDS);
  if (choice === 'granted') {
    localStorage.setItem(SINCE_KEY, new Date().toISOString());
    return;
  }
  localStorage.removeItem(SINCE_KEY);
  localStorage.removeItem(SEEN_KEY);
  for (const name of cookies().map((cookie) => cookie.split('=')[0] ?? ''))
    if (/^_ga(_|$)/.test(name)) setCookie(name, '', 0);
}

/** Since when this reader has been counted, as an ISO time. What happened before is nobody's business. */
export const countedSince = (): string | null => localStorage.getItem(SINCE_KEY);
