import { useTranslation } from 'react-i18next';
import type { Decision } from '#contract/decisions.ts';
import { formatAmount } from '#web/client/format.ts';

/** The points that a decision is about, and the offer's name; nothing for one about no points. */
export function Subject({ decision: { subject } }: { decision: Decision }) {
  const { t } = useTranslation();
  if (subject === null) return null;
  const amount = formatAmount(subject.amount);
  return (
    <p className="num small" dir="auto">
      {subject.name ? t('decisions.subject', { amount, name: subject.name }) : amount}
    </p>
  );
}
