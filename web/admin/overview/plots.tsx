import { useTranslation } from 'react-i18next';
import type { OverviewDays } from '#contract/overview.ts';
import { formatDollars, formatPoints } from '#web/client/format.ts';
import { DaysCard } from './days-card.tsx';
import styles from './overview-page.module.css';
import { PlotCard } from './plot-card.tsx';
import { ProviderPlots } from './provider-plots.tsx';
import { Lines, StackedBars } from './shapes.tsx';
import { siteDayText, sumOf } from './site-days.ts';
import { useDayRows } from './use-day-rows.ts';

/** The site by day, from sums that the server keeps. */
export function Plots() {
  const { t } = useTranslation();
  return (
    <DaysCard title={t('overview.plots.title')}>
      {(read) => (
        <>
          <ProviderPlots read={read} />
          <div className={styles.thirds}>
            <SignUps read={read} />
            <ActiveMembers read={read} />
            <PaidOut read={read} />
          </div>
        </>
      )}
    </DaysCard>
  );
}

export function SignUps({ read: { days, joined } }: { read: OverviewDays }) {
  const { t } = useTranslation();
  const rows = useDayRows(days);
  const sum = joined.reduce((all, count) => all + count, 0);
  return (
    <PlotCard
      title={t('overview.plots.signUps')}
      figure={t('overview.plots.joinedToday', { number: formatPoints(joined.at(-1)) })}
      sentence={t('overview.plots.inDays', { number: formatPoints(sum), days: days.length })}
      plot={<StackedBars days={days} series={[joined.map(BigInt)]} />}
      table={{
        heads: [t('overview.plots.day'), t('overview.plots.signUps')],
        rows: rows((index) => [formatPoints(joined[index])]),
      }}
    />
  );
}

export function ActiveMembers({ read: { days, active } }: { read: OverviewDays }) {
  const { t, i18n } = useTranslation();
  const rows = useDayRows(days);
  const firstAt = Math.max(
    0,
    active.findIndex((count) => count !== null),
  );
  const [first, last] = [active[firstAt] ?? 0, active.at(-1) ?? 0];
  const key = last === first ? 'activeSame' : last > first ? 'activeMore' : 'activeFewer';
  const day = siteDayText(days[firstAt] ?? '', i18n.language);
  return (
    <PlotCard
      title={t('overview.plots.active')}
      figure={formatPoints(last)}
      sentence={t(`overview.plots.${key}`, { number: formatPoints(Math.abs(last - first)), day })}
      plot={<Lines days={days} lines={[active.map((count) => (count === null ? null : BigInt(count)))]} />}
      table={{
        heads: [t('overview.plots.day'), t('overview.plots.active')],
        rows: rows((index) => {
          const count = active[index] ?? null;
          return [count === null ? '–' : formatPoints(count)];
        }),
      }}
    />
  );
}

export function PaidOut({ read: { days, paid } }: { read: OverviewDays }) {
  const { t } = useTranslation();
  const rows = useDayRows(days);
  const sumOfDay = (index: number) => sumOf(paid.map(({ points }) => points[index] ?? '0'));
  const sums = days.map((_, index) => sumOfDay(index));
  const count = paid.reduce((all, method) => all + method.count, 0);
  return (
    <PlotCard
      title={t('overview.plots.paid')}
      figure={t('overview.plots.paidToday', { amount: formatDollars(sums.at(-1)) })}
      sentence={t('overview.plots.paidInDays', {
        count,
        number: formatPoints(count),
        amount: formatDollars(sumOf(sums)),
        days: days.length,
      })}
      plot={<StackedBars days={days} series={[sums]} />}
      table={{
        heads: [t('overview.plots.day'), ...paid.map(({ name }) => name), t('overview.plots.sum')],
        rows: rows((index) => [
          ...paid.map(({ points }) => formatDollars(points[index])),
          formatDollars(sums[index]),
        ]),
      }}
    />
  );
}
