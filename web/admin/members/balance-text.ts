import { formatAmount, formatSigned, toPoints } from '#web/client/format.ts';

/** A balance as operators see it: `2,310 P`, below zero `−190 P`. */
export const balanceText = (points: string): string =>
  toPoints(points) < 0n ? `${formatSigned(points)}\u00a0P` : formatAmount(points);
