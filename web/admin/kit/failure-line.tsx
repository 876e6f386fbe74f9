import clsx from 'clsx';
import styles from './failure-line.module.css';

/** Why an act or a reading failed, in a box that a screen reader reads at once. Nothing without a text. */
export function FailureLine({ text, className }: { text: string | null; className?: string | undefined }) {
  if (text === null) return null;
  return (
    <p className={clsx(styles.failure, className)} role="alert">
      {text}
    </p>
  );
}
