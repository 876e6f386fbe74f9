import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CatalogueEntry, removeEntry } from '#contract/earning-catalogue-entries.ts';
import { FailureLine } from '#web/admin/kit/failure-line.tsx';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import { useAct } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './catalogue.module.css';

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
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('catalogueEntries.remove.title')}
      width={460}
      text={<p>{t('catalogueEntries.remove.text', { title: row.title })}</p>}
    >
      <FailureLine text={failure} className={styles.failure} />
      <div className={styles.actions}>
        <Button variant="subtle" onClick={onClose} disabled={removing.isPending}>
          {t('common.cancel')}
        </Button>
        <Button color="brick" loading={removing.isPending} onClick={remove}>
          {t('catalogueEntries.remove.submit')}
        </Button>
      </div>
    </Dialog>
  );
}
