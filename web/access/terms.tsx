import { useTranslation } from 'react-i18next';
import styles from './form.module.css';

/** Links to the terms, in a new window so that the form stays. */
export function Terms({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <p className={styles.terms}>
      {text}{' '}
      <a href="/terms" target="_blank" rel="noreferrer" className="link">
        {t('access.readTerms')}
      </a>
    </p>
  );
}
