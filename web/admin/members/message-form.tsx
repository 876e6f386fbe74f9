import { Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccountRecord } from '#contract/members-accounts.ts';
import { MESSAGE_LENGTH_MAX, messageUser } from '#contract/members-acts.ts';
import { ActForm } from '#web/admin/kit/act-form.tsx';
import { showField } from '#web/admin/kit/show-field.ts';
import { formatPoints } from '#web/client/format.ts';
import { isOutcomeUnknown, newIdempotencyKey } from '#web/client/idempotency-key.ts';
import { useAct } from '#web/client/use-call.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';

type MessageFormProps = { member: AccountRecord; name: string; onClose: () => void };

/** A message to the member, as a notice and a mail. A repeated try after a lost answer sends it once. */
export function MessageForm({ member: { id, language }, name, onClose }: MessageFormProps) {
  const { t } = useTranslation();
  const sending = useAct(messageUser);
  const [text, setText] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const key = useRef<string | null>(null);
  const submit = () => {
    if (text.trim() === '') {
      setMissing(true);
      return showField(field.current);
    }
    setFailure(null);
    key.current ??= newIdempotencyKey();
    sending.mutate(
      { params: { id }, body: { text: text.trim() }, idempotencyKey: key.current },
      {
        onSuccess: () => {
          toast.ok(t('member.acts.message.done', { name }));
          onClose();
        },
        onError: (error) => {
          if (!isOutcomeUnknown(error)) key.current = null;
          setFailure(`${t('member.acts.message.failed')}. ${t(`refusals.${error.code}`)}`);
        },
      },
    );
  };
  return (
    <ActForm
      place="sheet"
      submit={{ label: t('member.acts.message.submit'), tone: 'plain' }}
      isPending={sending.isPending}
      fine={t('member.acts.message.fine')}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <Textarea
        ref={field}
        label={
          <FieldLabel
            text={t('member.acts.message.text')}
            help={t('member.acts.message.help', { max: formatPoints(MESSAGE_LENGTH_MAX) })}
          />
        }
        description={t('member.acts.message.language', { language: t(`member.languages.${language}`) })}
        value={text}
        maxLength={MESSAGE_LENGTH_MAX}
        autosize
        minRows={6}
        error={fieldError(isMissing ? t('member.acts.message.required') : null)}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setMissing(false);
          setFailure(null);
          key.current = null;
        }}
      />
    </ActForm>
  );
}
