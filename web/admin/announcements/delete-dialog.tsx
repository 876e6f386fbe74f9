import { useTranslation } from 'react-i18next';
import { deleteAnnouncement, type OperatorAnnouncement } from '#contract/announcements.ts';
import { readTermsMails } from '#contract/broadcasts.ts';
import { ConfirmDialog } from '#web/admin/kit/confirm-dialog.tsx';
import { formatPoints } from '#web/client/format.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

type DeleteDialogProps = {
  row: OperatorAnnouncement;
  /** The title that the operator reads. */
  title: string;
  isOpen: boolean;
  onClose: () => void;
  onDeleted: () => void;
};

/** Whether members get mails about it, because it changes the terms and is public. */
const isMailed = ({ effectiveOn, state }: OperatorAnnouncement) =>
  effectiveOn !== null && state !== 'scheduled';

/** Confirms that an announcement is deleted for all members. */
export function DeleteDialog({ row, title, isOpen, onClose, onDeleted }: DeleteDialogProps) {
  const { t } = useTranslation();
  const mails = useRead(readTermsMails, { params: { id: row.id } }, { enabled: isMailed(row) && isOpen });
  const { sent, recipients } = mails.data ?? { sent: 0, recipients: 0 };
  const deleting = useAct(deleteAnnouncement);
  const submit = () =>
    deleting.mutate(
      { params: { id: row.id } },
      {
        onSuccess: () => {
          toast.ok(t('announcementList.done.deleted', { title }));
          onDeleted();
        },
        onError: () => toast.bad(t('announcementList.fail.again'), t('announcementList.fail.delete')),
      },
    );
  return (
    <ConfirmDialog
      of={isOpen ? row : null}
      words={({ state }) => ({
        title: t('announcementList.remove.title', { title }),
        text: (
          <>
            <p>{t(`announcementList.remove.${state === 'scheduled' ? 'scheduledText' : 'text'}`)}</p>
            {sent > 0 && (
              <p>
                {t('announcementList.remove.sent', {
                  sent: formatPoints(sent),
                  all: formatPoints(recipients),
                })}
              </p>
            )}
          </>
        ),
        submit: t('announcementList.remove.submit'),
      })}
      tone="danger"
      isPending={deleting.isPending}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
