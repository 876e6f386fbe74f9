/** The URL of the registration form with the code filled in. */
export const inviteLink = (code: string): string =>
  `${window.location.origin}/auth?ref=${encodeURIComponent(code)}`;

/** The name of a friend in the referrer's lists: the end of the id, because a friend's name is private. */
export const friendNumber = (referredId: string): string => referredId.slice(-6);
