import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Screen } from '#contract/screens.ts';
import styles from './overview-tabs.module.css';

const PANEL = '/management-panel-x7k9w';

type Card =
  | 'config'
  | 'withdrawals'
  | 'approvals'
  | 'users'
  | 'manual-rewards'
  | 'payouts'
  | 'books'
  | 'audit'
  | 'support'
  | 'fraud'
  | 'multi-account';

/** The screens of a subject, as cards. */
export function LinkCards({ names }: { names: readonly Card[] }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.cards}>
      {names.map((name) => (
        <li key={name}>
          <Link to={`${PANEL}/${name}` satisfies Screen} className="card">
            <b>{t(`overview.links.${name}.title`)}</b>
            <span>{t(`overview.links.${name}.text`)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
