import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Total } from './list-screen.ts';
import styles from './operator-list.module.css';

/** The value of a total: that of the last read, undefined before the first, null if that failed. */
export function totalOf<Read>(
  { data, isError }: { data: Read | undefined; isError: boolean },
  show: (data: Read) => ReactNode,
): ReactNode {
  if (data !== undefined) return show(data);
  return isError ? null : undefined;
}

/** The totals above a list: a bar until a value was read, “–” if the read failed. */
export function ListTotals({ totals }: { totals: readonly Total[] }) {
  const { t } = useTranslation();
  return (
    <dl className={`num ${styles.totals}`} aria-label={t('list.totals')}>
      {totals.map((total) => (
        <div key={total.key}>
          <dt>{total.label}</dt>
          <dd>
            {total.value === undefined ? <span className={styles.unread} /> : (total.value ?? '–')}
            {'note' in total && total.note !== null && <small>{total.note ?? '\u00a0'}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
