import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isLanguage, languages } from '#web/i18n/i18n.ts';
import { SchemeChoice } from '#web/shell/scheme-choice.tsx';
import { languageNames, useLanguage } from '#web/shell/use-language.ts';
import { PhoneCard } from './phone-card.tsx';
import styles from './settings-page.module.css';

/** How the site speaks and looks on this device, and the phone that a withdrawal needs. */
export function SettingsPage() {
  const { t } = useTranslation();
  const { language, choose } = useLanguage();
  return (
    <div className={styles.page}>
      <h1>{t('settings.title')}</h1>
      <p className={`dim ${styles.lead}`}>{t('settings.lead')}</p>
      <PhoneCard />
      <section className={`card ${styles.card}`}>
        <div className={styles.setting}>
          <div>
            <h2 id="language">{t('settings.language')}</h2>
            <p className="small dim">{t('settings.languageText')}</p>
          </div>
          <SegmentedControl
            fullWidth
            aria-labelledby="language"
            value={language}
            onChange={(value) => isLanguage(value) && choose(value)}
            data={languages.map((value) => ({
              value,
              label: <span lang={value}>{languageNames[value]}</span>,
            }))}
          />
        </div>
        <div className={styles.setting}>
          <div>
            <h2 id="scheme">{t('settings.scheme')}</h2>
            <p className="small dim">{t('settings.schemeText')}</p>
          </div>
          <SchemeChoice labelledBy="scheme" />
        </div>
      </section>
    </div>
  );
}
