import type { ReactNode } from 'react';
import { Pager } from '#web/ui/pager.tsx';
import styles from './card-table.module.css';

/** The look of cells: a figure or button at the end, a text that wraps anywhere, a note below it, an opened row. */
export const cells = styles;

/** A column by its name; the name of one that holds buttons is read aloud alone. */
export type CardColumn = { label: string; isFigure?: boolean; isUnseen?: boolean };

type CardTableProps = {
  columns: readonly CardColumn[];
  /** The rows; on a phone a cell with `data-label` is preceded by it. */
  children: ReactNode;
  /** Short cells stand beside each other on a phone, and the button of the last one beside them all. */
  isCompact?: boolean;
};

/** A table in a card, without filters and sheet. On a phone each row is a card. */
export function CardTable({ columns, children, isCompact }: CardTableProps) {
  return (
    <table className={styles.table} data-compact={isCompact}>
      <thead>
        <tr>
          {columns.map(({ label, isFigure, isUnseen }) => (
            <th key={label} className={isFigure === true ? styles.figure : undefined}>
              {isUnseen === true ? <span className="visually-hidden">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

type CardPagerProps = {
  label: string;
  state: {
    page: number;
    read: { data?: { totalPages: number } | undefined };
    show: (part: { page: number }) => void;
  };
};

/** The pages of a list below its table. */
export function CardPager({ label, state: { page, read, show } }: CardPagerProps) {
  return (
    <div className={styles.pager}>
      <Pager
        label={label}
        page={page}
        totalPages={read.data?.totalPages ?? 1}
        onPage={(next) => show({ page: next })}
      />
    </div>
  );
}
