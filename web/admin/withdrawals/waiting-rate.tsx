import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { confirmRate, type Rate } from '#contract/withdrawals-rates.ts';
import { ReasonDialog } from '#web/admin/kit/reason-dialog.tsx';
import { Fact, FactList } from '#web/admin/kit/sheet-parts.tsx';
import { formatTimeInFull } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { findRail, useRails } from '#web/ui/rails.ts';
import { toast } from '#web/ui/toast.tsx';
import styles from './possible-payments.module.css';
import { changeText } from './rate-change.ts';

/** A rate that moved so far that an operator must confirm it: what its sources said, and the button that begins. */
export function WaitingRate({ rate, onConfirm }: { rate: Rate; onConfirm: () => void }) {
  const { t } = useTranslation();
  if (rate.waiting === null) return null;
  return (
    <>
      <p>{rate.usd === null ? t('queue.rate.firstText') : t('queue.rate.text')}</p>
      <Sources waiting={rate.waiting} />
      <Button variant="default" size="sm" mt="sm" onClick={onConfirm}>
        {t('queue.rate.open')}
      </Button>
    </>
  );
}

function Sources({ waiting }: { waiting: NonNullable<Rate['waiting']> }) {
  const { i18n } = useTranslation();
  if (waiting.sources.length === 0) return null;
  return (
    <ul>
      {waiting.sources.map(({ name, usd, at }) => (
        <li key={name}>
          {name} ${usd}, {formatTimeInFull(at ?? waiting.at, i18n.language)}
        </li>
      ))}
    </ul>
  );
}

type ConfirmRateDialogProps = { rate: Rate | null; onClose: () => void };

/** Confirms a rate that waits. It shows the rate before, the new one and the change, and asks for a reason. */
export function ConfirmRateDialog({ rate, onClose }: ConfirmRateDialogProps) {
  const { t } = useTranslation();
  // What is shown stays as it was when the dialog opened. A rate that is another one by then is not confirmed.
  const [shown, setShown] = useState(rate);
  if (rate !== null && rate !== shown) setShown(rate);
  const { data: rails } = useRails();
  const { mutate, isPending, error, reset } = useAct(confirmRate);
  if (shown?.waiting == null) return null;
  const { currency, usd, waiting } = shown;
  const words = { currency: findRail(rails, currency)?.currency ?? currency, to: waiting.usd };
  const close = () => {
    reset();
    onClose();
  };
  const confirm = (reason: string) =>
    mutate(
      { params: { currency }, body: { usd: waiting.usd, reason } },
      {
        onSuccess: () => {
          toast.ok(t('queue.rate.confirmed', words));
          close();
        },
      },
    );
  return (
    <ReasonDialog
      isOpen={rate !== null}
      tone="money"
      words={{
        title: t('queue.rate.confirmTitle', words),
        text: t('queue.rate.confirmText', words),
        label: t('queue.payoutSheet.reason'),
        help: t('queue.payoutSheet.reasonHelp'),
        required: t('queue.reject.required'),
        submit: t('queue.rate.confirm', words),
      }}
      isPending={isPending}
      failure={error === null ? null : t(`refusals.${error.code}`)}
      onSubmit={confirm}
      onClose={close}
      facts={
        <div className={styles.facts}>
          <FactList>
            <Fact label={t('queue.rate.before')}>{usd === null ? t('queue.rate.none') : `$${usd}`}</Fact>
            <Fact label={t('queue.rate.after')}>${waiting.usd}</Fact>
            {usd !== null && <Fact label={t('queue.rate.change')}>{changeText(usd, waiting.usd)}</Fact>}
          </FactList>
          <Sources waiting={waiting} />
        </div>
      }
    />
  );
}
