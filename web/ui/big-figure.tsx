import styles from './big-figure.module.css';

/**
 * The place of a balance in the skeleton of a member's document: a bar, and the template from which the document's own
 * script replaces it.
 */
export const BigFigurePlace = () => (
  <p className={styles.figure}>
    <span className={styles.place} />
    <template data-balance>
      <span data-points />
      <span className={styles.unit}>{'\u00a0P'}</span>
    </template>
  </p>
);

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
