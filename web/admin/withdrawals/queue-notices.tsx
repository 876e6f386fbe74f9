import { IconPlayerPause } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { readSite } from '#contract/site.ts';
import { type Rate, readPayoutRates } from '#contract/withdrawals-rates.ts';
import type { ListNotice } from '#web/admin/kit/list-notices.tsx';
import { useRead } from '#web/client/use-call.ts';
import { findRail, useRails } from '#web/ui/rails.ts';
import { changeText } from './rate-change.ts';
import { useRestoreNotice } from './restore-notice.tsx';
import { WaitingRate } from './waiting-rate.tsx';

/** What an operator must know of the queue: a pause, what is left after a restore, and rates that wait. */

const PAUSE_POLL_MS = 15_000;
const RATES_POLL_MS = 30_000;

/** @param onConfirm asks for the confirmation of a rate that waits */
export function useQueueNotices(onConfirm: (rate: Rate) => void): ListNotice[] {
  const paused = usePauseNotice();
  const restored = useRestoreNotice();
  const rates = useRateNotices(onConfirm);
  return [...(paused === undefined ? [] : [paused]), ...(restored === undefined ? [] : [restored]), ...rates];
}

/** Says that all payouts are paused (the site's setting `payoutsPaused`). */
function usePauseNotice(): ListNotice | undefined {
  const { t } = useTranslation();
  const { data } = useRead(readSite, undefined, { refetchInterval: PAUSE_POLL_MS });
  if (!data?.payoutsPaused) return undefined;
  const title = t('queue.paused.title');
  return { key: 'paused', title, icon: IconPlayerPause, content: () => <p>{t('queue.paused.text')}</p> };
}

/** The rates that moved so far that an operator must confirm them. */
function useRateNotices(onConfirm: (rate: Rate) => void): ListNotice[] {
  const { t } = useTranslation();
  const { data: rails } = useRails();
  const rates = useRead(readPayoutRates, undefined, { refetchInterval: RATES_POLL_MS }).data ?? [];
  return rates.flatMap((rate) => {
    const { currency, usd, waiting } = rate;
    if (waiting === null) return [];
    const words = { currency: findRail(rails, currency)?.currency ?? currency, to: waiting.usd };
    const title =
      usd === null
        ? t('queue.rate.firstTitle', words)
        : t('queue.rate.title', { ...words, from: usd, change: changeText(usd, waiting.usd) });
    const content = (close: () => void) => (
      <WaitingRate
        rate={rate}
        onConfirm={() => {
          close();
          onConfirm(rate);
        }}
      />
    );
    return [{ key: `rate-${currency}`, title, content }];
  });
}
