import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureLine } from '#web/admin/kit/failure-line.tsx';
import { UnsavedGuard, useGuardedClose } from '#web/admin/kit/unsaved-guard.tsx';
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
  const guarded = useGuardedClose(onClose);
  return (
    <>
      <Dialog isOpen={isOpen} onClose={guarded.close} title={t('catalogueEntries.add.title')} width={600}>
        {isOpen && (
          <AddForm
            kind={kind}
            onChange={guarded.setChanged}
            onCancel={guarded.close}
            onDone={guarded.closeSaved}
          />
        )}
      </Dialog>
      {guarded.question}
    </>
  );
}

type AddFormProps = {
  kind: EntryKind;
  onChange: (isChanged: boolean) => void;
  onCancel: () => void;
  onDone: () => void;
};

function AddForm({ kind, onChange, onCancel, onDone }: AddFormProps) {
  const { t } = useTranslation();
  const provider = useSiteConfig().data?.providers[0]?.id ?? '';
  const [blank] = useState(() => blankEntry(kind, provider));
  const form = useEntryForm(blank, onDone);
  const { isChanged } = form;
  useEffect(() => onChange(isChanged), [isChanged, onChange]);
  return (
    <form ref={form.ref} className={styles.add} onSubmit={form.submit} noValidate>
      <UnsavedGuard isChanged={isChanged} />
      <EntryFields form={form} />
      <EntryPreview form={form} />
      <FailureLine text={form.failure} />
      <p className={styles.help}>{t('catalogueEntries.add.fine')}</p>
      <div className={styles.actions}>
        <Button variant="subtle" onClick={onCancel} disabled={form.isSaving}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={form.isSaving}>
          {t('catalogueEntries.add.submit')}
        </Button>
      </div>
    </form>
  );
}
