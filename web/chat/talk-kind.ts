/** The general channel of all members, or the one of a request to support. */
export type TalkKind = 'general' | 'ticket';
