import type { ReactNode } from 'react';
import styles from './consequences.module.css';

/** What an act that can't be undone will do, one `li` each, above its buttons. */
export function Consequences({ children }: { children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>;
}

/** The buttons below: to leave, and to do it. */
export function ConsequenceButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
