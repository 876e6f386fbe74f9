import { useTranslation } from 'react-i18next';
import styles from './balance-failed.module.css';

/** Shown on a balance card whose balance could not be fetched. */
export function BalanceFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <p role="alert">
      {t('common.balanceFailed')}{' '}
      <button type="button" className={styles.link} onClick={onRetry}>
        {t('common.tryAgain')}
      </button>
    </p>
  );
}
