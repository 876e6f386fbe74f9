import { useTranslation } from 'react-i18next';
import styles from './survey-pitch.module.css';

const facts = ['pays', 'takes', 'arrives'] as const;

/** Summarises what surveys pay, how long they take and when points arrive. */
export function SurveyPitch() {
  const { t } = useTranslation();
  return (
    <section aria-label={t('surveys.pitch.label')}>
      <dl className={styles.pitch}>
        {facts.map((fact) => (
          <div key={fact}>
            <dt>{t(`surveys.pitch.${fact}`)}</dt>
            <dd>{t(`surveys.pitch.${fact}Value`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
