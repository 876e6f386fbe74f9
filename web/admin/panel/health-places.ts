/**
 * The names of the screens (`web/screens.ts`) where operators see or mend a part that is not well, by the part's name
 * or its beginning, which ends with a hyphen. Other parts are mended outside the site.
 */
const places = [
  ['payouts-', 'payouts'],
  ['payments-marker', 'payouts'],
  ['sweep-payouts', 'payouts'],
  ['restore', 'queue'],
  ['rate-', 'queue'],
  ['sweep-rates', 'queue'],
  ['rail-', 'config'],
  ['sweep-rails', 'config'],
  ['ceiling-', 'approvals'],
  ['audit-trail', 'audit'],
  ['sweep-audit-trail', 'audit'],
  ['audit', 'books'],
  ['sweep-audits', 'books'],
] as const;

/** The screen of a part; undefined if it has none. */
export const healthPlaceOf = (part: string): string | undefined =>
  places.find(([start]) => (start.endsWith('-') ? part.startsWith(start) : part === start))?.[1];
