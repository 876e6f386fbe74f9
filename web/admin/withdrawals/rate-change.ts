import { formatPoints } from '#web/client/format.ts';

const MINUS = '−';

/** A rate as whole units of its last possible digit (18 after the point). */
const toUnits = (rate: string): bigint => {
  const [whole = '0', fraction = ''] = rate.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
};

/** A price in dollars for operators, without its sign: all its digits, at least two after the point. `1,234.50` */
export function priceText(usd: string): string {
  const [whole = '0', fraction = ''] = usd.split('.');
  return `${formatPoints(whole)}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** The change between two rates in decimal text, in percent rounded to a whole number: `+37%`, `−8%`. */
export function changeText(from: string, to: string): string {
  const [before, after] = [toUnits(from), toUnits(to)];
  if (before === 0n) return '';
  const moved = after > before ? after - before : before - after;
  const percent = (moved * 200n + before) / (before * 2n);
  return `${after < before ? MINUS : '+'}${percent}%`;
}
