import { IconPlayerPause } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { readSite } from '#contract/site.ts';
import { useRead } from '#web/client/use-call.ts';
import { Notice } from './notice.tsx';

const POLL_MS = 15_000;

/** Says that all payouts are paused (the site's setting `payoutsPaused`). Nothing while they are not. */
export function PausedNotice() {
  const { t } = useTranslation();
  const { data } = useRead(readSite, undefined, { refetchInterval: POLL_MS });
  if (!data?.payoutsPaused) return null;
  return (
    <Notice title={t('queue.paused.title')} icon={IconPlayerPause}>
      <p>{t('queue.paused.text')}</p>
    </Notice>
  );
}
