import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { changeSite, readSite } from '#contract/site.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './pause-dialog.module.css';

type PauseDialogProps = { isOpen: boolean; onClose: () => void };

/** Asks before all payouts are stopped, or go on. */
export function PauseDialog({ isOpen, onClose }: PauseDialogProps) {
  const { t } = useTranslation();
  const site = useRead(readSite);
  const change = useAct(changeSite);
  const arePaused = site.data?.payoutsPaused ?? false;
  const words = arePaused ? 'resume' : 'pause';
  const submit = () =>
    change.mutate(
      { body: { payoutsPaused: !arePaused } },
      {
        onSuccess: () => {
          onClose();
          toast.ok(t(`pausing.${words}.done`));
          void site.refetch();
        },
        onError: (error) => toast.bad(t(`refusals.${error.code}`), t(`pausing.${words}.failed`)),
      },
    );
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t(`pausing.${words}.title`)} width={460}>
      <p>{t(`pausing.${words}.text`)}</p>
      <div className={styles.actions}>
        <Button variant="subtle" onClick={onClose} disabled={change.isPending}>
          {t('common.cancel')}
        </Button>
        <Button {...(arePaused ? {} : { color: 'brick' })} loading={change.isPending} onClick={submit}>
          {t(`pausing.${words}.submit`)}
        </Button>
      </div>
    </Dialog>
  );
}
