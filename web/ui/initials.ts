/** The initials for an avatar: the first letters of both names, or the last two syllables of a Korean first name. */
export function initialsOf({ firstName, lastName }: { firstName: string; lastName: string | null }): string {
  const first = [...firstName.trim()];
  if (/\p{Script=Hangul}/u.test(firstName)) return first.slice(-2).join('');
  const last = [...(lastName ?? '').trim()];
  return `${first[0] ?? ''}${last[0] ?? ''}`.toUpperCase();
}
