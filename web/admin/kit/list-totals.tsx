import { useTranslation } from 'react-i18next';
import type { Total } from './list-screen.ts';
import styles from './operator-list.module.css';

export function ListTotals({ totals }: { totals: readonly Total[] }) {
  const { t } = useTranslation();
  return (
    <dl className={`num ${styles.totals}`} aria-label={t('list.totals')}>
      {totals.map(({ key, label, value }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
