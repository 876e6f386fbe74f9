import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#web/ui/dialog.tsx';
import { TermsFields, TextFields, WhenFields } from './announcement-fields.tsx';
import { AnnouncementPreview } from './announcement-preview.tsx';
import styles from './announcements.module.css';
import { useAnnouncementForm } from './use-announcement-form.ts';

type PublishDialogProps = { isOpen: boolean; onClose: () => void };

/** Writes an announcement in both languages, side by side, and publishes or schedules it. */
export function PublishDialog({ isOpen, onClose }: PublishDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('announcementList.form.title')} width={960}>
      {isOpen && <PublishForm onClose={onClose} />}
    </Dialog>
  );
}

function PublishForm({ onClose }: Pick<PublishDialogProps, 'onClose'>) {
  const { t } = useTranslation();
  const form = useAnnouncementForm(onClose);
  const [isPreviewed, setPreviewed] = useState(false);
  const { isScheduled } = form.draft;
  return (
    <form ref={form.ref} className={styles.form} onSubmit={form.submit} noValidate>
      <div className={styles.sides}>
        <TextFields form={form} language="en" />
        <TextFields form={form} language="ko" />
      </div>
      <div className={styles.rules}>
        <WhenFields form={form} />
        <TermsFields form={form} />
      </div>
      {isPreviewed && <AnnouncementPreview draft={form.draft} />}
      <div className={styles.foot}>
        <p className={styles.fine}>{t(`announcementList.form.${isScheduled ? 'fineLater' : 'fine'}`)}</p>
        <Button variant="default" aria-expanded={isPreviewed} onClick={() => setPreviewed(!isPreviewed)}>
          {t(`announcementList.form.${isPreviewed ? 'hidePreview' : 'preview'}`)}
        </Button>
        <Button type="submit" loading={form.isSaving}>
          {t(`announcementList.form.${isScheduled ? 'submitLater' : 'submitNow'}`)}
        </Button>
      </div>
    </form>
  );
}
