import clsx from 'clsx';
import type { TFunction } from 'i18next';
import button from '#web/ui/plain-button.module.css';
import styles from './consent-notice.module.css';

/**
 * The question whether a reader may be counted, on a site that counts. Plain markup, because it also stands on the
 * prerendered pages, whose small script answers for the buttons. Both answers weigh the same.
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
