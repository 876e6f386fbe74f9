import { type Icon, IconAlertTriangle, IconCheck, IconClock, IconHandStop } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { WithdrawalFlag } from '#contract/withdrawals.ts';
import type { CheckResult, WithdrawalBackground } from '#contract/withdrawals-background.ts';
import { ScreenLink } from '#web/admin/kit/screen-link.tsx';
import styles from './background.module.css';
import { checkWordsOf } from './check-words.ts';

/** A check that needs time or another person waits. Nothing else about the request stands against it. */
type Verdict = CheckResult['verdict'] | 'waits';
const waiting: readonly WithdrawalFlag[] = ['on-hold', 'first-approved', 'two-people'];
const verdictOf = ({ verdict, flag }: CheckResult): Verdict =>
  flag !== null && waiting.includes(flag) ? 'waits' : verdict;

const icons: Record<Verdict, Icon> = {
  block: IconHandStop,
  waits: IconClock,
  look: IconAlertTriangle,
  pass: IconCheck,
};
/** The order in which they are counted. */
const counted: readonly Verdict[] = ['pass', 'look', 'waits', 'block'];

/** Each check with its verdict and why, failed ones first. */
export function Checks({ background }: { background: WithdrawalBackground }) {
  const { t, i18n } = useTranslation();
  const { checks } = background;
  if (checks.length === 0) return null;
  const counts = counted
    .map((verdict) => ({ verdict, count: checks.filter((one) => verdictOf(one) === verdict).length }))
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
          const verdict = verdictOf(result);
          const Sign = icons[verdict];
          return (
            <li key={result.code} data-verdict={verdict}>
              <Sign size={18} stroke={2} aria-hidden="true" />
              <div>
                <p>
                  <span className="visually-hidden">{t(`queue.background.verdicts.${verdict}`)} </span>
                  {title}
                </p>
                {reasons.map((reason) => (
                  <p key={reason} className={styles.reason}>
                    {reason}
                  </p>
                ))}
                {result.link !== null && (
                  <p className={styles.reason}>
                    <ScreenLink to={result.link}>{t('queue.background.showMore')}</ScreenLink>
                  </p>
                )}
              </div>
              {figure !== undefined && <span className="num">{figure}</span>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
