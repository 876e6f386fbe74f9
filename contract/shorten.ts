/** `7d0c93ae…f491be02`: for ids that need not be compared. A short text stays whole. */
export function shortenMiddle(text: string, kept = 8): string {
  return text.length <= kept * 2 + 1 ? text : `${text.slice(0, kept)}…${text.slice(-kept)}`;
}
