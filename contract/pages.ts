/** The pagination of a reply. An empty list has one page. */
export const paginationOf = ({ page, limit }: { page: number; limit: number }, totalCount: number) => ({
  page,
  totalPages: Math.max(1, Math.ceil(totalCount / limit)),
  totalCount,
  limit,
});
