import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type BanDuration, banMember } from '#contract/chat-moderation.ts';
import { REASON_MAX } from '#contract/fields.ts';
import { fullNameOf } from '#contract/full-name.ts';
import { type Account, readUsers } from '#contract/members-accounts.ts';
import { useCharacterFault, useFaults } from '#web/admin/kit/use-faults.ts';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import type { FailureCode } from '#web/client/call.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import { BanDialog } from './ban-dialog.tsx';
import { DurationField } from './duration-field.tsx';
import styles from './words-and-bans.module.css';

const WHO_MAX = 254;
const TYPING_PAUSE_MS = 250;

/** The account that somebody names by its id or whole e-mail address; undefined while it is not known. */
function useNamed(who: string): Account | undefined {
  const [asked] = useDebouncedValue(who.trim().toLowerCase(), TYPING_PAUSE_MS);
  const isWhole = /^\d{9}$/.test(asked) || /^\S+@\S+$/.test(asked);
  const { data } = useRead(readUsers, { query: { q: asked, limit: '5' } }, { enabled: isWhole });
  if (!isWhole || asked !== who.trim().toLowerCase()) return undefined;
  return data?.find(({ id, email }) => id === asked || email === asked);
}

type Draft = { userId: string; reason: string; duration: BanDuration };
const emptyDraft: Draft = { userId: '', reason: '', duration: '1day' };

/** The fields of the form, and the call. What was refused stands at its field until something is changed. */
function useBanForm() {
  const { t } = useTranslation();
  const banning = useAct(banMember);
  const refusalOf = useBanRefusal();
  const [draft, setDraft] = useState(emptyDraft);
  const { ref, faults, show, clear } = useFaults<'userId' | 'reason'>();
  const characterFault = useCharacterFault();
  const [more, setMore] = useState('');
  const account = useNamed(draft.userId);
  const name = account && fullNameOf(account);
  const body = { ...draft, userId: draft.userId.trim(), reason: draft.reason.trim() };
  return {
    ref,
    draft,
    name,
    faults,
    more,
    who: name ?? body.userId,
    isPending: banning.isPending,
    isComplete: body.userId !== '' && body.reason !== '',
    change: (part: Partial<Draft>) => {
      setDraft({ ...draft, ...part });
      clear();
      setMore('');
    },
    /** Whether the server would take the texts as they are. */
    check: (): boolean => {
      const reason = characterFault(draft.reason);
      if (reason !== undefined) show({ reason });
      return reason === undefined;
    },
    submit: (onSettled: () => void) =>
      banning.mutate(
        { body },
        {
          onSuccess: ({ userName }) => {
            toast.ok(t('chatModeration.bans.done', { name: userName ?? body.userId }));
            setDraft(emptyDraft);
          },
          onError: ({ code }) => {
            const why = refusalOf(code, body.userId, name);
            toast.bad(why.text, t('chatModeration.bans.failed'));
            if (why.isAboutMember) show({ userId: why.text });
            setMore(why.isAboutMember ? why.more : why.text);
          },
          onSettled,
        },
      ),
  };
}

/** Bans a member after a question that names them. */
export function BanForm() {
  const { t } = useTranslation();
  const form = useBanForm();
  const { draft, name, who, isPending, isComplete, submit } = form;
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <div className="card">
      <form
        ref={form.ref}
        className={styles.banForm}
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete && form.check()) setAsking(true);
        }}
      >
        <Fields form={form} />
        <Button type="submit" className={styles.tall} variant="outline" color="brick" disabled={!isComplete}>
          {name === undefined ? t('chatModeration.bans.begin') : t('chatModeration.bans.beginOf', { name })}
        </Button>
      </form>
      {form.more !== '' && (
        <p className={`${styles.note} ${styles.refused}`} data-tone="bad">
          <IconAlertTriangle size={20} stroke={1.75} aria-hidden="true" />
          <span>{form.more}</span>
        </p>
      )}
      <BanDialog
        ban={isAsking ? { name: who, duration: draft.duration } : null}
        isPending={isPending}
        onSubmit={() => submit(close)}
        onClose={close}
      />
    </div>
  );
}

function Fields({ form: { draft, faults, change } }: { form: ReturnType<typeof useBanForm> }) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        classNames={{ input: styles.code ?? '' }}
        label={t('chatModeration.bans.userId')}
        value={draft.userId}
        maxLength={WHO_MAX}
        error={fieldError(faults.userId)}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => change({ userId: event.currentTarget.value })}
      />
      <TextInput
        label={
          <FieldLabel text={t('chatModeration.bans.reason')} help={t('chatModeration.bans.reasonHelp')} />
        }
        value={draft.reason}
        maxLength={REASON_MAX}
        error={fieldError(faults.reason)}
        autoComplete="off"
        onChange={(event) => change({ reason: event.currentTarget.value })}
      />
      <DurationField value={draft.duration} onChange={(duration) => change({ duration })} />
    </>
  );
}

/** `more` stands below the form. */
type Refused = { text: string; more: string; isAboutMember: boolean };

/** What a refusal means for whom the operator named: the message, and what stands below the form. */
function useBanRefusal() {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  return (code: FailureCode, who: string, name: string | undefined): Refused => {
    switch (code) {
      case 'forbidden':
        return {
          text: t('chatModeration.bans.refused.operator'),
          more: name === undefined ? '' : t('chatModeration.bans.refused.isOperator', { id: who, name }),
          isAboutMember: true,
        };
      case 'unknown-member':
        return {
          text: t(`chatModeration.bans.refused.${who.includes('@') ? 'unknownEmail' : 'unknownId'}`, { who }),
          more: who.includes('@') ? '' : t('chatModeration.bans.refused.digits'),
          isAboutMember: true,
        };
      case 'already-exists':
        return {
          text: t('chatModeration.bans.refused.already', { name: name ?? who }),
          more: t('chatModeration.bans.refused.liftFirst'),
          isAboutMember: true,
        };
      default:
        return { text: refusalWords(code), more: '', isAboutMember: false };
    }
  };
}
