import { Button, Checkbox, Progress, TextInput } from '@mantine/core';
import { type Ref, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#web/ui/dialog.tsx';
import { fieldError } from '#web/ui/field-parts.tsx';
import styles from './bulk-dialog.module.css';
import { BulkResult } from './bulk-result.tsx';
import { FailureLine } from './failure-line.tsx';
import { ReasonField, useReasonFault } from './reason-dialog.tsx';
import { showField } from './show-field.ts';
import { submitLooks } from './submit-looks.ts';
import { type BulkAct, type BulkPhase, useBulkAct } from './use-bulk-act.ts';

type BulkDialogProps<Row> = {
  act: BulkAct<Row> | null;
  onActed: () => void;
  /** The act is another one, because the former would do something else by now. */
  onRenew: (act: BulkAct<Row>) => void;
  onClose: () => void;
};

/** Confirms an act on many rows with its numbers, runs it, and shows the result of each row. */
export function BulkDialog<Row extends { id: string }>({ act, ...on }: BulkDialogProps<Row>) {
  const { t } = useTranslation();
  const [phase, setPhase] = useState<BulkPhase>('asking');
  return (
    <Dialog
      isOpen={act !== null}
      onClose={on.onClose}
      onClosed={() => setPhase('asking')}
      title={phase === 'done' ? t('list.bulk.resultTitle') : (act?.title ?? '')}
      width={480}
      isLocked={phase === 'running' && act !== null && 'rows' in act.run}
      text={act !== null && phase !== 'done' && <BulkText act={act} onClose={on.onClose} />}
    >
      {act !== null && <BulkBody act={act} {...on} onPhase={setPhase} />}
    </Dialog>
  );
}

type BulkTextProps<Row> = { act: BulkAct<Row>; onClose: () => void };

function BulkText<Row>({ act: { text, note, details }, onClose }: BulkTextProps<Row>) {
  return (
    <>
      {text !== '' && <p>{text}</p>}
      {details?.(onClose)}
      {note !== undefined && <p className={styles.note}>{note}</p>}
    </>
  );
}

type ProgressProps = {
  doneCount: number;
  count: number;
  /** Ends the act before its next row; undefined until it is begun. */
  stop: { act: () => void; isPending: boolean; failure: string | null } | undefined;
  onClose: () => void;
};

/** An act that the server makes. It goes on without the dialog. */
function RemoteProgress({ doneCount, count, stop, onClose }: ProgressProps) {
  const { t } = useTranslation();
  return (
    <>
      <BulkProgress doneCount={doneCount} count={count} />
      <p className={styles.fact}>{t('list.bulk.goesOn')}</p>
      <FailureLine text={stop?.failure ?? null} className={styles.failure} />
      <div className={styles.actions}>
        <Button
          variant="subtle"
          disabled={stop === undefined}
          loading={stop?.isPending ?? false}
          onClick={stop?.act}
        >
          {t('list.bulk.stop')}
        </Button>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('common.close')}
        </Button>
      </div>
    </>
  );
}

function BulkProgress({ doneCount, count }: { doneCount: number; count: number }) {
  const { t } = useTranslation();
  return (
    <div className={styles.progress} role="status">
      <Progress value={(doneCount / count) * 100} aria-hidden="true" />
      <p className="small dim num">{t('list.bulk.running', { done: doneCount, count })}</p>
    </div>
  );
}

type BulkBodyProps<Row> = Omit<BulkDialogProps<Row>, 'act'> & {
  act: BulkAct<Row>;
  onPhase: (phase: BulkPhase) => void;
};

/** What is entered before an act runs: the reason and the typed points, where it asks for them. */
function useEntries<Row>({ reason: reasonWords, typed: typing }: BulkAct<Row>) {
  const reasonFaultOf = useReasonFault();
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const [errors, setErrors] = useState<{ reason?: string; typed?: string }>({});
  const reasonField = useRef<HTMLTextAreaElement>(null);
  const typedField = useRef<HTMLInputElement>(null);
  /** Shows what is missing at its field, and focuses the first one. */
  const check = (): boolean => {
    const isUnlike = typing !== undefined && digitsOf(typed) !== String(typing.points);
    const reasonFault = reasonWords && reasonFaultOf(reason, reasonWords.required);
    const found = {
      ...(reasonFault !== undefined && { reason: reasonFault }),
      ...(isUnlike && { typed: typing.wrong }),
    };
    setErrors(found);
    if (found.reason !== undefined) showField(reasonField.current);
    else if (found.typed !== undefined) showField(typedField.current);
    return Object.keys(found).length === 0;
  };
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    setErrors({});
  };
  /** Empties the typed points, which are of another act. */
  const clear = () => {
    setTyped('');
    setErrors({});
  };
  /** The same, and focuses the first field. */
  const begin = () => {
    clear();
    showField(reasonField.current ?? typedField.current);
  };
  return {
    reason: reason.trim(),
    check,
    begin,
    clear,
    reasonProps: { ref: reasonField, reason, error: errors.reason ?? null, onChange: change(setReason) },
    typedProps: { ref: typedField, typed, error: errors.typed ?? null, onChange: change(setTyped) },
  };
}

/** The digits of typed points, which may have separators and the unit. */
const digitsOf = (text: string): string => text.replace(/[\s,.]|P$/gi, '');

type TypedFieldProps = {
  ref: Ref<HTMLInputElement>;
  label: string;
  typed: string;
  error: string | null;
  onChange: (text: string) => void;
};

function TypedField({ ref, label, typed, error, onChange }: TypedFieldProps) {
  return (
    <TextInput
      ref={ref}
      className={styles.reason}
      label={label}
      value={typed}
      inputMode="numeric"
      autoComplete="off"
      maxLength={40}
      error={fieldError(error)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function BulkBody<Row extends { id: string }>(props: BulkBodyProps<Row>) {
  const { act, onActed, onClose, onPhase, onRenew } = props;
  const { t } = useTranslation();
  const { reason, check, begin, clear, reasonProps, typedProps } = useEntries(act);
  const [isRenewed, setRenewed] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const closeButton = useRef<HTMLButtonElement>(null);
  const bulk = useBulkAct(act, { onPhase, onActed, onRenew });
  const { doneCount, outcome, failure } = bulk;
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (!isChoosing && failure?.isOutdated !== true && check()) void bulk.run(reason);
  };
  const renew = async () => {
    closeButton.current?.focus();
    if (!(await bulk.renew())) return;
    setRenewed(true);
    begin();
  };

  const choose = async () => {
    if (bulk.isRenewing) return;
    setChoosing(true);
    if (await bulk.choose()) clear();
    setChoosing(false);
  };

  if (outcome !== null) return <BulkResult outcome={outcome} undo={bulk.undo} onClose={onClose} />;
  if (doneCount !== null && !('rows' in act.run))
    return <RemoteProgress doneCount={doneCount} count={act.count} stop={bulk.stop} onClose={onClose} />;
  const isEmpty = act.count === 0;
  return (
    <form onSubmit={submit} noValidate>
      {act.choice !== undefined && (
        <Checkbox
          className={styles.choice}
          label={act.choice.label}
          checked={act.choice.isChosen !== isChoosing}
          disabled={doneCount !== null}
          onChange={() => void choose()}
        />
      )}
      {act.reason !== undefined && !isEmpty && <ReasonField words={act.reason} {...reasonProps} />}
      {act.typed !== undefined && !isEmpty && <TypedField label={act.typed.label} {...typedProps} />}
      {isRenewed && !isEmpty && failure === null && (
        <p className={styles.renewed} role="status">
          {t('list.bulk.renewed')}
        </p>
      )}
      <FailureLine text={failure?.text ?? null} className={styles.failure} />
      {doneCount !== null && <BulkProgress doneCount={doneCount} count={act.count} />}
      <div className={styles.actions}>
        <Button ref={closeButton} variant="subtle" onClick={onClose} disabled={doneCount !== null}>
          {t(isEmpty ? 'common.close' : 'common.cancel')}
        </Button>
        {failure?.isOutdated ? (
          <Button loading={bulk.isRenewing} onClick={() => void renew()}>
            {t('list.bulk.renew')}
          </Button>
        ) : (
          !isEmpty && (
            <Button type="submit" loading={doneCount !== null || isChoosing} {...submitLooks[act.tone]}>
              {act.submit}
            </Button>
          )
        )}
      </div>
    </form>
  );
}
