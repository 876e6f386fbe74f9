import type { ReactNode } from 'react';
import styles from './operator-page.module.css';

type OperatorPageProps = {
  /** The title with what belongs to it, such as tabs. */
  head: ReactNode;
  /** Whether a line ends the head: totals at its end have their own. */
  isRuled?: boolean;
  /** The name of the content. */
  label: string;
  children: ReactNode;
};

/** The frame of an operators' screen that is no list. */
export function OperatorPage({ head, isRuled = true, label, children }: OperatorPageProps) {
  return (
    <main id="main" tabIndex={-1} className={styles.main}>
      <div className={styles.head} data-ruled={isRuled || undefined}>
        {head}
      </div>
      <section className={styles.content} aria-label={label}>
        {children}
      </section>
    </main>
  );
}
