import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { REASON_MAX } from '#contract/fields.ts';
import {
  type BlockDuration,
  type BlockKind,
  blockAddress,
  blockDomain,
  blockDurations,
} from '#contract/risk.ts';
import { ConfirmDialog } from '#web/admin/kit/confirm-dialog.tsx';
import { useCharacterFault, useFaults } from '#web/admin/kit/use-faults.ts';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import type { ApiError, FailureCode } from '#web/client/call.ts';
import { formatTime } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './risk.module.css';

const VALUE_MAX: Record<BlockKind, number> = { ip: 45, domain: 253 };
const DAY_MS = 86_400_000;
const longestFirst = blockDurations.toReversed();
const days: Record<BlockDuration, number | null> = { '1day': 1, '7days': 7, permanent: null };

type Draft = { value: string; reason: string; duration: BlockDuration };
const emptyDraft = (kind: BlockKind): Draft => ({
  value: '',
  reason: '',
  // Behind an address may be many people, and it passes on to others.
  duration: kind === 'ip' ? '7days' : 'permanent',
});

/** Refusals because of what is to be blocked. */
const aboutValue: readonly FailureCode[] = ['invalid-request', 'already-exists', 'own-address'];

/** The call of a kind of block. What was refused stands at the field until it is changed. */
function useBlockForm(kind: BlockKind) {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const addressBlock = useAct(blockAddress);
  const domainBlock = useAct(blockDomain);
  const [draft, setDraft] = useState(() => emptyDraft(kind));
  const { ref, faults, show, clear } = useFaults<'value' | 'reason'>();
  const characterFault = useCharacterFault();
  const value = draft.value.trim();
  const body = { reason: draft.reason.trim(), duration: draft.duration };
  const textOf = ({ code }: ApiError) => {
    if (code === 'invalid-request') return t(`fraud.form.${kind}.invalid`);
    return code === 'already-exists' ? t('fraud.form.already', { value }) : refusalWords(code);
  };
  const outcome = (onSettled: () => void) => ({
    onSuccess: (blocked: { value: string }) => {
      toast.ok(t(`fraud.form.${kind}.done`, { value: blocked.value }));
      setDraft(emptyDraft(kind));
    },
    onError: (error: ApiError) => {
      toast.bad(textOf(error), t(`fraud.form.${kind}.failed`));
      if (aboutValue.includes(error.code)) show({ value: textOf(error) });
    },
    onSettled,
  });
  return {
    ref,
    draft,
    value,
    faults,
    isPending: addressBlock.isPending || domainBlock.isPending,
    isComplete: value !== '' && body.reason !== '',
    change: (part: Partial<Draft>) => {
      setDraft({ ...draft, ...part });
      clear();
    },
    /** Whether the server would take the reason as it is. */
    check: (): boolean => {
      const reason = characterFault(draft.reason);
      if (reason !== undefined) show({ reason });
      return reason === undefined;
    },
    submit: (onSettled: () => void) => {
      if (kind === 'ip') addressBlock.mutate({ body: { ...body, ipAddress: value } }, outcome(onSettled));
      else domainBlock.mutate({ body: { ...body, domain: value } }, outcome(onSettled));
    },
  };
}

/** Blocks an address or a domain, after a question that says what it does and until when. */
export function BlockForm({ kind }: { kind: BlockKind }) {
  const { t } = useTranslation();
  const form = useBlockForm(kind);
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="card">
      <form
        ref={form.ref}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (form.isComplete && form.check()) setAsking(true);
        }}
      >
        <Fields kind={kind} form={form} />
        <Button
          type="submit"
          className={styles.tall}
          variant="outline"
          color="brick"
          disabled={!form.isComplete}
        >
          {t(`fraud.form.${kind}.begin`)}
        </Button>
      </form>
      <p className={styles.hint}>{t(`fraud.form.${kind}.hint`)}</p>
      <Question kind={kind} form={form} isOpen={isAsking} onClose={() => setAsking(false)} />
    </div>
  );
}

type FormProps = { kind: BlockKind; form: ReturnType<typeof useBlockForm> };

function Fields({ kind, form: { draft, faults, change } }: FormProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        classNames={{ input: styles.code ?? '' }}
        label={t(`fraud.form.${kind}.label`)}
        placeholder={kind === 'ip' ? '203.0.113.8' : 'tempmail.example'}
        value={draft.value}
        maxLength={VALUE_MAX[kind]}
        error={fieldError(faults.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => change({ value: event.currentTarget.value })}
      />
      <TextInput
        label={<FieldLabel text={t('fraud.form.reason')} help={t('fraud.form.reasonHelp')} />}
        value={draft.reason}
        maxLength={REASON_MAX}
        error={fieldError(faults.reason)}
        autoComplete="off"
        onChange={(event) => change({ reason: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('fraud.form.duration')}
        value={draft.duration}
        data={longestFirst.map((one) => ({ value: one, label: t(`fraud.durations.${one}`) }))}
        onChange={(event) =>
          change({ duration: blockDurations.find((one) => one === event.currentTarget.value) ?? 'permanent' })
        }
      />
    </>
  );
}

function Question({ kind, form, isOpen, onClose }: FormProps & { isOpen: boolean; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const untilOf = (duration: BlockDuration) => {
    const lasts = days[duration];
    if (lasts === null) return t('fraud.form.untilLifted');
    const end = new Date(Date.now() + lasts * DAY_MS).toISOString();
    return t('fraud.form.until', { time: formatTime(end, i18n.language) });
  };
  return (
    <ConfirmDialog
      of={isOpen ? { value: form.value, duration: form.draft.duration } : null}
      words={({ value, duration }) => ({
        title: t(`fraud.form.${kind}.question`, { value }),
        text: `${t(`fraud.form.${kind}.effect`)} ${untilOf(duration)}`,
        submit: t(`fraud.form.${kind}.submit`),
      })}
      tone="danger"
      isPending={form.isPending}
      onSubmit={() => form.submit(onClose)}
      onClose={onClose}
    />
  );
}
