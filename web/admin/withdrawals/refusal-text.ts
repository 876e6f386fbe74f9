import type { TFunction } from 'i18next';
import type { RefusalCode } from '#contract/refusals.ts';
import type { Cap } from '#contract/withdrawals-decisions.ts';
import type { ApiError } from '#web/client/call.ts';
import { formatAmount, formatTime } from '#web/client/format.ts';

/** Why a decision is refused, in the operator's language. Of a cap it says which one, how much is used, and its end. */
export function obstacleText(
  { code, cap }: { code: string; cap: Cap | null },
  t: TFunction,
  language: string,
): string {
  if (cap === null) return t(`refusals.${code as RefusalCode}`);
  return t(`queue.caps.${cap.name}`, {
    cap: formatAmount(cap.points),
    used: formatAmount(cap.usedPoints),
    time: formatTime(cap.endsAt, language),
  });
}

export const refusalText = ({ code, problem }: ApiError, t: TFunction, language: string): string =>
  obstacleText({ code, cap: (problem?.cap as Cap | undefined) ?? null }, t, language);

/** Whether an approval was refused because it was recorded as the first of two. */
export const isFirstApproval = ({ code, problem }: ApiError): boolean =>
  code === 'second-operator-needed' && problem?.isRecorded === true;
