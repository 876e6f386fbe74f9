/** Displayed names, and the pagination of a page, for members and operators. */

const isHangul = (name: string): boolean => /^\p{Script=Hangul}+$/u.test(name);

/** The full name: first name first (`Mina Kim`), but family name first without a space if both are Korean (`최하은`). */
export function shownName(firstName: string, lastName: string | null): string {
  if (!lastName) return firstName;
  return isHangul(firstName) && isHangul(lastName) ? `${lastName}${firstName}` : `${firstName} ${lastName}`;
}

export function paginationOf(page: number, limit: number, totalCount: number) {
  return { page, totalPages: Math.max(1, Math.ceil(totalCount / limit)), totalCount, limit };
}
