import type { ReactNode } from 'react';
import styles from './side-sheet.module.css';

/** The parts of a side sheet: the scrolling facts, a list of facts, and the foot with the decision. */

export function SheetFacts({ children }: { children: ReactNode }) {
  return <div className={styles.facts}>{children}</div>;
}

export function FactList({ children }: { children: ReactNode }) {
  return <dl className={styles.factList}>{children}</dl>;
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

type SheetFootProps = {
  /** Explains what the buttons do and whether it is final. */
  fine: ReactNode;
  failure?: string | null;
  /** Form fields above the buttons. */
  fields?: ReactNode;
  children: ReactNode;
};

export function SheetFoot({ fine, failure, fields, children }: SheetFootProps) {
  return (
    <div className={styles.foot}>
      {fields}
      {failure ? (
        <p className={styles.failure} role="alert">
          {failure}
        </p>
      ) : (
        <p className={styles.fine}>{fine}</p>
      )}
      <div className={styles.buttons}>{children}</div>
    </div>
  );
}
