import { useTranslation } from 'react-i18next';
import { StatusBadge } from './status-badge.tsx';
import { type WithdrawalFacts, withdrawalStateOf } from './withdrawal-state.ts';

/** The state of a withdrawal, in the same words for members and operators. */
export function WithdrawalBadge(facts: WithdrawalFacts) {
  const { t } = useTranslation();
  const { word, tone, icon } = withdrawalStateOf(facts);
  return (
    <StatusBadge tone={tone} {...(icon === undefined ? {} : { icon })}>
      {t(word)}
    </StatusBadge>
  );
}
