import { Button } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type Rate, readPayoutRates } from '#contract/withdrawals-rates.ts';
import type { ListNotice } from '#web/admin/kit/list-notices.tsx';
import { usePauseText } from '#web/admin/kit/use-pause-text.ts';
import { formatTime } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { findRail, useRails } from '#web/ui/rails.ts';
import { changeText } from './rate-change.ts';
import { useRestoreNotice } from './restore-notice.tsx';
import { usePause } from './use-paused.ts';
import { WaitingRate } from './waiting-rate.tsx';

/** What an operator must know of the queue: a pause, what is left after a restore, and rates that wait. */

const RATES_POLL_MS = 30_000;

type Asking = {
  /** Asks for the confirmation of a rate that waits. */
  onConfirm: (rate: Rate) => void;
  /** Asks whether the payouts go on. */
  onResume: () => void;
};

export function useQueueNotices({ onConfirm, onResume }: Asking): ListNotice[] {
  return [...usePayoutNotices(onResume), ...useRateNotices(onConfirm)];
}

/** What stops payouts: what is left after a restore, and a pause. First what could be paid twice. */
export function usePayoutNotices(onResume: () => void): ListNotice[] {
  const notices = [useRestoreNotice(), usePauseNotice(onResume)];
  return notices.filter((notice) => notice !== undefined);
}

/** Says that all payouts are paused (the site's setting `payoutsPaused`), by whom, since when and why. */
function usePauseNotice(onResume: () => void): ListNotice | undefined {
  const { t } = useTranslation();
  const { arePaused, pause } = usePause();
  const note = usePauseText(pause);
  if (!arePaused) return undefined;
  const content = (close: () => void) => (
    <>
      {note !== undefined && <p>{note}</p>}
      <p>{t('queue.paused.text')}</p>
      <Button
        variant="default"
        size="sm"
        mt="sm"
        onClick={() => {
          close();
          onResume();
        }}
      >
        {t('queue.paused.resume')}
      </Button>
    </>
  );
  return {
    key: 'paused',
    title: t('queue.paused.title'),
    ...(note !== undefined && { note }),
    icon: IconPlayerPause,
    content,
  };
}

/** The rates that moved so far that an operator must confirm them, and those that are too old to pay by. */
function useRateNotices(onConfirm: (rate: Rate) => void): ListNotice[] {
  const { t, i18n } = useTranslation();
  const { data: rails } = useRails();
  const rates = useRead(readPayoutRates, undefined, { refetchInterval: RATES_POLL_MS }).data ?? [];
  return rates.flatMap((rate) => {
    const { currency, usd, at, isUsable, waiting } = rate;
    const symbol = findRail(rails, currency)?.currency ?? currency;
    if (waiting === null) {
      if (isUsable) return [];
      const title =
        at === null
          ? t('queue.rate.missingTitle', { currency: symbol })
          : t('queue.rate.oldTitle', { currency: symbol, time: formatTime(at, i18n.language) });
      return [{ key: `rate-${currency}`, title, content: () => <p>{t('queue.rate.oldText')}</p> }];
    }
    const words = { currency: symbol, to: waiting.usd };
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
