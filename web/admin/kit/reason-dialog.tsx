import { Button, Textarea } from '@mantine/core';
import { type ReactNode, type Ref, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Act } from '#contract/acts.ts';
import { REASON_MAX } from '#contract/fields.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import styles from './bulk-dialog.module.css';
import { FailureLine } from './failure-line.tsx';
import { FormerReasons, useFormerReasons, withReason } from './former-reasons.tsx';
import { showField } from './show-field.ts';
import { type SubmitTone, submitLooks } from './submit-looks.ts';
import { useCharacterFault } from './use-faults.ts';
import { useKept } from './use-kept.ts';

export type ReasonWords = { label: string; help: string; required: string };

type ReasonDialogProps = {
  isOpen: boolean;
  words: ReasonWords & { title: string; text: string; submit: string };
  isPending: boolean;
  failure: string | null;
  /** The kind of the act, to offer its last reasons again. */
  act?: Act;
  /** What the act is about. A reason that was typed and not sent is kept for it. */
  about?: string;
  /** `danger` if it is not given. */
  tone?: SubmitTone;
  /** Checks the form fields above the reason. Shows what is missing at its field, and focuses that. */
  check?: () => boolean;
  /** What must be read with the text. */
  facts?: ReactNode;
  /** Form fields above the reason. */
  fields?: ReactNode;
  onSubmit: (reason: string) => void;
  onClose: () => void;
};

/**
 * Asks for a reason before an act. The focus begins in the field where operators write the same often; elsewhere at
 * the title, so that what the act does is read first.
 */
export function ReasonDialog({ isOpen, facts, act, ...rest }: ReasonDialogProps) {
  const formerReasons = useFormerReasons(act);
  return (
    <Dialog
      isOpen={isOpen}
      startsInField={act !== undefined}
      onClose={rest.onClose}
      title={rest.words.title}
      width={460}
      text={
        <>
          <p>{rest.words.text}</p>
          {facts}
        </>
      }
    >
      {isOpen && <ReasonForm {...rest} startsInField={act !== undefined} formerReasons={formerReasons} />}
    </Dialog>
  );
}

function ReasonForm({
  words,
  isPending,
  failure,
  tone = 'danger',
  check = () => true,
  fields,
  about,
  startsInField,
  formerReasons,
  onSubmit,
  onClose,
}: Omit<ReasonDialogProps, 'isOpen' | 'facts' | 'act'> & {
  startsInField: boolean;
  formerReasons: readonly string[];
}) {
  const { t } = useTranslation();
  const reasonFaultOf = useReasonFault();
  const { value: reason, change: setReason } = useKept(about, '');
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const isChecked = check();
    const fault = reasonFaultOf(reason, words.required);
    if (fault !== undefined) setError(fault);
    if (!isChecked) showField(document.activeElement);
    else if (fault !== undefined) showField(field.current);
    else onSubmit(reason.trim());
  };
  const write = (text: string) => {
    setReason(text);
    setError(null);
  };
  const chooseFormer = (former: string) => {
    write(withReason(reason, former, formerReasons));
    field.current?.focus();
  };
  return (
    <form onSubmit={submit} noValidate>
      {fields}
      <ReasonField
        ref={field}
        isFirst={startsInField}
        words={words}
        reason={reason}
        error={error}
        onChange={write}
      />
      <FormerReasons reasons={formerReasons} onChoose={chooseFormer} />
      <FailureLine text={failure} className={styles.failure} />
      <div className={styles.actions}>
        <Button variant="subtle" onClick={onClose} disabled={isPending}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" {...submitLooks[tone]} loading={isPending}>
          {words.submit}
        </Button>
      </div>
    </form>
  );
}

/** What keeps a reason from being sent: that it is missing, in these words, or a character that can't be stored. */
export function useReasonFault(): (reason: string, required: string) => string | undefined {
  const characterFault = useCharacterFault();
  return (reason, required) => (reason.trim() === '' ? required : characterFault(reason));
}

function sendAtCtrlEnter(event: React.KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

type ReasonFieldProps = {
  ref?: Ref<HTMLTextAreaElement>;
  words: ReasonWords;
  reason: string;
  error: string | null;
  onChange: (text: string) => void;
  /** Whether the focus begins in it. */
  isFirst?: boolean;
  /** Of the field in a form of which it is not the first. */
  id?: string;
};

export function ReasonField({ ref, words, reason, error, onChange, isFirst = false, id }: ReasonFieldProps) {
  return (
    <Textarea
      {...(ref === undefined ? {} : { ref })}
      {...(id === undefined ? { className: styles.reason } : { id })}
      label={<FieldLabel text={words.label} help={words.help} />}
      value={reason}
      maxLength={REASON_MAX}
      autosize
      minRows={2}
      error={fieldError(error)}
      data-autofocus={isFirst || undefined}
      onKeyDown={sendAtCtrlEnter}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
