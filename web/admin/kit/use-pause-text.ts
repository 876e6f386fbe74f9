import { useTranslation } from 'react-i18next';
import { fullNameOf } from '#contract/full-name.ts';
import { readOperators } from '#contract/members-operators.ts';
import type { Pause } from '#contract/pause.ts';
import { formatTime } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';

/** Says who paused the payouts, when and why. Undefined while the names of the operators are read. */
export function usePauseText(pause: Pause | null): string | undefined {
  const { t, i18n } = useTranslation();
  const { data, isPending } = useRead(readOperators, undefined, { enabled: pause !== null });
  if (pause === null || isPending) return undefined;
  const operators = data ?? [];
  const { actor, operatorId, at, reason } = pause;
  const operator = operators.find(({ id }) => id === operatorId);
  const name =
    operatorId === null
      ? t(actor === 'site' ? 'pausing.bySite' : 'pausing.byCommand')
      : operator === undefined
        ? t('pausing.byOperator', { id: operatorId })
        : fullNameOf(operator);
  const words = { name, time: formatTime(at, i18n.language) };
  return reason === null ? t('pausing.by', words) : t('pausing.byWithReason', { ...words, reason });
}
