import { IconPlayerPause } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { readSite } from '#contract/site.ts';
import { useRead } from '#web/client/use-call.ts';
import styles from './restore-notice.module.css';

const POLL_MS = 15_000;

/** Says that all payouts are paused (the site's setting `payoutsPaused`). Nothing while they are not. */
export function PausedNotice() {
  const { t } = useTranslation();
  const { data } = useRead(readSite, undefined, { refetchInterval: POLL_MS });
  if (!data?.payoutsPaused) return null;
  return (
    <section className={styles.notice} role="status" aria-label={t('queue.paused.title')}>
      <IconPlayerPause size={20} aria-hidden="true" />
      <div>
        <h2>{t('queue.paused.title')}</h2>
        <p>{t('queue.paused.text')}</p>
      </div>
    </section>
  );
}
