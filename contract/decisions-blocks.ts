/**
 * What screens need of decisions: the blocks that end by themselves or are lifted, and the reasons of holds that
 * members read. It stands apart from the schemas, which screens don't load.
 */

export const blockKinds = ['earnings_blocked', 'withdrawal_blocked', 'full_suspension', 'chat_ban'] as const;
export type BlockKind = (typeof blockKinds)[number];
export const isBlock = (kind: string): kind is BlockKind => blockKinds.some((one) => one === kind);

/** The reasons of holds that a member is told; another one is `other`, because it would say what the site noticed. */
export const toldRules = ['amount', 'review', 'household', 'new_destination', 'security_change'] as const;
