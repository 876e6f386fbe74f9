import clsx from 'clsx';
import type { TFunction } from 'i18next';
import button from '#web/ui/plain-button.module.css';
import styles from './consent-notice.module.css';

/** Shows and changes the consent on the cookies page. The page's script shows one of the sentences. */
export function MeasurementChoice({ t }: { t: TFunction }) {
  return (
    <div className={styles.choice}>
      <p data-measuring-state="off">{t('measuring.off')}</p>
      {(['open', 'granted', 'denied'] as const).map((state) => (
        <p key={state} data-measuring-state={state} hidden>
          {t(`measuring.state.${state}`)}
        </p>
      ))}
      <div className={styles.answers} data-measuring-answers hidden>
        {(['denied', 'granted'] as const).map((choice) => (
          <button
            key={choice}
            type="button"
            className={clsx(button.button, button.small, button.outline)}
            data-measuring={choice}
          >
            {t(`measuring.${choice}`)}
          </button>
        ))}
      </div>
    </div>
  );
}
