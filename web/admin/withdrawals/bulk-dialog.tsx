import { Button, Modal, Progress, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  approveAllWithdrawals,
  approveWithdrawal,
  type OperatorWithdrawal,
  rejectAllWithdrawals,
  rejectWithdrawal,
} from '#contract/withdrawals.ts';
import { call, isApiError } from '#web/shell/api.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { formatAmount, formatDollars } from '#web/ui/format.ts';
import styles from './bulk-dialog.module.css';
import { type BulkOutcome, BulkResult } from './bulk-result.tsx';

const REASON_MAX = 500;

/** A decision about many: the chosen rows, or with `null` every request that waits. */
export type Bulk = {
  decision: 'approved' | 'rejected';
  rows: OperatorWithdrawal[] | null;
  count: number;
  sum: bigint;
};

type Phase = 'asking' | 'running' | 'done';

type BulkDialogProps = { bulk: Bulk | null; onDone: () => void; onClose: () => void };

/** Says in numbers what a decision about many will do, does it one by one, and shows what became of each. */
export function BulkDialog({ bulk, onDone, onClose }: BulkDialogProps) {
  const { t } = useTranslation();
  const [phase, setPhase] = useState<Phase>('asking');
  const title = bulk === null ? '' : t(titles[bulk.decision], { count: bulk.count });
  return (
    <Modal
      opened={bulk !== null}
      onClose={onClose}
      title={phase === 'done' ? t('queue.bulk.resultTitle') : title}
      onExitTransitionEnd={() => setPhase('asking')}
      size={480}
      withCloseButton={phase !== 'running'}
      closeOnEscape={phase !== 'running'}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {bulk !== null && <BulkBody bulk={bulk} onDone={onDone} onClose={onClose} onPhase={setPhase} />}
    </Modal>
  );
}

const titles = { approved: 'queue.bulk.approveTitle', rejected: 'queue.bulk.rejectTitle' } as const;
const texts = { approved: 'queue.bulk.approveText', rejected: 'queue.bulk.rejectText' } as const;
const submits = { approved: 'queue.bulk.approveSubmit', rejected: 'queue.bulk.rejectSubmit' } as const;

type BulkBodyProps = {
  bulk: Bulk;
  onDone: () => void;
  onClose: () => void;
  onPhase: (phase: Phase) => void;
};

function BulkBody({ bulk, onDone, onClose, onPhase }: BulkBodyProps) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [reasonError, setReasonError] = useState<string | null>(null);
  const [doneCount, setDoneCount] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const isReject = bulk.decision === 'rejected';

  const run = async () => {
    if (doneCount !== null) return;
    if (isReject && reason.trim() === '') {
      setReasonError(t('queue.reject.required'));
      return;
    }
    onPhase('running');
    setFailure(null);
    setDoneCount(0);
    try {
      setOutcome(await (bulk.rows === null ? decideAll(bulk, reason.trim()) : decideEach(bulk.rows)));
      onPhase('done');
    } catch (error) {
      if (!isApiError(error)) throw error;
      setFailure(t(`refusals.${error.code}`));
      onPhase('asking');
    } finally {
      setDoneCount(null);
      onDone();
    }
  };

  /** One by one, so that each row has an answer of its own, and one that fails stops none of the others. */
  const decideEach = async (rows: OperatorWithdrawal[]): Promise<BulkOutcome> => {
    const results: BulkOutcome['rows'] = [];
    for (const [index, row] of rows.entries()) {
      const name = `${row.userName}, ${formatAmount(row.amount)}`;
      results.push({ id: row.id, name, failure: await failureOf(row) });
      setDoneCount(index + 1);
    }
    const processed = results.filter(({ failure: why }) => why === null).length;
    return { decision: bulk.decision, processed, rows: results };
  };

  /** Decides one row. Null when it was done, else why it was not. */
  const failureOf = async ({ id }: OperatorWithdrawal): Promise<string | null> => {
    try {
      if (isReject) await call(rejectWithdrawal, { params: { id }, body: { reason: reason.trim() } });
      else await call(approveWithdrawal, { params: { id } });
      return null;
    } catch (error) {
      if (!isApiError(error)) throw error;
      return error.code;
    }
  };

  if (outcome !== null) return <BulkResult outcome={outcome} onClose={onClose} />;
  const sums = { amount: formatAmount(bulk.sum), dollars: formatDollars(bulk.sum) };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
      noValidate
    >
      <p>{t(texts[bulk.decision], sums)}</p>
      {bulk.rows === null && <p className={styles.note}>{t('queue.bulk.allText')}</p>}
      {isReject && (
        <Textarea
          className={styles.reason}
          label={<FieldLabel text={t('queue.reject.reason')} help={t('queue.reject.help')} />}
          value={reason}
          maxLength={REASON_MAX}
          autosize
          minRows={2}
          error={fieldError(reasonError)}
          data-autofocus
          onChange={(event) => {
            setReason(event.currentTarget.value);
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

/** Every request that waits, decided by the server one by one. */
async function decideAll(bulk: Bulk, reason: string): Promise<BulkOutcome> {
  const result =
    bulk.decision === 'approved'
      ? await call(approveAllWithdrawals)
      : await call(rejectAllWithdrawals, { body: { reason } });
  return {
    decision: bulk.decision,
    processed: result.processed,
    rows: result.failed.map(({ id, reason: why }) => ({ id, name: null, failure: why })),
  };
}
