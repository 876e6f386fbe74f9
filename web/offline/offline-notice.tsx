import clsx from 'clsx';
import type { TFunction } from 'i18next';
import { Brand } from '#web/ui/brand.tsx';
import button from '#web/ui/plain-button.module.css';
import styles from './offline-notice.module.css';

/** The page that is shown without a network. The URL stays, so reloading tries again. */
export function OfflineNotice({ t, brandName }: { t: TFunction; brandName: string }) {
  return (
    <main id="main" className={styles.page}>
      <Brand name={brandName} />
      <svg viewBox="0 0 96 72" className={styles.drawing} aria-hidden="true">
        <path d="M18 4h60a6 6 0 0 1 6 6v52a6 6 0 0 1-6 6H18a6 6 0 0 1-6-6V10a6 6 0 0 1 6-6ZM20 4v64" />
        <path d="M44 28l16 16M60 28L44 44" />
      </svg>
      <h1>{t('offline.title')}</h1>
      <p className="dim">{t('offline.text')}</p>
      <a className={clsx(button.button, button.green)} href="?" data-reload>
        {t('common.tryAgain')}
      </a>
    </main>
  );
}
