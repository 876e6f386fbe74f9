/**
 * Every page's URL. The server answers 200 to these and 404 with the not-found page to any other path; the web
 * binds each to a lazily loaded page in `web/routes.tsx`, and a test keeps the two lists equal.
 */
export const screens = [
  '/',
  '/auth',
  '/login',
  '/reset-password',
  '/verify-email',
  '/not-me',
  '/unsubscribe',
  '/earn',
  '/tasks',
  '/surveys',
  '/cpx-surveys',
  '/kiwiwall-offers',
  '/history',
  '/chargeback-history',
  '/withdrawal',
  '/coin-flip/verify',
  '/notices',
  '/decisions',
  '/referrals',
  '/profile',
  '/settings',
  '/wallet-settings',
  '/admin-login',
  '/secret-admin',
  '/admin-key',
  '/management-panel-x7k9w',
  '/management-panel-x7k9w/withdrawals',
  '/management-panel-x7k9w/support',
  '/management-panel-x7k9w/fraud',
  '/management-panel-x7k9w/claims',
  '/management-panel-x7k9w/chat-moderation',
  '/management-panel-x7k9w/announcements',
  '/management-panel-x7k9w/decisions',
  '/management-panel-x7k9w/approvals',
  '/management-panel-x7k9w/manual-rewards',
  '/management-panel-x7k9w/chargebacks',
  '/management-panel-x7k9w/postbacks',
  '/management-panel-x7k9w/postbacks/quarantine',
  '/management-panel-x7k9w/payouts',
  '/management-panel-x7k9w/registrations',
  '/management-panel-x7k9w/books',
  '/management-panel-x7k9w/wallets',
  '/management-panel-x7k9w/catalogue',
  '/management-panel-x7k9w/audit',
  '/management-panel-x7k9w/config',
  '/management-panel-x7k9w/users',
  '/management-panel-x7k9w/multi-account',
  '/management-panel-x7k9w/users/member',
] as const;
export type Screen = (typeof screens)[number];

/** Pages without analytics: the URL holds the token of a mail, or the page is an operator's. */
const unmeasuredScreens: readonly string[] = [
  '/reset-password',
  '/verify-email',
  '/not-me',
  '/unsubscribe',
  '/admin-login',
  '/secret-admin',
  '/admin-key',
  '/management-panel-x7k9w',
  '/management-panel-x7k9w/withdrawals',
  '/management-panel-x7k9w/support',
  '/management-panel-x7k9w/claims',
  '/management-panel-x7k9w/fraud',
  '/management-panel-x7k9w/chat-moderation',
  '/management-panel-x7k9w/announcements',
  '/management-panel-x7k9w/decisions',
  '/management-panel-x7k9w/approvals',
  '/management-panel-x7k9w/manual-rewards',
  '/management-panel-x7k9w/chargebacks',
  '/management-panel-x7k9w/postbacks',
  '/management-panel-x7k9w/postbacks/quarantine',
  '/management-panel-x7k9w/payouts',
  '/management-panel-x7k9w/registrations',
  '/management-panel-x7k9w/books',
  '/management-panel-x7k9w/wallets',
  '/management-panel-x7k9w/catalogue',
  '/management-panel-x7k9w/audit',
  '/management-panel-x7k9w/config',
  '/management-panel-x7k9w/users',
  '/management-panel-x7k9w/multi-account',
  '/management-panel-x7k9w/users/member',
] satisfies Screen[];

/** Whether analytics may run on a page, if the reader agreed. */
export const isMeasurable = (path: string): boolean => !unmeasuredScreens.includes(path);

/**
 * Pages of text, built from the Markdown of `web/content`. The server sends them as separate documents, outside the
 * app's router, so the app links to them with a plain `<a>`.
 */
export const staticPages = ['/about', '/contact', '/cookies', '/faq', '/help', '/privacy', '/terms'] as const;
/** Pages of text that exist only if an operator added `careers.md` or `blog.md`. */
export const optionalPages = ['/blog', '/careers'] as const;
