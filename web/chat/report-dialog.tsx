import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ReportReason, reportMessage, reportReasons } from '#contract/chat.ts';
import type { Message } from '#contract/message.ts';
import { formatMoment } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './report-dialog.module.css';

type ReportDialogProps = { message: Message; isOpen: boolean; onClose: () => void; onClosed: () => void };

/** Asks what is wrong with a message and reports it to the operators. */
export function ReportDialog({ message, isOpen, onClose, onClosed }: ReportDialogProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const reporting = useAct(reportMessage);
  const [reason, setReason] = useState<ReportReason | null>(null);
  const name = message.user.firstName;
  const report = () => {
    if (reason === null || reporting.isPending) return;
    reporting.mutate(
      { params: { id: message.id }, body: { reason } },
      {
        onSuccess: () => {
          toast.ok(t('chat.reporting.sent'));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      onClosed={onClosed}
      title={t('chat.reporting.title')}
      width={420}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          report();
        }}
      >
        <blockquote className={styles.quote}>
          <p dir="auto">{message.message}</p>
          <span>{t('chat.reporting.who', { name, time: formatMoment(message.createdAt, language) })}</span>
        </blockquote>
        <fieldset className={styles.reasons}>
          <legend className="visually-hidden">{t('chat.reporting.what')}</legend>
          {reportReasons.map((one) => (
            <label key={one}>
              <input type="radio" name="reason" checked={one === reason} onChange={() => setReason(one)} />
              {t(`chat.reporting.reasons.${one}`)}
            </label>
          ))}
        </fieldset>
        <p className={styles.hint}>{t('chat.reporting.hint', { name })}</p>
        {reporting.isError && (
          <p className={styles.failed} role="alert">
            {fieldError(t(`refusals.${reporting.error.code}`))}
          </p>
        )}
        <div className={styles.foot}>
          <Button type="submit" disabled={reason === null} loading={reporting.isPending}>
            {t('chat.reporting.send')}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {t('common.cancel')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
