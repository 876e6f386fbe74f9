/** How amounts and pages of withdrawals are shown, to members and operators alike. */

/** The balance as a member sees it. */
export const shownBalance = (balance: bigint): string => String(balance < 0n ? 0n : balance);

export function paginationOf(page: number, limit: number, totalCount: number) {
  return { page, totalPages: Math.max(1, Math.ceil(totalCount / limit)), totalCount, limit };
}
