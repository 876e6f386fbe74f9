import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CatalogueEntry, removeEntry } from '#contract/earning-catalogue-entries.ts';
import { ConfirmDialog } from '#web/admin/kit/confirm-dialog.tsx';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

type RemoveDialogProps = {
  row: CatalogueEntry;
  isOpen: boolean;
  onClose: () => void;
  onRemoved: () => void;
};

/** Confirms that an entry is taken off for good. */
export function RemoveDialog({ row, isOpen, onClose, onRemoved }: RemoveDialogProps) {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const removing = useAct(removeEntry);
  const [failure, setFailure] = useState<string | null>(null);
  const remove = () => {
    setFailure(null);
    removing.mutate(
      { params: { id: row.id } },
      {
        onSuccess: () => {
          toast.ok(t('catalogueEntries.done.removed', { title: row.title }));
          onRemoved();
        },
        onError: ({ code }) => setFailure(`${t('catalogueEntries.remove.failed')}. ${refusalWords(code)}`),
      },
    );
  };
  return (
    <ConfirmDialog
      of={isOpen ? row : null}
      words={({ title }) => ({
        title: t('catalogueEntries.remove.title'),
        text: t('catalogueEntries.remove.text', { title }),
        submit: t('catalogueEntries.remove.submit'),
      })}
      tone="danger"
      isPending={removing.isPending}
      failure={failure}
      onSubmit={remove}
      onClose={onClose}
    />
  );
}
