import clsx from 'clsx';
import styles from './track.module.css';

export type Step = {
  label: string;
  /** When it was, or usually is; empty where nothing is known. */
  note?: string;
  /** Done, now, or still to come. */
  state: 'done' | 'now' | 'later';
};

type TrackProps = {
  label: string;
  steps: readonly Step[];
  /** Its columns, and how it ends. */
  className: string | undefined;
};

/** Steps in a line: dots for what is done, a ring for what is waited for now, dotted for what is to come. */
export function Track({ label: name, steps, className }: TrackProps) {
  return (
    <ol className={clsx(styles.track, className)} aria-label={name}>
      {steps.map(({ label, note = '', state }) => (
        <li key={label} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
          {label}
          {note !== '' && <span className={styles.note}>{note}</span>}
        </li>
      ))}
    </ol>
  );
}
