/** The kinds of notices, which settings name too. */
export const noticeKinds = [
  'paid',
  'rejected',
  'chargeback',
  'held',
  'approved',
  'granted',
  'decision',
  'ticket',
  'message',
  'sign-in',
  'security',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** The kinds whose mail can't be switched off. `notices.is_always_mailed` says the same in SQL; a test compares. */
export const alwaysMailed: readonly NoticeKind[] = ['sign-in', 'security'];
