import { useTranslation } from 'react-i18next';
import { lookFlag, type QueuedWithdrawal, type WithdrawalFlag } from '#contract/withdrawals.ts';
import type { PlannedDecisions, StayReason } from '#contract/withdrawals-bulk.ts';
import { ScreenLink } from '#web/admin/kit/screen-link.tsx';
import { type BadgeTone, StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './left-out.module.css';

/** The requests that an act on many leaves pending, by kind and reason, with the way to them. */

type Staying = PlannedDecisions['staying'];
type Kind = 'look' | 'blocked' | 'no-rail' | 'no-rate';

export const isToLookAt = (reason: StayReason | WithdrawalFlag): boolean =>
  lookFlag.options.some((flag) => flag === reason);

const staysAs = (reason: StayReason): Kind => {
  if (reason === 'no-rail' || reason === 'no-rate') return reason;
  return isToLookAt(reason) ? 'look' : 'blocked';
};
const tones: Record<Kind, BadgeTone> = {
  look: 'warn',
  blocked: 'blocked',
  'no-rail': 'warn',
  'no-rate': 'warn',
};
const kinds = Object.keys(tones) as Kind[];

/** Why an approval leaves selected requests out: what stands against it, or what should be looked at first. */
export function stayingOf(rows: readonly QueuedWithdrawal[]): Staying {
  const reasons = rows.flatMap(({ approvalObstacle, flags }) => {
    const flag = approvalObstacle ?? flags.find(isToLookAt);
    // A request that waits for its first approval of two can be approved.
    return flag === undefined || flag === 'two-people' ? [] : [flag];
  });
  const counts = Map.groupBy(reasons, (reason) => reason);
  return [...counts].map(([reason, of]) => ({ reason, count: of.length }));
}

export const countOf = (staying: Staying): number => staying.reduce((sum, { count }) => sum + count, 0);

export function LeftOut({ staying, close }: { staying: Staying; close: () => void }) {
  const { t } = useTranslation();
  const count = countOf(staying);
  if (count === 0) return null;
  const groups = kinds
    .map((kind) => ({ kind, of: staying.filter(({ reason }) => staysAs(reason) === kind) }))
    .filter(({ of }) => of.length > 0);
  const reasonText = (reason: StayReason) =>
    reason === 'no-rail' || reason === 'no-rate' ? t(`queue.bulk.${reason}Text`) : t(`queue.flags.${reason}`);
  return (
    <section aria-labelledby="left-out" className={styles.part}>
      <h3 id="left-out">
        {t('queue.bulk.leftOut')} <span className="num">{count}</span>
      </h3>
      <ul>
        {groups.map(({ kind, of }) => (
          <li key={kind}>
            <StatusBadge tone={tones[kind]}>
              {kind === 'look' || kind === 'blocked' ? t(`queue.flagKinds.${kind}`) : t(`queue.bulk.${kind}`)}
            </StatusBadge>
            <span>
              {of
                .map(({ reason, count: each }) =>
                  t('queue.bulk.stayReason', { label: reasonText(reason), count: each }),
                )
                .join(', ')}
            </span>
            {(kind === 'look' || kind === 'blocked') && (
              <ScreenLink to={`/management-panel-x7k9w/withdrawals?flag=${kind}`} onClick={close}>
                {t('queue.bulk.showKind')}
              </ScreenLink>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
