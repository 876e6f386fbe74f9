import { useTranslation } from 'react-i18next';
import { HowItWorks } from './how-it-works.tsx';
import { VerifyForm } from './verify-form.tsx';
import styles from './verify-page.module.css';

/** Checks any past game in the browser. It needs the seeds only, and no account. */
export function VerifyPage({ isMember = true }: { isMember?: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <div className={styles.head}>
        <h1>{t('coinflip.verify.title')}</h1>
        <p className="dim">{t('coinflip.verify.lead')}</p>
      </div>
      <div className={styles.columns}>
        <VerifyForm isMember={isMember} />
        <HowItWorks />
      </div>
    </>
  );
}
