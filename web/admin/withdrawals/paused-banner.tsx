import { IconPlayerPause } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { readSite } from '#contract/site.ts';
import { useRead } from '#web/client/use-call.ts';
import { Banner } from './banner.tsx';

const POLL_MS = 15_000;

/** Says that all payouts are paused (the site's setting `payoutsPaused`). Nothing while they are not. */
export function PausedBanner() {
  const { t } = useTranslation();
  const { data } = useRead(readSite, undefined, { refetchInterval: POLL_MS });
  if (!data?.payoutsPaused) return null;
  return (
    <Banner title={t('queue.paused.title')} icon={IconPlayerPause}>
      <p>{t('queue.paused.text')}</p>
    </Banner>
  );
}
