import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CatalogueEntry, EntryMove } from '#contract/earning-catalogue-entries.ts';
import { SheetFacts, SheetFoot } from '#web/admin/kit/sheet-parts.tsx';
import { UnsavedGuard } from '#web/admin/kit/unsaved-guard.tsx';
import styles from './catalogue.module.css';
import { EntryFields } from './entry-fields.tsx';
import { EntryPreview } from './entry-preview.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { StateBadge } from './state-badge.tsx';
import { useEntryForm } from './use-entry-form.ts';

type EntrySheetProps = {
  row: CatalogueEntry;
  onMove: (row: CatalogueEntry, move: EntryMove) => void;
  onClose: () => void;
};

const moves = ['first', 'up', 'down', 'last'] as const;

/** One entry: how members see it, its place, and its fields. */
export function EntrySheet({ row, onMove, onClose }: EntrySheetProps) {
  const { t } = useTranslation();
  const form = useEntryForm(row);
  const [isRemoving, setRemoving] = useState(false);
  const { isChanged, isSaving, isStale, failure, showStored } = form;
  return (
    <form ref={form.ref} className={styles.form} onSubmit={form.submit} noValidate>
      <SheetFacts>
        <div className={styles.head}>
          <StateBadge state={row.state} />
          <p className={styles.help}>{t(`catalogueEntries.stateText.${row.state}`)}</p>
        </div>
        <EntryPreview form={form} />
        <fieldset className={styles.moves}>
          <legend>{t('catalogueEntries.order.title')}</legend>
          {moves.map((to) => (
            <Button key={to} variant="default" size="sm" onClick={() => onMove(row, { to })}>
              {t(`catalogueEntries.order.${to}`)}
            </Button>
          ))}
        </fieldset>
        <EntryFields form={form} />
      </SheetFacts>
      <UnsavedGuard isChanged={isChanged && !isRemoving} />
      <SheetFoot
        fine={t(isChanged ? 'catalogueEntries.unsaved' : 'catalogueEntries.saved')}
        failure={failure}
        fields={
          isStale && (
            <Button className={styles.stale ?? ''} variant="default" fullWidth onClick={showStored}>
              {t('catalogueEntries.showStored')}
            </Button>
          )
        }
      >
        <Button variant="outline" color="brick" disabled={isSaving} onClick={() => setRemoving(true)}>
          {t('catalogueEntries.remove.begin')}
        </Button>
        <Button type="submit" className={styles.save ?? ''} loading={isSaving} disabled={!isChanged}>
          {t('catalogueEntries.save')}
        </Button>
      </SheetFoot>
      <RemoveDialog row={row} isOpen={isRemoving} onClose={() => setRemoving(false)} onRemoved={onClose} />
    </form>
  );
}
