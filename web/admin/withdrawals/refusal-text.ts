import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Cap } from '#contract/withdrawals-decisions.ts';
import { useRefusalWords } from '#web/admin/kit/use-refusal-words.ts';
import type { ApiError } from '#web/client/call.ts';
import { formatAmount, formatTime } from '#web/client/format.ts';

/** Which cap of the day does not let an approval through, how much of it is used, and when the day ends. */
export const capText = ({ name, points, usedPoints, endsAt }: Cap, t: TFunction, language: string): string =>
  t(`queue.caps.${name}`, {
    cap: formatAmount(points),
    used: formatAmount(usedPoints),
    time: formatTime(endsAt, language),
  });

/** Why a decision was refused, in the operator's language. */
export function useRefusalText(): (error: ApiError) => string {
  const { t, i18n } = useTranslation();
  const refusalWords = useRefusalWords();
  return ({ code, problem }) => {
    const cap = problem?.cap as Cap | undefined;
    return cap === undefined ? refusalWords(code) : capText(cap, t, i18n.language);
  };
}
