import clsx from 'clsx';
import styles from './step-list.module.css';

export type Step = {
  label: string;
  /** The actual or usual time of the step; empty if unknown. */
  note?: string;
  /** Done, current, or later. */
  state: 'done' | 'now' | 'later';
};

type StepListProps = {
  label: string;
  steps: readonly Step[];
  /** The class for the columns and the end of the line. */
  className: string | undefined;
};

/** Steps in a line: a dot for a completed step, a bold ring for the current one, a thin ring for a later one. */
export function StepList({ label: name, steps, className }: StepListProps) {
  return (
    <ol className={clsx(styles.list, className)} aria-label={name}>
      {steps.map(({ label, note = '', state }) => (
        <li key={label} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
          {label}
          {note !== '' && <span className={styles.note}>{note}</span>}
        </li>
      ))}
    </ol>
  );
}
