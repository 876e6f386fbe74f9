import clsx from 'clsx';
import { formatPoints, formatSigned, toPoints } from '#web/client/format.ts';
import styles from './amount.module.css';

type AmountProps = { points: string; signed?: boolean; muted?: boolean; className?: string };

/**
 * Points in a list: tabular digits, never wrapped, a smaller unit. A credit is green; a debit has the text colour,
 * never red.
 */
export function Amount({ points, signed = false, muted = false, className }: AmountProps) {
  const isCredit = signed && toPoints(points) > 0n;
  return (
    <span className={clsx(styles.amount, isCredit && styles.credit, muted && styles.muted, className)}>
      {signed ? formatSigned(points) : formatPoints(points)}
      <small>{'\u00a0'}P</small>
    </span>
  );
}
