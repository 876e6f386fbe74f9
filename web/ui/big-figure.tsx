import styles from './big-figure.module.css';

/** The large figure of a screen. A bar of the same size is shown until it is known. */
export function BigFigure({
  text,
  unit,
  isLoading = false,
}: {
  text: string;
  unit: string;
  isLoading?: boolean;
}) {
  if (isLoading) {
    return (
      <p className={styles.figure} aria-hidden="true">
        <span className={styles.bar}>1,000 {unit}</span>
      </p>
    );
  }
  return (
    <p className={styles.figure} data-long={text.length > 9 || undefined}>
      {text}
      <span className={styles.unit}>
        {'\u00a0'}
        {unit}
      </span>
    </p>
  );
}
