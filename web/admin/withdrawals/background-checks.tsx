import { type Icon, IconAlertTriangle, IconCheck, IconClock, IconHandStop } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { WithdrawalBackground } from '#contract/withdrawals-background.ts';
import styles from './background.module.css';
import { checkWordsOf } from './check-words.ts';

type Verdict = WithdrawalBackground['checks'][number]['verdict'];

const icons: Record<Verdict, Icon> = {
  blocked: IconHandStop,
  waits: IconClock,
  look: IconAlertTriangle,
  passed: IconCheck,
};
/** The order in which they are counted. */
const counted: readonly Verdict[] = ['passed', 'look', 'waits', 'blocked'];

/** Each check with its verdict and why, failed ones first. */
export function Checks({ background }: { background: WithdrawalBackground }) {
  const { t, i18n } = useTranslation();
  const { checks } = background;
  if (checks.length === 0) return null;
  const counts = counted
    .map((verdict) => ({ verdict, count: checks.filter((one) => one.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => t(`queue.background.counts.${verdict}`, { count }));
  return (
    <section aria-labelledby="request-checks">
      <h3 id="request-checks" className={styles.heading}>
        {t('queue.background.checks')} <span className="num">{counts.join(', ')}</span>
      </h3>
      <ul className={styles.checks}>
        {checks.map((result) => {
          const { title, reasons, figure } = checkWordsOf(result, { background, t, language: i18n.language });
          const Sign = icons[result.verdict];
          return (
            <li key={result.check} data-verdict={result.verdict}>
              <Sign size={18} stroke={2} aria-hidden="true" />
              <div>
                <p>
                  <span className="visually-hidden">{t(`queue.background.verdicts.${result.verdict}`)} </span>
                  {title}
                </p>
                {reasons.map((reason) => (
                  <p key={reason} className={styles.reason}>
                    {reason}
                  </p>
                ))}
              </div>
              {figure !== undefined && <span className="num">{figure}</span>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
