/** The decisions that block a member, until they end. They stand apart from the schemas, which screens don't load. */

export const blockKinds = ['earnings_blocked', 'withdrawal_blocked', 'full_suspension', 'chat_ban'] as const;
export type BlockKind = (typeof blockKinds)[number];
export const isBlock = (kind: string): kind is BlockKind => blockKinds.some((one) => one === kind);
