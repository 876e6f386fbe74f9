import { useTranslation } from 'react-i18next';
import { type ListedBan, liftBan } from '#contract/chat-moderation.ts';
import { ConfirmDialog } from '#web/admin/kit/confirm-dialog.tsx';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

const nameOf = ({ userName, userId }: ListedBan) => userName ?? userId;

/** Asks before a ban is lifted. Without a ban the dialog is closed. */
export function LiftBanDialog({ ban, onClose }: { ban: ListedBan | null; onClose: () => void }) {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const lifting = useAct(liftBan);
  const submit = (lifted: ListedBan) =>
    lifting.mutate(
      { params: { id: lifted.id } },
      {
        onSuccess: () => toast.ok(t('chatModeration.bans.liftDone', { name: nameOf(lifted) })),
        onError: ({ code }) => toast.bad(refusalWords(code), t('chatModeration.bans.liftFailed')),
        onSettled: onClose,
      },
    );
  return (
    <ConfirmDialog
      of={ban}
      words={(lifted) => ({
        title: t('chatModeration.bans.liftTitle', { name: nameOf(lifted) }),
        text: t('chatModeration.bans.liftText', { name: nameOf(lifted) }),
        submit: t('chatModeration.bans.liftSubmit'),
      })}
      isPending={lifting.isPending}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
