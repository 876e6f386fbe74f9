/**
 * The reader's consent to being counted. It is a cookie, because the server allows the vendor's script in the content
 * security policy only for readers who agreed. So consent takes effect with the next document.
 */
export type Consent = 'granted' | 'denied';

const A_YEAR_SECONDS = 31_536_000;
const SINCE_KEY = 'analyticsSince';
export const SEEN_KEY = 'analyticsSeen';

const cookies = () => document.cookie.split('; ');

/** The answer, or null before the reader has answered. */
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

/** Stores the answer. Refusing also removes what counting stored in this browser. */
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

/** The time of consent (ISO). Nothing earlier is counted. */
export const countedSince = (): string | null => localStorage.getItem(SINCE_KEY);
