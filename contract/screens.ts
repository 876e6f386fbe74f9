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
  '/earn',
  '/tasks',
  '/surveys',
  '/cpx-surveys',
  '/kiwiwall-offers',
  '/history',
  '/chargeback-history',
  '/withdrawal',
  '/coin-flip/verify',
  '/referrals',
  '/profile',
  '/settings',
  '/admin-login',
  '/secret-admin',
  '/admin-key',
  '/management-panel-x7k9w',
  '/management-panel-x7k9w/support',
] as const;
export type Screen = (typeof screens)[number];

/** Pages that no script of somebody else may read: the address holds the token of a mail, or an operator is there. */
const unmeasuredScreens: readonly string[] = [
  '/reset-password',
  '/verify-email',
  '/admin-login',
  '/secret-admin',
  '/admin-key',
  '/management-panel-x7k9w',
  '/management-panel-x7k9w/support',
] satisfies Screen[];

/** Whether a page may be counted, where a reader agreed to it. */
export const isMeasurable = (path: string): boolean => !unmeasuredScreens.includes(path);

/**
 * Pages of text, made from the Markdown of `web/content` when the web is built. They are documents of the server and no
 * screens of the app, so the app links to them with an ordinary `<a>`.
 */
export const staticPages = ['/about', '/contact', '/cookies', '/faq', '/help', '/privacy', '/terms'] as const;
/** The same, but there only where an operator has added `careers.md` or `blog.md`. */
export const optionalPages = ['/blog', '/careers'] as const;
