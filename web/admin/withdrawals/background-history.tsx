import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { TICKETS_MAX, type WithdrawalBackground } from '#contract/withdrawals-background.ts';
import { useActNames } from '#web/admin/kit/act-names.ts';
import { formatAmount, formatDay, formatTime } from '#web/client/format.ts';
import { useRailWords } from '#web/ui/rails.ts';
import { WithdrawalBadge } from '#web/ui/withdrawal-badge.tsx';
import styles from './background.module.css';
import { upTo } from './check-words.ts';

type HistoryProps = { background: WithdrawalBackground };

/** The member's other withdrawals: how they ended, and the newest with a link to each. Then the tickets. */
export function MemberHistory({ background: { former, history, tickets } }: HistoryProps) {
  const { t, i18n } = useTranslation();
  const { nameOf } = useRailWords();
  const { count, paidCount, paidPoints, rejectedCount, cancelledCount, failedCount } = former;
  return (
    <section aria-labelledby="request-former">
      <h3 id="request-former">{t('queue.background.former.title')}</h3>
      <ul className={styles.lines}>
        <li>{t('queue.background.former.paid', { count: paidCount, amount: formatAmount(paidPoints) })}</li>
        {count > 0 && (
          <li>
            {t('queue.background.former.ended', {
              count,
              rejected: rejectedCount,
              failed: failedCount,
              cancelled: cancelledCount,
            })}
          </li>
        )}
        <Tickets tickets={tickets} />
      </ul>
      {history.length > 0 && (
        <ul className={styles.former}>
          {history.map((row) => (
            <li key={row.id}>
              <Link
                to="/management-panel-x7k9w/withdrawals"
                search={{ status: 'all', open: row.id } as never}
                className="link"
              >
                {formatAmount(row.amount)}, {nameOf(row.method)}
              </Link>
              <WithdrawalBadge {...row} txId={null} />
              <span className="num">{formatDay(row.createdAt, i18n.language)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** How many tickets there are, and the newest with its state. */
function Tickets({ tickets: { count, newest } }: { tickets: WithdrawalBackground['tickets'] }) {
  const { t, i18n } = useTranslation();
  if (newest === null) return <li>{t('queue.background.tickets.none')}</li>;
  return (
    <li>
      <Link
        to="/management-panel-x7k9w/support"
        search={{ status: 'all', open: newest.id } as never}
        className="link"
      >
        {t('queue.background.tickets.count', { count, shown: upTo(count, TICKETS_MAX) })}
      </Link>
      {', '}
      {t('queue.background.tickets.newest', {
        state: t(`queue.background.tickets.states.${newest.status}`),
        day: formatDay(newest.createdAt, i18n.language),
      })}
    </li>
  );
}

type Step = WithdrawalBackground['steps'][number];

/** What happened to this request, oldest first: by whom, when and why. */
export function RequestSteps({ steps }: { steps: readonly Step[] }) {
  const { t, i18n } = useTranslation();
  const actName = useActNames();
  const nameOf = ({ kind, act }: Step) =>
    act === null ? t(`queue.background.steps.${kind}` as 'queue.background.steps.sent') : actName(act);
  const byOf = ({ by }: Step) =>
    by === 'command-line' || by === 'site' ? t(`queue.background.actors.${by}`) : by;
  return (
    <ol className={styles.steps}>
      {steps.map((step) => (
        <li key={`${step.at} ${step.kind} ${step.act}`}>
          <p>
            {nameOf(step)} <span className="num">{formatTime(step.at, i18n.language)}</span>
          </p>
          {step.by !== null && <p className={styles.reason}>{byOf(step)}</p>}
          {step.reason !== null && <p className={styles.reason}>{step.reason}</p>}
        </li>
      ))}
    </ol>
  );
}
