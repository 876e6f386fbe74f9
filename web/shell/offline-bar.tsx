import { IconCloudOff } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './offline-bar.module.css';

function subscribe(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/** Shown while there is no network. It covers the page, so that the layout does not shift. */
export function OfflineBar() {
  const { t } = useTranslation();
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status" className={styles.place}>
      {!isOnline && (
        <p className={styles.bar}>
          <IconCloudOff size={20} stroke={1.75} aria-hidden="true" />
          {t('offlineBar')}
        </p>
      )}
    </div>
  );
}
