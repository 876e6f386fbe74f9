import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import styles from './settings.module.css';

/** The parts of the settings. The chosen one is in the URL. */
export const settingsTabs = ['providers', 'payments', 'site'] as const;
export type SettingsTab = (typeof settingsTabs)[number];

export function SettingsTabs({ current }: { current: SettingsTab }) {
  const { t } = useTranslation();
  return (
    <nav className={styles.tabs} aria-label={t('connection.tabs.label')}>
      {settingsTabs.map((tab) => (
        <Link
          key={tab}
          to="/management-panel-x7k9w/config"
          search={{ tab }}
          aria-current={tab === current ? 'page' : undefined}
        >
          {t(`connection.tabs.${tab}`)}
        </Link>
      ))}
    </nav>
  );
}
