import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openTicket } from '#contract/support.ts';
import { formatPoints } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './request-dialog.module.css';
import { usePromisedTime } from './use-promised-time.ts';

/** The most characters that the server takes. */
const SUBJECT_MAX = 200;
const MESSAGE_MAX = 5_000;

/** The form of a new support request. What is written stays when it is closed, until it is sent. */
export function RequestDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const asking = useAct(openTicket);
  const timeOf = usePromisedTime();
  const [subject, setSubject] = useState('');
  const [message, setMessage] = useState('');
  const isBlank = subject.trim() === '' || message.trim() === '';
  const ask = () =>
    asking.mutate(
      { body: { subject, message } },
      {
        onSuccess: ({ answerBy }) => {
          const time = answerBy === null ? null : timeOf(answerBy);
          toast.ok(time === null ? t('support.request.sentOnly') : t('support.request.sent', { time }));
          setSubject('');
          setMessage('');
          onClose();
        },
      },
    );
  const counted = (count: number, most: number) =>
    t('support.request.count', { count: formatPoints(count), most: formatPoints(most) });
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('support.request.title')} width={520}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBlank && !asking.isPending) ask();
        }}
      >
        <TextInput
          label={
            <FieldLabel text={t('support.request.subject')} help={counted(subject.length, SUBJECT_MAX)} />
          }
          maxLength={SUBJECT_MAX}
          value={subject}
          onChange={(event) => setSubject(event.currentTarget.value)}
        />
        <Textarea
          label={
            <FieldLabel text={t('support.request.message')} help={counted(message.length, MESSAGE_MAX)} />
          }
          rows={6}
          maxLength={MESSAGE_MAX}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        {asking.isError && (
          <p className={styles.failed} role="alert">
            {fieldError(`${t('support.request.failed')}. ${t(`refusals.${asking.error.code}`)}`)}
          </p>
        )}
        <div className={styles.foot}>
          <Button variant="subtle" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" disabled={isBlank} loading={asking.isPending}>
            {t('support.request.send')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
