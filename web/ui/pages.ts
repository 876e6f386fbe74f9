/**
 * The page numbers to show under a list: the first, the last, and the current plus or minus two, with a gap for
 * left-out numbers. `pagesShown(7, 20)` → `[1, 'gap', 5, 6, 7, 8, 9, 'gap', 20]`.
 */
export function pagesShown(current: number, total: number): (number | 'gap')[] {
  const wanted = new Set([1, total]);
  for (let page = current - 2; page <= current + 2; page++) if (page >= 1 && page <= total) wanted.add(page);
  const shown: (number | 'gap')[] = [];
  let before = 0;
  for (const page of [...wanted].sort((a, b) => a - b)) {
    if (page - before > 1) shown.push('gap');
    shown.push(page);
    before = page;
  }
  return shown;
}
