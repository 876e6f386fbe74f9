import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { beginBroadcast, type RecipientCounts } from '#contract/broadcasts.ts';
import { ConfirmDialog } from '#web/admin/kit/confirm-dialog.tsx';
import type { ApiError } from '#web/client/call.ts';
import { formatPoints } from '#web/client/format.ts';
import { isOutcomeUnknown, newIdempotencyKey } from '#web/client/idempotency-key.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import styles from './broadcasts.module.css';
import { counted } from './counted.ts';
import type { BroadcastDraft } from './use-broadcast-form.ts';

type SendDialogProps = {
  isOpen: boolean;
  draft: BroadcastDraft;
  counts: RecipientCounts | undefined;
  onClose: () => void;
  onBegun: () => void;
  /** Shows what the server says of the texts, at their fields. Whether it says anything of them. */
  onRefused: (error: ApiError) => boolean;
};

/** Confirms a broadcast with the number of its recipients. Pressing again after a lost answer begins no second one. */
export function SendDialog({ isOpen, draft, counts, onClose, onBegun, onRefused }: SendDialogProps) {
  const { t } = useTranslation();
  const beginning = useAct(beginBroadcast);
  const key = useRef<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const close = () => {
    key.current = null;
    setFailure(null);
    onClose();
  };
  const send = () => {
    setFailure(null);
    key.current ??= newIdempotencyKey();
    beginning.mutate(
      { body: draft, query: { dryRun: 'false' }, idempotencyKey: key.current },
      {
        onSuccess: ({ recipients }) => {
          key.current = null;
          toast.ok(t('broadcast.done.begun', { people: t('broadcast.people', counted(recipients)) }));
          onBegun();
        },
        onError: (error) => {
          if (!isOutcomeUnknown(error)) key.current = null;
          if (onRefused(error)) return close();
          setFailure(`${t('broadcast.fail.begin')} ${t(`refusals.${error.code}`)}`);
        },
      },
    );
  };
  return (
    <ConfirmDialog
      of={isOpen ? { draft, counts } : null}
      words={(asked) => {
        const people = asked.counts && t('broadcast.people', counted(asked.counts.recipients));
        return {
          title: people === undefined ? t('broadcast.send.title') : t('broadcast.send.titleTo', { people }),
          text: <Mail {...asked} />,
          submit:
            people === undefined ? t('broadcast.send.submit') : t('broadcast.send.submitTo', { people }),
        };
      }}
      isPending={beginning.isPending}
      failure={failure}
      onSubmit={send}
      onClose={close}
    />
  );
}

/** What is sent, and in which languages. */
function Mail({ draft, counts }: Pick<SendDialogProps, 'draft' | 'counts'>) {
  const { t, i18n } = useTranslation();
  const written = new Set([draft.subject.trim(), draft.subjectKo.trim()].filter(Boolean));
  const isInBoth = draft.subjectKo.trim() !== '' || draft.contentKo.trim() !== '';
  const subjects = i18n.language === 'ko' ? [...written].reverse() : [...written];
  return (
    <div className={styles.confirm}>
      {subjects.map((subject) => (
        <p key={subject} className={styles.subject}>
          {subject}
        </p>
      ))}
      <p>
        {isInBoth
          ? counts !== undefined &&
            t('broadcast.send.languages', {
              korean: formatPoints(counts.korean),
              english: formatPoints(counts.english),
            })
          : t('broadcast.send.noKorean')}{' '}
        {t('broadcast.send.text')}
      </p>
    </div>
  );
}
