import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readSite } from '#contract/site.ts';
import { pausePayouts, readPayoutTotals, resumePayouts } from '#contract/withdrawals-payouts.ts';
import type { ApiError } from '#web/client/call.ts';
import { formatAmount } from '#web/client/format.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import styles from './bulk-dialog.module.css';
import { ReasonDialog } from './reason-dialog.tsx';
import { usePauseText } from './use-pause-text.ts';

type PauseDialogProps = { isOpen: boolean; onClose: () => void };

/** Asks for the reason before all payouts are stopped, or go on. */
export function PauseDialog({ isOpen, onClose }: PauseDialogProps) {
  const { t } = useTranslation();
  const site = useRead(readSite);
  const pausing = useAct(pausePayouts);
  const resuming = useAct(resumePayouts);
  const isPausedNow = site.data?.payoutsPaused ?? false;
  // What a person was asked is what is done, also if another operator pauses payouts meanwhile.
  const [arePaused, setArePaused] = useState(isPausedNow);
  const [wasOpen, setWasOpen] = useState(isOpen);
  const [failure, setFailure] = useState<string | null>(null);
  if (wasOpen !== isOpen) {
    setWasOpen(isOpen);
    setFailure(null);
    if (isOpen) setArePaused(isPausedNow);
  }
  const held = useHeldPayouts(isOpen);
  const pausedBy = usePauseText(site.data?.pause ?? null);
  const words = arePaused ? 'resume' : 'pause';
  const submit = (reason: string) => {
    const answers = {
      onSuccess: () => {
        onClose();
        toast.ok(t(`pausing.${words}.done`));
        void site.refetch();
      },
      onError: (error: ApiError) => {
        const why = t(`refusals.${error.code}`);
        toast.bad(why, t(`pausing.${words}.failed`));
        setFailure(why);
      },
    };
    setFailure(null);
    if (arePaused) resuming.mutate({ body: { reason } }, answers);
    else pausing.mutate({ body: { reason } }, answers);
  };
  return (
    <ReasonDialog
      isOpen={isOpen}
      tone={arePaused ? 'money' : 'plain'}
      words={{
        title: t(`pausing.${words}.title`),
        text: t(`pausing.${words}.text`),
        label: t('pausing.reason'),
        help: t('pausing.reasonHelp'),
        required: t('pausing.required'),
        submit: t(`pausing.${words}.submit`),
      }}
      isPending={pausing.isPending || resuming.isPending}
      failure={failure}
      facts={
        <>
          {held !== undefined && <p className={styles.fact}>{t(`pausing.${words}.payouts`, held)}</p>}
          {pausedBy !== undefined && <p className={styles.fact}>{pausedBy}</p>}
        </>
      }
      onSubmit={submit}
      onClose={onClose}
    />
  );
}

/** What a pause stops: the payouts that are not sent yet. Undefined until they are counted. */
function useHeldPayouts(isRead: boolean): { count: number; amount: string } | undefined {
  const { data } = useRead(readPayoutTotals, undefined, { enabled: isRead });
  if (data === undefined) return undefined;
  const unsent = data.filter(({ state }) => state === 'queued' || state === 'signed');
  return {
    count: unsent.reduce((sum, { count }) => sum + count, 0),
    amount: formatAmount(unsent.reduce((sum, { points }) => sum + BigInt(points), 0n)),
  };
}
