import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BanDuration } from '#contract/chat-moderation.ts';
import { ReasonDialog } from '#web/admin/kit/reason-dialog.tsx';
import { DurationField } from './duration-field.tsx';
import styles from './reports.module.css';

type DialogProps = {
  name: string;
  isOpen: boolean;
  isPending: boolean;
  failure: string | null;
  onClose: () => void;
};

/** Warns the writer of a reported message, who reads the reason. The message goes. */
export function WarnDialog({ name, ...rest }: DialogProps & { onSubmit: (reason: string) => void }) {
  const { t } = useTranslation();
  return (
    <ReasonDialog
      {...rest}
      tone="plain"
      words={{
        title: t('chatModeration.warnDialog.title', { name }),
        text: t('chatModeration.warnDialog.text'),
        submit: t('chatModeration.warnDialog.submit'),
        label: t('chatModeration.bans.reason'),
        help: t('chatModeration.bans.reasonHelp'),
        required: t('chatModeration.bans.reasonRequired'),
      }}
    />
  );
}

type BanWriterDialogProps = DialogProps & { onSubmit: (reason: string, duration: BanDuration) => void };

/** Bans the writer of a reported message from the chat. The message goes. */
export function BanWriterDialog({ name, onSubmit, ...rest }: BanWriterDialogProps) {
  const { t } = useTranslation();
  const [duration, setDuration] = useState<BanDuration>('1day');
  return (
    <ReasonDialog
      {...rest}
      words={{
        title: t('chatModeration.banWriter.title', { name }),
        text: t('chatModeration.banWriter.text', { name }),
        submit: t('chatModeration.bans.confirm.submit'),
        label: t('chatModeration.bans.reason'),
        help: t('chatModeration.bans.reasonHelp'),
        required: t('chatModeration.bans.reasonRequired'),
      }}
      fields={
        <div className={styles.field}>
          <DurationField value={duration} onChange={setDuration} />
        </div>
      }
      onSubmit={(reason) => onSubmit(reason, duration)}
    />
  );
}
