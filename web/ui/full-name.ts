const isHangul = (name: string): boolean => /^\p{Script=Hangul}+$/u.test(name);

/** A person's whole name as it is said: family name first, without a space, where both are Korean. */
export function fullNameOf({ firstName, lastName }: { firstName: string; lastName: string | null }): string {
  if (!lastName) return firstName;
  return isHangul(firstName) && isHangul(lastName) ? `${lastName}${firstName}` : `${firstName} ${lastName}`;
}
