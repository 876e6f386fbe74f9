import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bookChargeback, CHARGEBACK_POINTS_MAX, testChargeback } from '#contract/earning-chargebacks.ts';
import { useReasonFault } from '#web/admin/kit/reason-dialog.tsx';
import type { ApiError, FailureCode } from '#web/client/call.ts';
import { formatAmount, formatPoints } from '#web/client/format.ts';
import { isOutcomeUnknown, newIdempotencyKey } from '#web/client/idempotency-key.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';

export type ChargebackKind = 'manual' | 'test';
export type Draft = {
  member: string;
  amount: string;
  reason: string;
  provider: string | null;
  /** The balance that the amount was taken from; the server refuses another one. */
  seenBalance?: string;
};
export type DraftErrors = Partial<Record<Exclude<keyof Draft, 'seenBalance'>, string>>;

/** The points that the server takes for an amount: rounded, at least one. 0 for no amount. */
export function pointsOf(amount: string): bigint {
  const points = Number(amount);
  return amount.trim() === '' || !(points > 0 && points <= CHARGEBACK_POINTS_MAX)
    ? 0n
    : BigInt(Math.max(1, Math.round(points)));
}

/** What is wrong with a draft, in the specified words. */
export function useDraftErrors(kind: ChargebackKind) {
  const { t } = useTranslation();
  const reasonFaultOf = useReasonFault();
  return ({ member, amount, reason, provider }: Draft): DraftErrors => {
    const wrongReason = reasonFaultOf(reason, t('chargebackList.errors.reason'));
    const isTooMuch = Number(amount) > CHARGEBACK_POINTS_MAX;
    const max = formatPoints(CHARGEBACK_POINTS_MAX);
    return {
      ...(member.trim() === '' ? { member: t('chargebackList.errors.member') } : {}),
      ...(kind === 'test' && !provider ? { provider: t('chargebackList.errors.provider') } : {}),
      ...(pointsOf(amount) > 0n
        ? {}
        : { amount: t(`chargebackList.errors.${isTooMuch ? 'range' : 'amount'}`, { max }) }),
      ...(wrongReason === undefined ? {} : { reason: wrongReason }),
    };
  };
}

/** The field that a refusal is about. */
const refusedFields: Partial<Record<FailureCode, keyof DraftErrors>> = {
  'unknown-member': 'member',
  'own-request': 'member',
  'chargeback-too-large': 'amount',
  'outcome-changed': 'amount',
};

/**
 * Sends a chargeback. All tries of one draft share a key until the outcome is known, so that pressing again after a
 * lost answer takes the points once.
 */
export function useBook(kind: ChargebackKind, onDone: () => void, onRefused: (errors: DraftErrors) => void) {
  const { t } = useTranslation();
  const manual = useAct(bookChargeback);
  const test = useAct(testChargeback);
  const isPending = manual.isPending || test.isPending;
  const [failure, setFailure] = useState<string | null>(null);
  const key = useRef<string | null>(null);
  const onError = (error: ApiError) => {
    if (!isOutcomeUnknown(error)) key.current = null;
    const why = t(`refusals.${error.code}`);
    setFailure(`${t(`chargebackList.${kind}.failed`)}. ${why}`);
    const field = refusedFields[error.code];
    if (field !== undefined) onRefused({ [field]: why });
  };
  return {
    isPending,
    failure,
    /** The draft changed, so the next try is another chargeback. */
    forget: () => {
      key.current = null;
      setFailure(null);
    },
    book: ({ member, amount, reason, provider, seenBalance }: Draft) => {
      if (isPending) return;
      setFailure(null);
      key.current ??= newIdempotencyKey();
      const idempotencyKey = key.current;
      const body = { userId: member.trim(), amount: Number(amount), reason: reason.trim() };
      const onSuccess = (userEmail: string) => {
        key.current = null;
        toast.ok(t('chargebackList.done', { amount: formatAmount(pointsOf(amount)), email: userEmail }));
        onDone();
      };
      if (kind === 'manual')
        manual.mutate(
          { idempotencyKey, body: { ...body, ...(seenBalance === undefined ? {} : { seenBalance }) } },
          { onError, onSuccess: ({ userEmail }) => onSuccess(userEmail) },
        );
      else
        test.mutate(
          { idempotencyKey, body: { ...body, provider: provider ?? '' } },
          { onError, onSuccess: ({ result }) => onSuccess(result.chargeback.userEmail) },
        );
    },
  };
}
