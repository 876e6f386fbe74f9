import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Broadcast, retryBroadcast, stopBroadcast } from '#contract/broadcasts.ts';
import type { ApiError } from '#web/client/call.ts';
import { useAct } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './broadcasts.module.css';
import { counted } from './counted.ts';

type CardDialogProps = { row: Broadcast; isOpen: boolean; onClose: () => void };

function useFailure() {
  const { t } = useTranslation();
  return (error: ApiError) => toast.bad(t(`refusals.${error.code}`), t('broadcast.fail.change'));
}

/** Confirms the end of a broadcast for good. */
export function StopDialog({ row, isOpen, onClose }: CardDialogProps) {
  const { t } = useTranslation();
  const stopping = useAct(stopBroadcast);
  const onError = useFailure();
  const waiting = row.recipients - row.sent - row.failed - row.perhapsSent - row.skipped;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('broadcast.stop.title')}
      width={460}
      text={
        <p>
          {t('broadcast.stop.text', {
            sent: t('broadcast.people', counted(row.sent)),
            waiting: t('broadcast.people', counted(waiting)),
          })}
        </p>
      }
    >
      <div className={styles.buttons}>
        <Button
          color="brick"
          loading={stopping.isPending}
          onClick={() => stopping.mutate({ params: { id: row.id } }, { onSuccess: onClose, onError })}
        >
          {t('broadcast.stop.submit')}
        </Button>
        <Button variant="subtle" onClick={onClose} disabled={stopping.isPending}>
          {t('common.cancel')}
        </Button>
      </div>
    </Dialog>
  );
}

/** Confirms that some members may get the mail twice. */
export function AgainDialog({ row, isOpen, onClose }: CardDialogProps) {
  const { t } = useTranslation();
  const retrying = useAct(retryBroadcast);
  const onError = useFailure();
  const again = { params: { id: row.id }, body: { which: 'perhaps-sent' } } as const;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('broadcast.perhaps.title', counted(row.perhapsSent))}
      width={460}
      text={<p>{t('broadcast.perhaps.warning')}</p>}
    >
      <div className={styles.buttons}>
        <Button
          loading={retrying.isPending}
          onClick={() => retrying.mutate(again, { onSuccess: onClose, onError })}
        >
          {t('broadcast.perhaps.submit')}
        </Button>
        <Button variant="subtle" onClick={onClose} disabled={retrying.isPending}>
          {t('common.cancel')}
        </Button>
      </div>
    </Dialog>
  );
}
