import type { ReactNode } from 'react';
import styles from './list-state.module.css';

type EmptyStateProps = { title: string; text: string; action?: ReactNode };

/** The state of an empty list: an explanation and the next act. */
export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <svg viewBox="0 0 96 72" aria-hidden="true">
        <rect x="12" y="4" width="72" height="64" rx="6" />
        <path d="M20 4v64M28 20h48M28 36h48M28 52h48" />
      </svg>
      <p className={styles.title}>{title}</p>
      <p className={styles.text}>{text}</p>
      {action}
    </div>
  );
}
