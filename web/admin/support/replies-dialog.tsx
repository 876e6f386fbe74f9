import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CannedReply, removeReply } from '#contract/support-replies.ts';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import { useAct } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './canned-replies.module.css';
import { ReplyForm } from './reply-form.tsx';

type RepliesDialogProps = { replies: readonly CannedReply[]; isOpen: boolean; onClose: () => void };

/** The canned replies that all operators share: each can be changed or removed, and a new one written. */
export function RepliesDialog({ replies, isOpen, onClose }: RepliesDialogProps) {
  const { t } = useTranslation();
  /** The reply in the form, `new` for one that is not kept yet. */
  const [edited, setEdited] = useState<CannedReply | 'new' | null>(null);
  const shown = edited ?? (replies.length === 0 ? 'new' : null);
  const close = () => {
    setEdited(null);
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={t('tickets.replies.title')} width={620}>
      {shown === null ? (
        <>
          <ul className={styles.list}>
            {replies.map((reply) => (
              <Item key={reply.id} reply={reply} onEdit={() => setEdited(reply)} />
            ))}
          </ul>
          <Button onClick={() => setEdited('new')}>{t('tickets.replies.new')}</Button>
        </>
      ) : (
        <ReplyForm
          key={shown === 'new' ? 'new' : shown.id}
          reply={shown === 'new' ? undefined : shown}
          onDone={() => (replies.length === 0 ? close() : setEdited(null))}
        />
      )}
    </Dialog>
  );
}

function Item({ reply, onEdit }: { reply: CannedReply; onEdit: () => void }) {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const removing = useAct(removeReply);
  const { id, title } = reply;
  const remove = () =>
    removing.mutate(
      { params: { id } },
      {
        onSuccess: () => toast.ok(t('tickets.replies.removed', { title })),
        onError: ({ code }) => toast.bad(refusalWords(code), t('tickets.replies.notRemoved')),
      },
    );
  return (
    <li>
      <b>{title}</b>
      <Button
        variant="subtle"
        size="sm"
        aria-label={t('tickets.replies.editOne', { title })}
        onClick={onEdit}
      >
        {t('tickets.replies.edit')}
      </Button>
      <Button
        variant="subtle"
        size="sm"
        loading={removing.isPending}
        aria-label={t('tickets.replies.removeOne', { title })}
        onClick={remove}
      >
        {t('tickets.replies.remove')}
      </Button>
    </li>
  );
}
