/** A page's place among all pages, for the lists of withdrawals. */
export function paginationOf(page: number, limit: number, totalCount: number) {
  return { page, totalPages: Math.max(1, Math.ceil(totalCount / limit)), totalCount, limit };
}
