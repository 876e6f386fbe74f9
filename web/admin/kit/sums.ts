import { formatAmount, formatDollars, toPoints } from '#web/client/format.ts';

/** The points of rows together. */
export const sumOf = (rows: readonly { amount: string }[]): bigint =>
  rows.reduce((sum, row) => sum + toPoints(row.amount), 0n);

/** Points and what they are worth, as texts name them. */
export const sumsOf = (points: bigint): { amount: string; dollars: string } => ({
  amount: formatAmount(points),
  dollars: formatDollars(points),
});

/** The sum of the selected rows, as the bar below the list shows it. */
export function sumText(rows: readonly { amount: string }[]): string {
  const { amount, dollars } = sumsOf(sumOf(rows));
  return `${amount} · ${dollars}`;
}
