import { useTranslation } from 'react-i18next';
import { DangerZone } from './danger-zone.tsx';
import { ExportCard } from './export-card.tsx';
import { HouseholdCard } from './household-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { PhoneCard } from './phone-card.tsx';
import { PreferencesCard } from './preferences-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import styles from './settings-page.module.css';

/** The settings page: phone, preferences, password, sessions, household, data export and account deletion. */
export function SettingsPage() {
  const { t } = useTranslation();
  return (
    <div className={styles.page}>
      <h1>{t('settings.title')}</h1>
      <p className={`dim ${styles.lead}`}>{t('settings.lead')}</p>
      <PhoneCard />
      <PreferencesCard />
      <PasswordCard />
      <SessionsCard />
      <HouseholdCard />
      <ExportCard />
      <DangerZone />
    </div>
  );
}
