import { Button, Progress } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './bulk-dialog.module.css';
import { BulkResult } from './bulk-result.tsx';
import { FailureLine } from './failure-line.tsx';
import { ReasonField } from './reason-dialog.tsx';
import { showField } from './show-field.ts';
import { type BulkAct, type BulkPhase, useBulkAct } from './use-bulk-act.ts';

type BulkDialogProps<Row> = { act: BulkAct<Row> | null; onActed: () => void; onClose: () => void };

/** Confirms an act on many rows with its numbers, runs it, and shows the result of each row. */
export function BulkDialog<Row extends { id: string }>({ act, onActed, onClose }: BulkDialogProps<Row>) {
  const { t } = useTranslation();
  const [phase, setPhase] = useState<BulkPhase>('asking');
  return (
    <Dialog
      isOpen={act !== null}
      onClose={onClose}
      onClosed={() => setPhase('asking')}
      title={phase === 'done' ? t('list.bulk.resultTitle') : (act?.title ?? '')}
      width={480}
      isLocked={phase === 'running'}
      text={act !== null && phase !== 'done' && <BulkText act={act} />}
    >
      {act !== null && <BulkBody act={act} onActed={onActed} onClose={onClose} onPhase={setPhase} />}
    </Dialog>
  );
}

function BulkText<Row>({ act: { text, note } }: { act: BulkAct<Row> }) {
  return (
    <>
      <p>{text}</p>
      {note !== undefined && <p className={styles.note}>{note}</p>}
    </>
  );
}

type BulkBodyProps<Row> = {
  act: BulkAct<Row>;
  onActed: () => void;
  onClose: () => void;
  onPhase: (phase: BulkPhase) => void;
};

const submitLooks = { plain: {}, money: { variant: 'money' }, danger: { color: 'brick' } } as const;

function BulkBody<Row extends { id: string }>({ act, onActed, onClose, onPhase }: BulkBodyProps<Row>) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [reasonError, setReasonError] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { run, doneCount, outcome, failure } = useBulkAct(act, onPhase, onActed);
  const submit = () => {
    if (act.reason !== undefined && reason.trim() === '') {
      setReasonError(act.reason.required);
      showField(field.current);
    } else void run(reason.trim());
  };

  if (outcome !== null) return <BulkResult outcome={outcome} onClose={onClose} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      noValidate
    >
      {act.reason !== undefined && (
        <ReasonField
          ref={field}
          words={act.reason}
          reason={reason}
          error={reasonError}
          onChange={(text) => {
            setReason(text);
            setReasonError(null);
          }}
        />
      )}
      <FailureLine text={failure} className={styles.failure} />
      {doneCount !== null && 'rows' in act.run && (
        <div className={styles.progress} role="status">
          <Progress value={(doneCount / act.count) * 100} aria-hidden="true" />
          <p className="small dim num">{t('list.bulk.running', { done: doneCount, count: act.count })}</p>
        </div>
      )}
      <div className={styles.actions}>
        <Button variant="subtle" onClick={onClose} disabled={doneCount !== null}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={doneCount !== null} {...submitLooks[act.tone]}>
          {act.submit}
        </Button>
      </div>
    </form>
  );
}
