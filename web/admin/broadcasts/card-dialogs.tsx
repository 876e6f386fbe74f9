import { useTranslation } from 'react-i18next';
import { type Broadcast, retryBroadcast, stopBroadcast } from '#contract/broadcasts.ts';
import { ConfirmDialog } from '#web/admin/kit/confirm-dialog.tsx';
import { useAct } from '#web/client/use-call.ts';
import { counted } from './counted.ts';
import { useChangeFailure } from './use-change-failure.ts';

type CardDialogProps = { row: Broadcast; isOpen: boolean; onClose: () => void };

const waitingOf = ({ recipients, sent, failed, perhapsSent, skipped }: Broadcast) =>
  recipients - sent - failed - perhapsSent - skipped;

/** Confirms the end of a broadcast for good. */
export function StopDialog({ row, isOpen, onClose }: CardDialogProps) {
  const { t } = useTranslation();
  const stopping = useAct(stopBroadcast);
  const onError = useChangeFailure();
  return (
    <ConfirmDialog
      of={isOpen ? row : null}
      words={(broadcast) => ({
        title: t('broadcast.stop.title'),
        text: t('broadcast.stop.text', {
          sent: t('broadcast.people', counted(broadcast.sent)),
          waiting: t('broadcast.people', counted(waitingOf(broadcast))),
        }),
        submit: t('broadcast.stop.submit'),
      })}
      tone="danger"
      isPending={stopping.isPending}
      onSubmit={({ id }) => stopping.mutate({ params: { id } }, { onSuccess: onClose, onError })}
      onClose={onClose}
    />
  );
}

/** Confirms that some members may get the mail twice. */
export function AgainDialog({ row, isOpen, onClose }: CardDialogProps) {
  const { t } = useTranslation();
  const retrying = useAct(retryBroadcast);
  const onError = useChangeFailure();
  const retry = ({ id }: Broadcast) =>
    retrying.mutate({ params: { id }, body: { which: 'perhaps-sent' } }, { onSuccess: onClose, onError });
  return (
    <ConfirmDialog
      of={isOpen ? row : null}
      words={({ perhapsSent }) => ({
        title: t('broadcast.perhaps.title', counted(perhapsSent)),
        text: t('broadcast.perhaps.warning'),
        submit: t('broadcast.perhaps.submit'),
      })}
      isPending={retrying.isPending}
      onSubmit={retry}
      onClose={onClose}
    />
  );
}
