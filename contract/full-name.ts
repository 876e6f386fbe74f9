const isHangul = (name: string): boolean => /^\p{Script=Hangul}+$/u.test(name);

/** A person's full name. If both parts are Korean, the family name comes first, without a space. */
export function fullNameOf({ firstName, lastName }: { firstName: string; lastName: string | null }): string {
  if (!lastName) return firstName;
  return isHangul(firstName) && isHangul(lastName) ? `${lastName}${firstName}` : `${firstName} ${lastName}`;
}
