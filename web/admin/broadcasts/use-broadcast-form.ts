import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { testBroadcast } from '#contract/broadcasts.ts';
import { showField } from '#web/admin/kit/show-field.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

/** The form of a broadcast. English is required; without Korean the English text is sent. */
export type BroadcastDraft = { subject: string; content: string; subjectKo: string; contentKo: string };
export type BroadcastField = keyof BroadcastDraft;

const blank: BroadcastDraft = { subject: '', content: '', subjectKo: '', contentKo: '' };
/** The unsent draft, so that neither another tab nor another screen loses it. */
let unsent = blank;
type Missing = Partial<Record<BroadcastField, true>>;

const missingIn = ({ subject, content }: BroadcastDraft): Missing => ({
  ...(subject.trim() === '' && { subject: true }),
  ...(content.trim() === '' && { content: true }),
});

/** @param onComplete called when the operator wants to send a draft in which nothing is missing */
export function useBroadcastForm(onComplete: () => void) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(unsent);
  const [missing, setMissing] = useState<Missing>({});
  const testing = useAct(testBroadcast);
  const ref = useRef<HTMLFormElement>(null);
  // The first wrong field gets the focus when its error is rendered.
  useEffect(() => {
    if (Object.keys(missing).length > 0)
      showField(ref.current?.querySelector('[aria-invalid="true"]') ?? null);
  }, [missing]);
  const write = (next: BroadcastDraft) => {
    unsent = next;
    setDraft(next);
  };
  const isComplete = (): boolean => {
    const found = missingIn(draft);
    setMissing(found);
    return Object.keys(found).length === 0;
  };
  return {
    ref,
    draft,
    isTesting: testing.isPending,
    messageOf: (name: BroadcastField): string | undefined =>
      missing[name] && t(`broadcast.errors.${name === 'subject' ? 'subject' : 'content'}`),
    change: (part: Partial<BroadcastDraft>) => {
      setMissing({});
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
          onError: (error) => toast.bad(t(`refusals.${error.code}`), t('broadcast.fail.test')),
        },
      );
    },
  };
}
export type BroadcastForm = ReturnType<typeof useBroadcastForm>;
