import { Button, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, type Ref, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openTicket, type TicketCategory } from '#contract/support.ts';
import { formatPoints } from '#web/client/format.ts';
import { isOutcomeUnknown, newIdempotencyKey } from '#web/client/idempotency-key.ts';
import { useAct } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import { RequestAnswers } from './request-answers.tsx';
import styles from './request-dialog.module.css';
import { RequestKinds } from './request-kinds.tsx';
import type { RequestRecord } from './request-record.ts';
import { RequestRecords } from './request-records.tsx';
import { useAnswers } from './use-answers.ts';
import { usePromisedTime } from './use-promised-time.ts';

/** The most characters that the server takes. */
const SUBJECT_MAX = 200;
const MESSAGE_MAX = 5_000;

/** Draws the form of a claim about a credit that did not arrive, which is another feature’s. */
export type DrawClaim = (onClose: () => void) => ReactNode;

type RequestDialogProps = {
  isOpen: boolean;
  onClose: () => void;
  drawClaim: DrawClaim;
  /** The kind that is chosen at first, about which the member wants to write. */
  writtenAbout?: TicketCategory;
};

/**
 * A new support request: its kind, the record that it is about, answers from that record, and the form, which is there
 * in every case. What is written stays when it is closed, until it is sent.
 */
export function RequestDialog({ isOpen, onClose, drawClaim, writtenAbout }: RequestDialogProps) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<TicketCategory | null>(writtenAbout ?? null);
  const [record, setRecord] = useState<RequestRecord | null>(null);
  const [writes, setWrites] = useState(writtenAbout !== undefined);
  const form = useRequestForm(kind, record, () => {
    setKind(writtenAbout ?? null);
    setRecord(null);
    onClose();
  });
  const subject = useRef<HTMLInputElement>(null);
  const answers = useAnswers(kind, record);
  const isClaim = kind === 'credit' && !writes;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('support.request.title')} width={560}>
      <div className={styles.parts}>
        <RequestKinds
          kind={kind}
          onChange={(next) => {
            setKind(next);
            setRecord(null);
            setWrites(false);
          }}
        />
        {(kind === 'withdrawal' || kind === 'chargeback') && (
          <RequestRecords key={kind} kind={kind} chosenId={record?.id ?? null} onChoose={setRecord} />
        )}
        <RequestAnswers
          key={`answers ${record?.id ?? kind}`}
          answers={answers}
          onAnswered={onClose}
          onWrite={() => subject.current?.focus()}
        />
        {isClaim ? (
          <>
            {drawClaim(onClose)}
            <button type="button" className={`link ${styles.other}`} onClick={() => setWrites(true)}>
              {t('support.kinds.write')}
            </button>
          </>
        ) : (
          <RequestForm form={form} subjectRef={subject} onClose={onClose} />
        )}
      </div>
    </Dialog>
  );
}

/** What is written, and the sending of it. */
function useRequestForm(kind: TicketCategory | null, record: RequestRecord | null, onSent: () => void) {
  const { t } = useTranslation();
  const asking = useAct(openTicket);
  const timeOf = usePromisedTime();
  const [subject, setSubject] = useState('');
  const [message, setMessage] = useState('');
  const key = useRef<string | null>(null);
  const isBlank = subject.trim() === '' || message.trim() === '';
  const about = {
    ...(kind === null ? {} : { category: kind }),
    ...(record === null ? {} : { subjectKind: record.kind, subjectId: record.id }),
  };
  const send = () => {
    if (isBlank || asking.isPending) return;
    key.current ??= newIdempotencyKey();
    asking.mutate(
      { body: { subject, message, ...about }, idempotencyKey: key.current },
      {
        onError: (error) => {
          if (!isOutcomeUnknown(error)) key.current = null;
        },
        onSuccess: ({ answerBy }) => {
          key.current = null;
          const time = answerBy === null ? null : timeOf(answerBy);
          toast.ok(time === null ? t('support.request.sentOnly') : t('support.request.sent', { time }));
          setSubject('');
          setMessage('');
          onSent();
        },
      },
    );
  };
  const failure = asking.isError
    ? `${t('support.request.failed')}. ${t(`refusals.${asking.error.code}`)}`
    : null;
  return { subject, setSubject, message, setMessage, isBlank, send, isPending: asking.isPending, failure };
}

type RequestFormProps = {
  form: ReturnType<typeof useRequestForm>;
  subjectRef: Ref<HTMLInputElement>;
  onClose: () => void;
};

function RequestForm({ form, subjectRef, onClose }: RequestFormProps) {
  const { t } = useTranslation();
  const { subject, message } = form;
  const counted = (count: number, most: number) => (
    <span className={styles.count}>
      {t('support.request.count', { count: formatPoints(count), most: formatPoints(most) })}
    </span>
  );
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.send();
      }}
    >
      <TextInput
        ref={subjectRef}
        label={<FieldLabel text={t('support.request.subject')} help={counted(subject.length, SUBJECT_MAX)} />}
        maxLength={SUBJECT_MAX}
        value={subject}
        onChange={(event) => form.setSubject(event.currentTarget.value)}
      />
      <Textarea
        label={<FieldLabel text={t('support.request.message')} help={counted(message.length, MESSAGE_MAX)} />}
        rows={6}
        maxLength={MESSAGE_MAX}
        value={message}
        onChange={(event) => form.setMessage(event.currentTarget.value)}
      />
      {form.failure !== null && (
        <p className={styles.failed} role="alert">
          {fieldError(form.failure)}
        </p>
      )}
      <div className={styles.foot}>
        <Button variant="subtle" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={form.isBlank} loading={form.isPending}>
          {t('support.request.send')}
        </Button>
      </div>
    </form>
  );
}
