import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { confirmRate, type Rate, readPayoutRates } from '#contract/withdrawals-rates.ts';
import { formatTime } from '#web/client/format.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { findRail, useRails } from '#web/ui/rails.ts';
import { toast } from '#web/ui/toast.tsx';
import { Banner } from './banner.tsx';
import { changeText, priceText } from './rate-change.ts';

const POLL_MS = 30_000;

/** The rates that moved so far that an operator must confirm them. Nothing is shown while there is none. */
export function WaitingRates() {
  const rates = useRead(readPayoutRates, undefined, { refetchInterval: POLL_MS }).data ?? [];
  return rates
    .filter(({ waiting }) => waiting !== null)
    .map((rate) => <WaitingRate key={rate.currency} rate={rate} />);
}

function WaitingRate({ rate: { currency, usd, waiting } }: { rate: Rate }) {
  const { t, i18n } = useTranslation();
  const { data: rails } = useRails();
  const { mutate, isPending } = useAct(confirmRate);
  if (waiting === null) return null;
  const rate = { currency: findRail(rails, currency)?.currency ?? currency, to: priceText(waiting.usd) };
  const confirm = () =>
    mutate(
      { params: { currency }, body: { usd: waiting.usd } },
      {
        onSuccess: () => toast.ok(t('queue.rate.confirmed', rate)),
        onError: (error) => toast.bad(t(`refusals.${error.code}`)),
      },
    );
  const sources = waiting.sources.map(
    ({ name, usd: price, at }) =>
      `${name} $${priceText(price)}, ${formatTime(at ?? waiting.at, i18n.language)}`,
  );
  return (
    <Banner
      title={
        usd === null
          ? t('queue.rate.firstTitle', rate)
          : t('queue.rate.title', { ...rate, from: priceText(usd), change: changeText(usd, waiting.usd) })
      }
    >
      <p>{usd === null ? t('queue.rate.firstText') : t('queue.rate.text')}</p>
      {sources.length > 0 && (
        <ul>
          {sources.map((source) => (
            <li key={source}>{source}</li>
          ))}
        </ul>
      )}
      <Button variant="default" size="sm" mt="sm" loading={isPending} onClick={confirm}>
        {t('queue.rate.confirm', rate)}
      </Button>
    </Banner>
  );
}
