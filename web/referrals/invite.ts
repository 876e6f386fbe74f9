/** What a referrer is given for a friend's first task. */
export const REWARD_POINTS = 100n;

/** The address at which a friend registers with the code filled in. */
export const inviteLink = (code: string): string =>
  `${window.location.origin}/auth?ref=${encodeURIComponent(code)}`;

/** How a friend is called in the referrer's lists: by the end of the id, since names are nobody else's business. */
export const friendNumber = (referredId: string): string => referredId.slice(-6);
