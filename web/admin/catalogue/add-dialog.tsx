import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureLine } from '#web/admin/kit/failure-line.tsx';
import { useSiteConfig } from '#web/client/session.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './catalogue.module.css';
import { EntryFields } from './entry-fields.tsx';
import { EntryPreview } from './entry-preview.tsx';
import { blankEntry, type EntryKind, useEntryForm } from './use-entry-form.ts';

type AddDialogProps = { kind: EntryKind; isOpen: boolean; onClose: () => void };

/** The form of a new entry. It stands above the others of its kind. */
export function AddDialog({ kind, isOpen, onClose }: AddDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('catalogueEntries.add.title')} width={600}>
      {isOpen && <AddForm kind={kind} onClose={onClose} />}
    </Dialog>
  );
}

function AddForm({ kind, onClose }: Pick<AddDialogProps, 'kind' | 'onClose'>) {
  const { t } = useTranslation();
  const provider = useSiteConfig().data?.providers[0]?.id ?? '';
  const [blank] = useState(() => blankEntry(kind, provider));
  const form = useEntryForm(blank, onClose);
  return (
    <form ref={form.ref} className={styles.add} onSubmit={form.submit} noValidate>
      <EntryFields form={form} />
      <EntryPreview form={form} />
      <FailureLine text={form.failure} />
      <p className={styles.help}>{t('catalogueEntries.add.fine')}</p>
      <div className={styles.actions}>
        <Button variant="subtle" onClick={onClose} disabled={form.isSaving}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={form.isSaving}>
          {t('catalogueEntries.add.submit')}
        </Button>
      </div>
    </form>
  );
}
