import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { GRANT_POINTS_MAX, givePoints } from '#contract/grants.ts';
import { useReasonFault } from '#web/admin/kit/reason-dialog.tsx';
import type { ApiError } from '#web/client/call.ts';
import { formatAmount, formatPoints } from '#web/client/format.ts';
import { isOutcomeUnknown, newIdempotencyKey } from '#web/client/idempotency-key.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

export type Draft = { member: string; amount: string; reason: string };
export type DraftErrors = Partial<Draft>;

/** What is wrong with a draft: every field is needed, and the amount is whole and more than 0. */
export function useDraftErrors() {
  const { t } = useTranslation();
  const reasonFaultOf = useReasonFault();
  const required = t('grants.give.required');
  const amountError = (amount: string): string | undefined => {
    if (amount === '') return required;
    const points = Number(amount);
    if (points <= 0) return t('grants.give.positive');
    const isInRange = Number.isInteger(points) && points <= GRANT_POINTS_MAX;
    return isInRange ? undefined : t('grants.give.range', { max: formatPoints(GRANT_POINTS_MAX) });
  };
  return ({ member, amount, reason }: Draft): DraftErrors => {
    const wrongAmount = amountError(amount);
    const wrongReason = reasonFaultOf(reason, required);
    return {
      ...(member.trim() === '' ? { member: required } : {}),
      ...(wrongAmount === undefined ? {} : { amount: wrongAmount }),
      ...(wrongReason === undefined ? {} : { reason: wrongReason }),
    };
  };
}

/**
 * Sends a grant. All tries of one draft share a key until the outcome is known, so that pressing again after a lost
 * answer gives the points once.
 */
export function useGive(onDone: () => void, onRefused: (error: ApiError) => void) {
  const { t } = useTranslation();
  const giving = useAct(givePoints);
  const [failure, setFailure] = useState<string | null>(null);
  const key = useRef<string | null>(null);
  return {
    isPending: giving.isPending,
    failure,
    /** The draft changed, so the next try is another grant. */
    forget: () => {
      key.current = null;
      setFailure(null);
    },
    give: (receiver: { id: string; name: string }, { amount, reason }: Draft) => {
      if (giving.isPending) return;
      setFailure(null);
      key.current ??= newIdempotencyKey();
      giving.mutate(
        {
          idempotencyKey: key.current,
          body: { userId: receiver.id, amount: Number(amount), reason: reason.trim() },
        },
        {
          onSuccess: ({ status }) => {
            key.current = null;
            const isWaiting = status === 'pending';
            const words = { amount: formatAmount(amount), name: receiver.name };
            toast.ok(t(isWaiting ? 'grants.done.waiting' : 'grants.done.given', words));
            onDone();
          },
          onError: (error) => {
            if (!isOutcomeUnknown(error)) key.current = null;
            setFailure(`${t('grants.give.failed')}. ${t(`refusals.${error.code}`)}`);
            onRefused(error);
          },
        },
      );
    },
  };
}
