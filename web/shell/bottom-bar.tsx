import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import styles from './bottom-bar.module.css';
import { bottomLinks } from './navigation.ts';

/** The navigation of a phone, within reach of a thumb. */
export function BottomBar() {
  const { t } = useTranslation();
  return (
    <nav className={styles.bar} aria-label={t('nav.mainBottom')}>
      {bottomLinks.map(({ to, label, icon: Icon, exact }) => (
        <Link key={to} to={to} activeOptions={{ exact, includeSearch: false }}>
          <Icon size={20} stroke={1.75} aria-hidden="true" />
          <span>{t(label)}</span>
        </Link>
      ))}
    </nav>
  );
}
