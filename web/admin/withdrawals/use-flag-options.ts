import { useTranslation } from 'react-i18next';
import { type FlagFilter, readWithdrawalQueue } from '#contract/withdrawals.ts';
import type { Option } from '#web/admin/kit/list-screen.ts';

/** The values of the filter by flag: the kinds of requests, then each flag. */
export function useFlagOptions(): Option[] {
  const { t } = useTranslation();
  const labelOf = (flag: FlagFilter) =>
    flag === 'clean' || flag === 'look' || flag === 'blocked'
      ? t(`queue.flagKinds.${flag}`)
      : t(`queue.flags.${flag}`);
  return readWithdrawalQueue.list.filters.flag.choices.map((value) => ({ value, label: labelOf(value) }));
}
