import { Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccountRecord } from '#contract/members-accounts.ts';
import { MESSAGE_LENGTH_MAX, messageUser } from '#contract/members-acts.ts';
import { ActForm } from '#web/admin/kit/act-form.tsx';
import { useCharacterFault, useFaults } from '#web/admin/kit/use-faults.ts';
import { useKept } from '#web/admin/kit/use-kept.ts';
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
  const { value: text, change: setText, forget } = useKept(`member.message ${id}`, '');
  const { ref, faults, show, clear } = useFaults<'text'>();
  const characterFault = useCharacterFault();
  const [failure, setFailure] = useState<string | null>(null);
  const key = useRef<string | null>(null);
  const submit = () => {
    const fault = text.trim() === '' ? t('member.acts.message.required') : characterFault(text);
    if (fault !== undefined) return show({ text: fault });
    setFailure(null);
    key.current ??= newIdempotencyKey();
    sending.mutate(
      { params: { id }, body: { text: text.trim() }, idempotencyKey: key.current },
      {
        onSuccess: () => {
          toast.ok(t('member.acts.message.done', { name }));
          forget();
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
      ref={ref}
      place="sheet"
      submit={{ label: t('member.acts.message.submit'), tone: 'plain' }}
      isPending={sending.isPending}
      fine={t('member.acts.message.fine')}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <Textarea
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
        error={fieldError(faults.text)}
        onChange={(event) => {
          setText(event.currentTarget.value);
          clear();
          setFailure(null);
          key.current = null;
        }}
      />
    </ActForm>
  );
}
