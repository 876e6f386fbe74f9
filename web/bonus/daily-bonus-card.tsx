import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import clsx from 'clsx';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { type DailyBonus, readDailyBonus } from '#contract/bonus.ts';
import { readEarningsChart } from '#contract/ledger.ts';
import { requestIdOf } from '#web/client/call.ts';
import { formatAmount, formatPoints, formatWeekday } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import styles from './daily-bonus-card.module.css';
import { pointsOfDay, SHOWN_DAYS, type Stamp, stampsOf, todayOf } from './stamps.ts';
import { useClaim } from './use-claim.ts';

/** The daily bonus: the ladder of consecutive days, and the button that claims today's points. */
export function DailyBonusCard() {
  const { t } = useTranslation();
  // The site's day may have changed since this was cached.
  const { data: bonus, error, isError, refetch } = useRead(readDailyBonus, {}, { refetchOnMount: 'always' });
  const hasFailed = isError && bonus === undefined;
  return (
    <section className={clsx('card', styles.card)} aria-labelledby="bonus">
      <div className="card-head">
        <h2 id="bonus" tabIndex={-1}>
          {t('bonus.title')}
        </h2>
        {bonus !== undefined && <p className="small dim num">{rowWords(bonus, t)}</p>}
      </div>
      {hasFailed ? (
        <ErrorState
          title={t('bonus.failedTitle')}
          text={t('bonus.failedText')}
          requestId={requestIdOf(error)}
          onRetry={() => void refetch()}
        />
      ) : (
        <div className="card-body" aria-busy={bonus === undefined || undefined}>
          <Ladder bonus={bonus} />
          <ClaimButton bonus={bonus} />
        </div>
      )}
    </section>
  );
}

/** The number of consecutive days. It includes today if today is claimed or can be claimed. */
function rowWords(bonus: DailyBonus, t: TFunction): string {
  if (bonus.claimed) return t('bonus.claimedDays', { count: bonus.consecutiveDays });
  return todayOf(bonus) === 1 ? t('bonus.firstDay') : t('bonus.dayInRow', { day: todayOf(bonus) });
}

function Ladder({ bonus }: { bonus: DailyBonus | undefined }) {
  const { t } = useTranslation();
  if (bonus === undefined) {
    return (
      <div role="status">
        <span className="visually-hidden">{t('common.loading')}</span>
        <ol className={styles.stamps} aria-hidden="true">
          {Array.from({ length: SHOWN_DAYS }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are identical and keep their order.
            <li key={index}>
              <b className={styles.blank} />
              {'\u00a0'}
            </li>
          ))}
        </ol>
      </div>
    );
  }
  return (
    <ol className={clsx('num', styles.stamps)}>
      {stampsOf(bonus).map((stamp) => (
        <StampOfDay key={stamp.day} stamp={stamp} />
      ))}
    </ol>
  );
}

function StampOfDay({ stamp }: { stamp: Stamp }) {
  const { t, i18n } = useTranslation();
  const { day, points, state, ahead } = stamp;
  // The chart's last bar is today in the site's time zone, which may differ from the browser's.
  const today = useRead(readEarningsChart).data?.at(-1)?.date;
  const weekday = (style: 'short' | 'long') =>
    today === undefined
      ? t('bonus.day', { day })
      : formatWeekday(plusDays(today, ahead), i18n.language, style);
  const caption = ahead === 0 ? t('bonus.today') : ahead > 0 ? weekday('short') : formatPoints(points);
  const when = ahead === 0 ? t('bonus.today') : weekday('long');
  return (
    <li data-state={state} aria-current={ahead === 0 ? 'step' : undefined}>
      <span className="visually-hidden">
        {t(state === 'claimed' ? 'bonus.stampClaimed' : 'bonus.stamp', {
          when,
          amount: formatAmount(points),
        })}
      </span>
      <b aria-hidden="true">
        {state === 'claimed' ? <IconCheck size={16} stroke={2} /> : formatPoints(points)}
      </b>
      <span aria-hidden="true">{caption}</span>
    </li>
  );
}

function plusDays(siteDay: string, days: number): string {
  const date = new Date(`${siteDay}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

function ClaimButton({ bonus }: { bonus: DailyBonus | undefined }) {
  const { t } = useTranslation();
  const { claim, isPending } = useClaim();
  if (bonus?.claimed) {
    const tomorrow = pointsOfDay(bonus.schedule, bonus.consecutiveDays + 1);
    return (
      <Button fullWidth variant="default" disabled>
        {t('bonus.tomorrow', { amount: formatAmount(tomorrow) })}
      </Button>
    );
  }
  return (
    <Button fullWidth variant="money" disabled={bonus === undefined} loading={isPending} onClick={claim}>
      {bonus === undefined ? t('bonus.claimBlank') : t('bonus.claim', { amount: formatAmount(bonus.amount) })}
    </Button>
  );
}
