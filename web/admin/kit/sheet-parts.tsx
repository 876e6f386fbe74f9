import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPoints } from '#web/client/format.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { FailureLine } from './failure-line.tsx';
import styles from './side-sheet.module.css';
import { useMemberKey } from './use-sheet-key.ts';

/** The parts of a side sheet: the sum, the person, the scrolling facts, and the foot with the decision. */

export function SheetFacts({ children }: { children: ReactNode }) {
  return <div className={styles.facts}>{children}</div>;
}

type SheetSumProps = {
  points: string;
  badges: ReactNode;
  /** A line below the sum. */
  note?: string;
  /** What the points are worth. */
  children: ReactNode;
};

/** The points that are decided about. */
export function SheetSum({ points, badges, note, children }: SheetSumProps) {
  return (
    <div className={styles.sum}>
      <div>
        <p className={styles.badges}>{badges}</p>
        <p className={`num ${styles.figure}`}>
          {formatPoints(points)} <small>P</small>
        </p>
        {note !== undefined && <p className={styles.contact}>{note}</p>}
      </div>
      <div className={styles.worth}>{children}</div>
    </div>
  );
}

type SheetPersonProps = {
  id: string;
  name: string;
  firstName: string;
  lastName?: string | null;
  email: string;
};

/** The member whom the row is about, with the way to the member's page. */
export function SheetPerson({ id, name, firstName, lastName = '', email }: SheetPersonProps) {
  const { t } = useTranslation();
  const link = useRef<HTMLAnchorElement>(null);
  useMemberKey(() => link.current?.click());
  return (
    <div className={styles.who}>
      <Avatar person={{ firstName, lastName }} />
      <div>
        <p className={styles.person}>{name}</p>
        <p className={styles.contact}>
          {email} · <span className="num">{id}</span>
        </p>
      </div>
      <Link
        ref={link}
        className={styles.member}
        to="/management-panel-x7k9w/users/member"
        search={{ id }}
        aria-label={t('list.memberPage', { name })}
      >
        {t('list.member')}
      </Link>
    </div>
  );
}

export function FactList({ children }: { children: ReactNode }) {
  return <dl className={styles.factList}>{children}</dl>;
}

type FactProps = {
  label: string;
  /** A sentence about the fact, below it. */
  note?: string;
  children: ReactNode;
};

export function Fact({ label, note, children }: FactProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
      {note !== undefined && <dd className={styles.note}>{note}</dd>}
    </div>
  );
}

type SheetFootProps = {
  /** Explains what the buttons do and whether it is final. */
  fine?: ReactNode;
  failure?: string | null;
  /** Form fields, or what stands against the act, above the buttons. */
  fields?: ReactNode;
  children: ReactNode;
};

export function SheetFoot({ fine, failure, fields, children }: SheetFootProps) {
  return (
    <div className={styles.foot}>
      {fields}
      {failure ? (
        <FailureLine text={failure} className={styles.failure} />
      ) : (
        fine !== undefined && <p className={styles.fine}>{fine}</p>
      )}
      <div className={styles.buttons}>{children}</div>
    </div>
  );
}
