import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import { formatAmount } from '#web/client/format.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import styles from './bulk-dialog.module.css';

const REASON_MAX = 500;

type RejectDialogProps = {
  row: OperatorWithdrawal | null;
  isPending: boolean;
  failure: string | null;
  onReject: (reason: string) => void;
  onClose: () => void;
};

/** Asks for the reason, which the member reads. */
export function RejectDialog({ row, ...rest }: RejectDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={row !== null} onClose={rest.onClose} title={t('queue.reject.title')} width={460}>
      {row !== null && <RejectForm row={row} {...rest} />}
    </Dialog>
  );
}

type RejectFormProps = RejectDialogProps & { row: OperatorWithdrawal };

function RejectForm({ row, isPending, failure, onReject, onClose }: RejectFormProps) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string | null>(null);
  const amount = formatAmount(row.amount);
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (reason.trim() === '') setError(t('queue.reject.required'));
    else onReject(reason.trim());
  };
  return (
    <form onSubmit={submit} noValidate>
      <p>{t('queue.reject.text', { amount, name: row.userName })}</p>
      <Textarea
        className={styles.reason}
        label={<FieldLabel text={t('queue.reject.reason')} help={t('queue.reject.help')} />}
        value={reason}
        maxLength={REASON_MAX}
        autosize
        minRows={2}
        error={fieldError(error)}
        data-autofocus
        onChange={(event) => {
          setReason(event.currentTarget.value);
          setError(null);
        }}
      />
      {failure !== null && (
        <p className={styles.failure} role="alert">
          {failure}
        </p>
      )}
      <div className={styles.actions}>
        <Button variant="subtle" onClick={onClose} disabled={isPending}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" color="brick" loading={isPending}>
          {t('queue.reject.submit', { amount })}
        </Button>
      </div>
    </form>
  );
}
