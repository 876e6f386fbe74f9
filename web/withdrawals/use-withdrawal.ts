import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isAddressFault } from '#contract/address-faults.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { WITHDRAWAL_POINTS_MIN } from '#contract/points.ts';
import { readMethods, requestWithdrawal } from '#contract/withdrawals.ts';
import type { ApiError, FailureCode } from '#web/client/call.ts';
import { formatPoints, toPoints } from '#web/client/format.ts';
import { isOutcomeUnknown, newIdempotencyKey } from '#web/client/idempotency-key.ts';
import { keyOf, useAct, useRead } from '#web/client/use-call.ts';
import { useRailWords } from '#web/ui/rails.ts';
import { toast } from '#web/ui/toast.tsx';
import { useFaultWords } from './fault-words.ts';
import { type Draft, findAttempt, keepPart } from './kept-draft.ts';
import { useProcessingTime } from './processing-time.ts';
import { useArePayoutsPaused } from './waiting.ts';

export type WithdrawalMethod = ReplyOf<typeof readMethods>[number];
export type FieldName = 'amount' | 'address';
export type Bounds = { minimum: bigint; maximum: bigint; balance: bigint; fee: bigint };

/** Maps a refusal's code to its form field. Other refusals show above the button. */
const fieldOf: Partial<Record<FailureCode, FieldName>> = {
  'below-minimum': 'amount',
  'above-maximum': 'amount',
  'insufficient-balance': 'amount',
  'invalid-address': 'address',
};

/** Whether a refusal means that the fetched method is outdated. */
const isChangedMethod = (code: FailureCode): boolean =>
  code === 'method-disabled' || code === 'below-minimum' || code === 'above-maximum';

/**
 * The bounds of a withdrawal: the method's limits, the site's minimum and the balance. A maximum of 0 means no limit.
 */
export function boundsOf(method: WithdrawalMethod | undefined, balanceText: string | undefined): Bounds {
  const balance = toPoints(balanceText);
  const own = BigInt(method?.minimumAmount ?? 0);
  const highest = BigInt(method?.maximumAmount ?? 0);
  return {
    balance,
    minimum: own > WITHDRAWAL_POINTS_MIN ? own : WITHDRAWAL_POINTS_MIN,
    maximum: highest > 0n && highest < balance ? highest : balance,
    fee: BigInt(method?.processingFee ?? 0),
  };
}

/**
 * Sends a draft. The idempotency key is kept while the result of an attempt is unknown, also when the dialog is closed
 * or the page is loaded anew, so that a repeat after a lost answer cannot create a second withdrawal.
 */
export function useSendDraft(
  memberId: string,
  onDone: (id: string) => void,
  onFieldError: (field: FieldName, message: string) => void,
) {
  const { t } = useTranslation();
  const { nameOf } = useRailWords();
  const faultWords = useFaultWords();
  const client = useQueryClient();
  const { mutate, isPending } = useAct(requestWithdrawal);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const takes = useProcessingTime();
  const arePaused = useArePayoutsPaused();

  const send = (draft: Draft) => {
    if (isPending) return;
    const body = {
      amountPoints: draft.amount,
      method: draft.method,
      recipientInfo: { address: draft.address.trim() },
    };
    const text = JSON.stringify(body);
    const now = Date.now();
    const attempt = findAttempt(memberId, text, now) ?? { key: newIdempotencyKey(), body: text, at: now };
    keepPart(memberId, { attempt });
    setFailure(null);
    mutate(
      { body, idempotencyKey: attempt.key },
      {
        onSuccess: ({ id }) => {
          keepPart(memberId, { attempt: undefined });
          const said = arePaused ? 'requestedPaused' : 'requested';
          toast.ok(t(`withdrawals.dialog.${said}`, { time: takes }));
          onDone(id);
        },
        onError: (error) => {
          if (!isOutcomeUnknown(error)) keepPart(memberId, { attempt: undefined });
          if (isChangedMethod(error.code)) void client.invalidateQueries({ queryKey: keyOf(readMethods) });
          const sentence = sentenceFor(error, draft);
          toast.bad(sentence, t('withdrawals.dialog.failedToast'));
          const field = fieldOf[error.code];
          if (field === undefined) setFailure(error);
          else onFieldError(field, sentence);
        },
      },
    );
  };

  const sentenceFor = (error: ApiError, draft: Draft) => {
    const method = nameOf(draft.method);
    // The limits changed since the dialog opened, so the message names those of the refusal.
    const minimumAmount = error.problem?.minimumAmount;
    const maximumAmount = error.problem?.maximumAmount;
    if (error.code === 'below-minimum' && typeof minimumAmount === 'number')
      return t('withdrawals.errors.minimum', { method, minimum: formatPoints(BigInt(minimumAmount)) });
    if (error.code === 'above-maximum' && typeof maximumAmount === 'number')
      return t('withdrawals.errors.maximum', { method, maximum: formatPoints(BigInt(maximumAmount)) });
    const fault = error.problem?.fault;
    const beginnings = error.problem?.beginnings;
    if (error.code === 'invalid-address' && isAddressFault(fault) && Array.isArray(beginnings)) {
      const [start, other] = [String(error.problem?.start), nameOf(String(error.problem?.method))];
      return faultWords(fault, method, start, beginnings.map(String), other);
    }
    return t(`refusals.${error.code}`);
  };

  return { send, isPending, failure, forget: () => setFailure(null) };
}

export const useMethods = () => useRead(readMethods);
