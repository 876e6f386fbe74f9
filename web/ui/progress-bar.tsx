import styles from './progress-bar.module.css';

type ProgressBarProps = { value: number; max: number; label: string };

/** The progress of points to a goal, drawn as the ticks of a coin's edge. The label states it as text. */
export function ProgressBar({ value, max, label }: ProgressBarProps) {
  const share = max <= 0 ? 100 : Math.min(100, Math.max(0, (value / max) * 100));
  return (
    <div
      className={styles.bar}
      style={{ '--filled': `${share}%` } as React.CSSProperties}
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-label={label}
    />
  );
}
