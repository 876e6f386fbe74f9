import { useTranslation } from 'react-i18next';
import type { Act } from '#contract/acts.ts';
import { readFormerReasons } from '#contract/audit-trail.ts';
import { useRead } from '#web/client/use-call.ts';
import styles from './former-reasons.module.css';

/**
 * The last reasons for acts of a kind; none before they were read, or without a kind. They are read before the form
 * opens, so that nothing moves in it.
 */
export function useFormerReasons(act: Act | undefined): readonly string[] {
  const { data = [] } = useRead(
    readFormerReasons,
    { query: { action: act as Act } },
    { enabled: act !== undefined, staleTime: 0 },
  );
  return data;
}

type FormerReasonsProps = { reasons: readonly string[]; onChoose: (reason: string) => void };

/** The last reasons, each as a chip that writes it into the field. */
export function FormerReasons({ reasons, onChoose }: FormerReasonsProps) {
  const { t } = useTranslation();
  if (reasons.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label={t('list.formerReasons')}>
      {reasons.map((reason) => (
        <li key={reason}>
          <button type="button" className={styles.chip} title={reason} onClick={() => onChoose(reason)}>
            {reason}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The text of the field after a chip: what was typed is kept, and another chip's text gives way. */
export const withReason = (typed: string, reason: string, reasons: readonly string[]): string => {
  const kept = typed.trim();
  return kept === '' || reasons.includes(kept) ? reason : `${kept} ${reason}`;
};
