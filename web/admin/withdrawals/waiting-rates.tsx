import { Alert, Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { confirmRate, type Rate, readPayoutRates } from '#contract/withdrawals-rates.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

const POLL_MS = 30_000;

/** The rates that moved so far that an operator must confirm them. Nothing is shown while there is none. */
export function WaitingRates() {
  const rates = useRead(readPayoutRates, undefined, { refetchInterval: POLL_MS }).data ?? [];
  return rates
    .filter(({ waiting }) => waiting !== null)
    .map((rate) => <WaitingRate key={rate.currency} rate={rate} />);
}

function WaitingRate({ rate: { currency, usd, waiting } }: { rate: Rate }) {
  const { t } = useTranslation();
  const { mutate, isPending } = useAct(confirmRate);
  if (waiting === null) return null;
  const rate = { currency, from: usd ?? '?', to: waiting.usd };
  const confirm = () =>
    mutate(
      { params: { currency }, body: { usd: waiting.usd } },
      {
        onSuccess: () => toast.ok(t('queue.rate.confirmed', rate)),
        onError: (error) => toast.bad(t(`refusals.${error.code}`)),
      },
    );
  return (
    <Alert
      color="yellow"
      mb="md"
      role="status"
      icon={<IconAlertTriangle size={20} stroke={1.75} aria-hidden="true" />}
      title={t('queue.rate.title', rate)}
    >
      <p>{t('queue.rate.text')}</p>
      <Button variant="default" size="sm" mt="sm" loading={isPending} onClick={confirm}>
        {t('queue.rate.confirm', rate)}
      </Button>
    </Alert>
  );
}
