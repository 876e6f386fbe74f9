/** What a movement of points is about, in a member's history and in the timeline that operators read. */
export const movementKinds = [
  'earning',
  'reversal',
  'bonus',
  'referral',
  'coinflip-stake',
  'coinflip-prize',
  'grant',
  'withdrawal',
  'withdrawal-return',
] as const;
export type MovementKind = (typeof movementKinds)[number];
