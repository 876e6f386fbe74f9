import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bracedWordsOf } from '#contract/support-braced-words.ts';
import {
  type CannedReply,
  changeReply,
  createReply,
  REPLY_TEXT_MAX,
  REPLY_TITLE_MAX,
  type ReplyPlaceholder,
  replyPlaceholders,
} from '#contract/support-replies.ts';
import { FailureLine } from '#web/admin/kit/failure-line.tsx';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import { useAct } from '#web/client/use-call.ts';
import { fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './canned-replies.module.css';

type Texts = Omit<CannedReply, 'id'>;
const blank: Texts = { title: '', textEn: '', textKo: '' };
const textFields = ['textKo', 'textEn'] as const;
const languages = { textKo: 'ko', textEn: 'en' } as const;

type ReplyFormProps = {
  /** Undefined for a new one. */
  reply: CannedReply | undefined;
  onDone: () => void;
};

/** A reply's title and its text in both languages. */
export function ReplyForm({ reply, onDone }: ReplyFormProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<Texts>(() => textsOf(reply));
  const [isSubmitted, setSubmitted] = useState(false);
  const { save, isPending, failure } = useSave(reply, draft, onDone);
  const faultOf = useFaults(draft);
  const shownFault = (name: keyof Texts) => fieldError(isSubmitted ? faultOf(name) : null);
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
    if (!isPending && (['title', ...textFields] as const).every((name) => faultOf(name) === null)) save();
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextInput
        label={t('tickets.replies.fields.title')}
        value={draft.title}
        maxLength={REPLY_TITLE_MAX}
        autoComplete="off"
        data-autofocus
        error={shownFault('title')}
        onChange={({ currentTarget: { value } }) => setDraft({ ...draft, title: value })}
      />
      {textFields.map((name) => (
        <Textarea
          key={name}
          label={t(`tickets.replies.fields.${name}`)}
          lang={languages[name]}
          value={draft[name]}
          maxLength={REPLY_TEXT_MAX}
          autosize
          minRows={3}
          maxRows={8}
          error={shownFault(name)}
          onChange={({ currentTarget: { value } }) => setDraft({ ...draft, [name]: value })}
        />
      ))}
      <PlaceholderHelp />
      <FailureLine text={failure} />
      <div className={styles.buttons}>
        <Button type="submit" loading={isPending}>
          {t('tickets.replies.save')}
        </Button>
        <Button variant="subtle" onClick={onDone} disabled={isPending}>
          {t('common.cancel')}
        </Button>
      </div>
    </form>
  );
}

function textsOf(reply: CannedReply | undefined): Texts {
  if (reply === undefined) return blank;
  const { title, textEn, textKo } = reply;
  return { title, textEn, textKo };
}

function useSave(reply: CannedReply | undefined, draft: Texts, onDone: () => void) {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const creating = useAct(createReply);
  const changing = useAct(changeReply);
  const { error } = reply === undefined ? creating : changing;
  const onSuccess = () => {
    toast.ok(t('tickets.replies.saved', { title: draft.title.trim() }));
    onDone();
  };
  return {
    isPending: creating.isPending || changing.isPending,
    failure:
      error === null
        ? null
        : error.code === 'already-exists'
          ? t('tickets.replies.sameTitle')
          : refusalWords(error.code),
    save: () =>
      reply === undefined
        ? creating.mutate({ body: draft }, { onSuccess })
        : changing.mutate({ params: { id: reply.id }, body: draft }, { onSuccess }),
  };
}

const isPlaceholder = (word: string) => replyPlaceholders.some((one) => one === word);

/** Why a field can't be saved, as the server would say; null if it can. */
function useFaults(draft: Texts): (name: keyof Texts) => string | null {
  const { t } = useTranslation();
  return (name) => {
    if (draft[name].trim() === '') return t('tickets.replies.required');
    const unknown =
      name === 'title' ? undefined : bracedWordsOf(draft[name]).find((one) => !isPlaceholder(one));
    return unknown === undefined ? null : t('tickets.replies.unknown', { name: `{${unknown}}` });
  };
}

/** What each placeholder stands for. */
function PlaceholderHelp() {
  const { t } = useTranslation();
  const wordOf = (name: ReplyPlaceholder) => `{${name}} ${t(`tickets.replies.placeholders.${name}`)}`;
  return (
    <p className={styles.help}>
      {t('tickets.replies.help')} {replyPlaceholders.map(wordOf).join(', ')}
    </p>
  );
}
