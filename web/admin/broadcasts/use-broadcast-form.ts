import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { testBroadcast } from '#contract/broadcasts.ts';
import { type Faults, useFaults, useFieldMessages } from '#web/admin/kit/use-faults.ts';
import type { ApiError } from '#web/client/call.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

/** The form of a broadcast. English is required; without Korean the English text is sent. */
export type BroadcastDraft = { subject: string; content: string; subjectKo: string; contentKo: string };
export type BroadcastField = keyof BroadcastDraft;

const blank: BroadcastDraft = { subject: '', content: '', subjectKo: '', contentKo: '' };
/** The unsent draft, so that neither another tab nor another screen loses it. */
let unsent = blank;

/** @param onComplete called when the operator wants to send a draft in which nothing is missing */
export function useBroadcastForm(onComplete: () => void) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(unsent);
  const testing = useAct(testBroadcast);
  const messagesOf = useFieldMessages();
  const { ref, faults, show, clear } = useFaults<BroadcastField>();
  const write = (next: BroadcastDraft) => {
    unsent = next;
    setDraft(next);
  };
  const isComplete = (): boolean => {
    const found: Faults<BroadcastField> = {
      ...(draft.subject.trim() === '' && { subject: t('broadcast.errors.subject') }),
      ...(draft.content.trim() === '' && { content: t('broadcast.errors.content') }),
    };
    show(found);
    return Object.keys(found).length === 0;
  };
  const refuse = (error: ApiError): boolean => {
    const found = messagesOf(error);
    show(found);
    return Object.keys(found).length > 0;
  };
  return {
    ref,
    draft,
    isTesting: testing.isPending,
    messageOf: (name: BroadcastField): string | undefined => faults[name],
    /** Shows what the server says of the texts. Whether it says anything of them. */
    refuse,
    change: (part: Partial<BroadcastDraft>) => {
      clear();
      write({ ...draft, ...part });
    },
    clear: () => write(blank),
    submit: (event: React.FormEvent) => {
      event.preventDefault();
      if (isComplete()) onComplete();
    },
    test: () => {
      if (testing.isPending || !isComplete()) return;
      testing.mutate(
        { body: draft },
        {
          onSuccess: ({ email }) => toast.ok(t('broadcast.done.test', { email })),
          onError: (error) => {
            refuse(error);
            toast.bad(t(`refusals.${error.code}`), t('broadcast.fail.test'));
          },
        },
      );
    },
  };
}
export type BroadcastForm = ReturnType<typeof useBroadcastForm>;
