import { Button } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type ListedBan, liftBan } from '#contract/chat-moderation.ts';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import { useAct } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './chat.module.css';

/** Asks before a ban is lifted. Without a ban the dialog is closed; while it closes it shows the last one. */
export function LiftBanDialog({ ban, onClose }: { ban: ListedBan | null; onClose: () => void }) {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const lifting = useAct(liftBan);
  const last = useRef(ban);
  if (ban !== null) last.current = ban;
  const name = last.current?.userName ?? last.current?.userId ?? '';
  const submit = () => {
    if (ban === null) return;
    lifting.mutate(
      { params: { id: ban.id } },
      {
        onSuccess: () => toast.ok(t('chatModeration.bans.liftDone', { name })),
        onError: ({ code }) => toast.bad(refusalWords(code), t('chatModeration.bans.liftFailed')),
        onSettled: onClose,
      },
    );
  };
  return (
    <Dialog
      isOpen={ban !== null}
      onClose={onClose}
      isLocked={lifting.isPending}
      title={t('chatModeration.bans.liftTitle', { name })}
      width={460}
      text={<p>{t('chatModeration.bans.liftText', { name })}</p>}
    >
      <div className={styles.buttons}>
        <Button loading={lifting.isPending} onClick={submit}>
          {t('chatModeration.bans.liftSubmit')}
        </Button>
        <Button variant="subtle" disabled={lifting.isPending} onClick={onClose}>
          {t('common.cancel')}
        </Button>
      </div>
    </Dialog>
  );
}
