import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bracedWordsOf } from '#contract/support-braced-words.ts';
import {
  type CannedReply,
  changeReply,
  createReply,
  REPLIES_MAX,
  REPLY_TEXT_MAX,
  REPLY_TITLE_MAX,
  type ReplyPlaceholder,
  replyPlaceholders,
} from '#contract/support-replies.ts';
import { FailureLine } from '#web/admin/kit/failure-line.tsx';
import { fieldMessagesOf } from '#web/admin/kit/use-draft.ts';
import { type Faults, useCharacterFault, useFaults } from '#web/admin/kit/use-faults.ts';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import type { ApiError } from '#web/client/call.ts';
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
  const { ref, faults, show, clear } = useFaults<keyof Texts>();
  const { save, isPending, failure, forget } = useSave(reply, draft, { onDone, onFault: show });
  const faultsOf = useDraftFaults();
  const change = (part: Partial<Texts>) => {
    setDraft({ ...draft, ...part });
    clear();
    forget();
  };
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const found = faultsOf(draft);
    show(found);
    if (Object.keys(found).length === 0) save();
  };
  return (
    <form ref={ref} className={styles.form} onSubmit={submit} noValidate>
      <TextInput
        label={t('tickets.replies.fields.title')}
        value={draft.title}
        maxLength={REPLY_TITLE_MAX}
        autoComplete="off"
        data-autofocus
        error={fieldError(faults.title)}
        onChange={({ currentTarget: { value } }) => change({ title: value })}
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
          error={fieldError(faults[name])}
          onChange={({ currentTarget: { value } }) => change({ [name]: value })}
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

type Ends = { onDone: () => void; onFault: (faults: Faults<keyof Texts>) => void };

function useSave(reply: CannedReply | undefined, draft: Texts, { onDone, onFault }: Ends) {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const creating = useAct(createReply);
  const changing = useAct(changeReply);
  const [failure, setFailure] = useState<string | null>(null);
  const answers = {
    onSuccess: () => {
      toast.ok(t('tickets.replies.saved', { title: draft.title.trim() }));
      onDone();
    },
    onError: (error: ApiError) => {
      if (error.code === 'already-exists') return onFault({ title: t('tickets.replies.sameTitle') });
      // What the server says of the texts was checked before, so it can only be the number of the replies.
      const isFull = fieldMessagesOf(error).title !== undefined;
      setFailure(isFull ? t('tickets.replies.full', { max: REPLIES_MAX }) : refusalWords(error.code));
    },
  };
  return {
    isPending: creating.isPending || changing.isPending,
    failure,
    forget: () => setFailure(null),
    save: () => {
      setFailure(null);
      if (reply === undefined) creating.mutate({ body: draft }, answers);
      else changing.mutate({ params: { id: reply.id }, body: draft }, answers);
    },
  };
}

const isPlaceholder = (word: string) => replyPlaceholders.some((one) => one === word);

/** Why fields can't be saved, as the server would say. */
function useDraftFaults(): (draft: Texts) => Faults<keyof Texts> {
  const { t } = useTranslation();
  const characterFault = useCharacterFault();
  const faultOf = (name: keyof Texts, text: string): string | undefined => {
    if (text.trim() === '') return t('tickets.replies.required');
    const unknown = name === 'title' ? undefined : bracedWordsOf(text).find((one) => !isPlaceholder(one));
    return unknown === undefined
      ? characterFault(text)
      : t('tickets.replies.unknown', { name: `{${unknown}}` });
  };
  return (draft) =>
    Object.fromEntries(
      (['title', ...textFields] as const).flatMap((name) => {
        const fault = faultOf(name, draft[name]);
        return fault === undefined ? [] : [[name, fault]];
      }),
    );
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
