/**
 * Every page's URL. The server answers 200 to these and 404 with the not-found page to any other path; the web
 * binds each to a lazily loaded page in `web/routes.tsx`, and a test keeps the two lists equal.
 */
export const screens = [
  '/',
  '/auth',
  '/login',
  '/earn',
  '/history',
  '/withdrawal',
  '/settings',
  '/admin-login',
  '/secret-admin',
  '/admin-key',
  '/management-panel-x7k9w',
] as const;
export type Screen = (typeof screens)[number];
