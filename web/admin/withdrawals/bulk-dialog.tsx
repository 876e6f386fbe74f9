import { Button, Progress, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAmount, formatDollars } from '#web/client/format.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import styles from './bulk-dialog.module.css';
import { BulkResult } from './bulk-result.tsx';
import { type Bulk, type BulkPhase, useBulk } from './use-bulk.ts';

const REASON_MAX = 500;

type BulkDialogProps = { bulk: Bulk | null; onDone: () => void; onClose: () => void };

/** Says in numbers what a decision about many will do, does it one by one, and shows what became of each. */
export function BulkDialog({ bulk, onDone, onClose }: BulkDialogProps) {
  const { t } = useTranslation();
  const [phase, setPhase] = useState<BulkPhase>('asking');
  const title = bulk === null ? '' : t(titles[bulk.decision], { count: bulk.count });
  return (
    <Dialog
      isOpen={bulk !== null}
      onClose={onClose}
      onClosed={() => setPhase('asking')}
      title={phase === 'done' ? t('queue.bulk.resultTitle') : title}
      width={480}
      isLocked={phase === 'running'}
    >
      {bulk !== null && <BulkBody bulk={bulk} onDone={onDone} onClose={onClose} onPhase={setPhase} />}
    </Dialog>
  );
}

const titles = { approved: 'queue.bulk.approveTitle', rejected: 'queue.bulk.rejectTitle' } as const;
const texts = { approved: 'queue.bulk.approveText', rejected: 'queue.bulk.rejectText' } as const;
const submits = { approved: 'queue.bulk.approveSubmit', rejected: 'queue.bulk.rejectSubmit' } as const;

type BulkBodyProps = {
  bulk: Bulk;
  onDone: () => void;
  onClose: () => void;
  onPhase: (phase: BulkPhase) => void;
};

function BulkBody({ bulk, onDone, onClose, onPhase }: BulkBodyProps) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [reasonError, setReasonError] = useState<string | null>(null);
  const { run, doneCount, outcome, failure } = useBulk(bulk, onPhase, onDone);
  const isReject = bulk.decision === 'rejected';
  const submit = () => {
    if (isReject && reason.trim() === '') setReasonError(t('queue.reject.required'));
    else void run(reason.trim());
  };

  if (outcome !== null) return <BulkResult outcome={outcome} onClose={onClose} />;
  const sums = { amount: formatAmount(bulk.sum), dollars: formatDollars(bulk.sum) };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      noValidate
    >
      <p>{t(texts[bulk.decision], sums)}</p>
      {bulk.rows === null && <p className={styles.note}>{t('queue.bulk.allText')}</p>}
      {isReject && (
        <ReasonField
          reason={reason}
          error={reasonError}
          onChange={(text) => {
            setReason(text);
            setReasonError(null);
          }}
        />
      )}
      {failure !== null && (
        <p className={styles.failure} role="alert">
          {failure}
        </p>
      )}
      {doneCount !== null && bulk.rows !== null && (
        <div className={styles.progress} role="status">
          <Progress value={(doneCount / bulk.count) * 100} aria-hidden="true" />
          <p className="small dim num">{t('queue.bulk.running', { done: doneCount, count: bulk.count })}</p>
        </div>
      )}
      <div className={styles.actions}>
        <Button variant="subtle" onClick={onClose} disabled={doneCount !== null}>
          {t('common.cancel')}
        </Button>
        <Button
          type="submit"
          loading={doneCount !== null}
          {...(isReject ? { color: 'brick' } : { variant: 'money' })}
        >
          {t(submits[bulk.decision], { count: bulk.count, ...sums })}
        </Button>
      </div>
    </form>
  );
}

type ReasonFieldProps = { reason: string; error: string | null; onChange: (text: string) => void };

function ReasonField({ reason, error, onChange }: ReasonFieldProps) {
  const { t } = useTranslation();
  return (
    <Textarea
      className={styles.reason}
      label={<FieldLabel text={t('queue.reject.reason')} help={t('queue.reject.help')} />}
      value={reason}
      maxLength={REASON_MAX}
      autosize
      minRows={2}
      error={fieldError(error)}
      data-autofocus
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
