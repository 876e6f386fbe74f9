import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Quarantined, resolveQuarantined } from '#contract/earning-quarantine.ts';
import type { ApiError } from '#web/client/call.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

const reasons = {
  'unknown member': 'unknownMember',
  'deleted member': 'deletedMember',
  'unknown credit': 'unknownCredit',
  'credit of another member': 'otherCredit',
  'unlisted address': 'unlistedAddress',
} as const;

/** Why a call is in quarantine, in short. */
export function useQuarantineReason(): (row: Quarantined) => string {
  const { t } = useTranslation();
  return ({ reason }) =>
    reason in reasons ? t(`quarantine.reasons.${reasons[reason as keyof typeof reasons]}`) : reason;
}

/** What that means, in a sentence. */
export function useQuarantineText(): (row: Quarantined) => string {
  const { t } = useTranslation();
  return ({ reason, memberId }) =>
    reason in reasons
      ? t(`quarantine.texts.${reasons[reason as keyof typeof reasons]}`, { id: memberId })
      : reason;
}

export type Choice = { action: 'book' | 'dismiss'; memberId: string; note: string };

/** Resolves a call. A refusal shows in the sheet. */
export function useResolution(row: Quarantined, onDone: () => void, onWrongMember: (text: string) => void) {
  const { t } = useTranslation();
  const { mutate, isPending } = useAct(resolveQuarantined);
  const [failure, setFailure] = useState<string | null>(null);
  const onError = ({ code }: ApiError) => {
    const isNobody = code === 'unknown-member' || code === 'invalid-request';
    const why = isNobody ? t(`quarantine.fail.${row.kind}`) : t(`refusals.${code}`);
    setFailure(why);
    if (row.kind === 'credit' && (isNobody || code === 'own-request')) onWrongMember(why);
  };
  return {
    isPending,
    failure,
    forget: () => setFailure(null),
    resolve: ({ action, memberId, note }: Choice) => {
      if (isPending) return;
      setFailure(null);
      const isNamed = action === 'book' && row.kind === 'credit';
      const body = { action, note, ...(isNamed ? { memberId } : {}) };
      mutate(
        { params: { id: row.id }, body },
        {
          onError,
          onSuccess: () => {
            toast.ok(t(`quarantine.done.${action}`));
            onDone();
          },
        },
      );
    },
  };
}
