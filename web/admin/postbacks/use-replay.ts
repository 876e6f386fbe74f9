import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type Postback,
  type ReplayOutcome,
  type ReplayVerdict,
  replayPostback,
} from '#contract/earning-postbacks.ts';
import { type ApiError, call } from '#web/client/call.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import { useVerdictWord } from './verdict-badge.tsx';

/** What a call would do today. It is asked each time that somebody looks. */
export const useDryRun = (id: string, isWanted: boolean) =>
  useQuery<ReplayOutcome, ApiError>({
    queryKey: ['dry-run', id],
    queryFn: ({ signal }) =>
      call(replayPostback, { params: { id }, query: { dryRun: 'true' }, signal } as never),
    enabled: isWanted,
    staleTime: 0,
    gcTime: 0,
  });

/** Books a call as its dry run said. `onStale` is called when the outcome is another one by now. */
export function useReplay(row: Postback, outcome: ReplayOutcome, onStale: () => void) {
  const { t } = useTranslation();
  const wordOf = useVerdictWord();
  const { mutate, isPending } = useAct(replayPostback);
  const [failure, setFailure] = useState<string | null>(null);
  const { memberId, amount } = outcome;
  const seen = { ...(memberId === null ? {} : { memberId }), ...(amount === null ? {} : { amount }) };
  // The server offers only outcomes of this list.
  const verdict = outcome.verdict as ReplayVerdict;
  return {
    isPending,
    failure,
    book: (reason: string, onDone: () => void) => {
      if (isPending) return;
      setFailure(null);
      const body = { reason, verdict, ...seen };
      mutate(
        { params: { id: row.id }, query: {}, body },
        {
          onSuccess: (done) => {
            toast.ok(t('postbacks.dry.done', { verdict: wordOf({ ...done, kind: row.kind }) }));
            onDone();
          },
          onError: ({ code }) => {
            setFailure(`${t('postbacks.dry.failed')} ${t(`refusals.${code}`)}`);
            onStale();
          },
        },
      );
    },
  };
}
