/** How names, amounts and pages of withdrawals are shown, to members and operators alike. */

const isHangul = (name: string): boolean => /^\p{Script=Hangul}+$/u.test(name);

/** A person's whole name as it is said: `Mina Kim`, but `최하은`, where both names are Korean, family name first. */
export function shownName(firstName: string, lastName: string | null): string {
  if (!lastName) return firstName;
  return isHangul(firstName) && isHangul(lastName) ? `${lastName}${firstName}` : `${firstName} ${lastName}`;
}

export function paginationOf(page: number, limit: number, totalCount: number) {
  return { page, totalPages: Math.max(1, Math.ceil(totalCount / limit)), totalCount, limit };
}
