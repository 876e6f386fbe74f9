import clsx from 'clsx';
import type { TFunction } from 'i18next';
import button from '#web/ui/plain-button.module.css';
import styles from './consent-notice.module.css';

/**
 * Asks readers for consent, on a site that counts visits. It is plain markup, because prerendered pages have it too;
 * a small script handles their buttons. Both buttons look alike.
 */
export function ConsentNotice({
  t,
  onChoose,
}: {
  t: TFunction;
  onChoose?: (choice: 'granted' | 'denied') => void;
}) {
  return (
    <section className={styles.notice} aria-label={t('measuring.title')}>
      <p>
        {t('measuring.question')} <a href="/cookies">{t('measuring.more')}</a>
      </p>
      <div className={styles.answers}>
        {(['denied', 'granted'] as const).map((choice) => (
          <button
            key={choice}
            type="button"
            className={clsx(button.button, button.small, button.outline)}
            data-measuring={choice}
            onClick={onChoose === undefined ? undefined : () => onChoose(choice)}
          >
            {t(`measuring.${choice}`)}
          </button>
        ))}
      </div>
    </section>
  );
}
