import { useTranslation } from 'react-i18next';
import type { OverviewDays, ProviderDays } from '#contract/overview.ts';
import { formatAmount, formatPoints, formatTime } from '#web/client/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import styles from './overview-page.module.css';
import { PlotCard } from './plot-card.tsx';
import { Legend, Shares, StackedBars } from './shapes.tsx';
import { percentText, perMilleOf, sumOf } from './site-days.ts';
import { useDayRows } from './use-day-rows.ts';

/** What providers earned the members by day, and how much of it they took back. */

/** As many as a reader tells apart; the others are one series. */
const SERIES_MAX = 4;

export function ProviderPlots({ read }: { read: OverviewDays }) {
  const { t } = useTranslation();
  if (read.providers.every(({ earnedSum }) => earnedSum === '0'))
    return (
      <section className="card" aria-label={t('overview.plots.earned')}>
        <EmptyState title={t('overview.plots.noEarnings')} text={t('overview.plots.noEarningsText')} />
      </section>
    );
  return (
    <div className={styles.halves}>
      <Earned read={read} />
      <Reversals read={read} />
    </div>
  );
}

type Series = { name: string; points: readonly string[]; sum: bigint };

/** The providers that earned most, and the others as one. */
function useSeries({ days, providers }: OverviewDays): Series[] {
  const { t } = useTranslation();
  const seriesOf = ({ name, earned, earnedSum }: ProviderDays): Series => ({
    name,
    points: earned,
    sum: BigInt(earnedSum),
  });
  const earning = providers.filter(({ earnedSum }) => earnedSum !== '0');
  if (earning.length <= SERIES_MAX) return earning.map(seriesOf);
  const others = earning.slice(SERIES_MAX - 1);
  return [
    ...earning.slice(0, SERIES_MAX - 1).map(seriesOf),
    {
      name: t('overview.plots.others', { count: others.length }),
      points: days.map((_, index) => String(sumOf(others.map(({ earned }) => earned[index] ?? '0')))),
      sum: sumOf(others.map(({ earnedSum }) => earnedSum)),
    },
  ];
}

function Earned({ read }: { read: OverviewDays }) {
  const { t, i18n } = useTranslation();
  const { days, providers, countedUntil } = read;
  const rows = useDayRows(days);
  const series = useSeries(read);
  const sum = sumOf(providers.map(({ earnedSum }) => earnedSum));
  const before = sumOf(providers.map(({ earnedBefore }) => earnedBefore));
  const change = perMilleOf(sum - before, before);
  const [first] = providers;
  const sentences = [
    before === 0n
      ? ''
      : t(change < 0 ? 'overview.plots.lessThanBefore' : 'overview.plots.moreThanBefore', {
          percent: percentText(Math.abs(change)),
          days: days.length,
        }),
    first === undefined
      ? ''
      : t('overview.plots.bringsMost', {
          name: first.name,
          percent: percentText(perMilleOf(BigInt(first.earnedSum), sum)),
        }),
    countedUntil === null
      ? ''
      : t('overview.plots.countedUntil', { time: formatTime(countedUntil, i18n.language) }),
  ];
  return (
    <PlotCard
      title={t('overview.plots.earned')}
      figure={formatAmount(sum)}
      sentence={sentences.filter(Boolean).join(' ')}
      plot={<StackedBars days={days} series={series.map(({ points }) => points.map(BigInt))} />}
      legend={<Legend items={series.map((one) => ({ name: one.name, sum: formatAmount(one.sum) }))} />}
      table={{
        heads: [t('overview.plots.day'), ...providers.map(({ name }) => name), t('overview.plots.sumPoints')],
        rows: rows((index) => [
          ...providers.map(({ earned }) => formatPoints(earned[index])),
          formatPoints(sumOf(providers.map(({ earned }) => earned[index] ?? '0'))),
        ]),
      }}
    />
  );
}

function Reversals({ read: { providers } }: { read: OverviewDays }) {
  const { t } = useTranslation();
  const rateOf = ({ earnedSum, reversedSum }: ProviderDays) =>
    perMilleOf(BigInt(reversedSum), BigInt(earnedSum));
  const sorted = providers.toSorted((one, other) => rateOf(other) - rateOf(one));
  const mean = perMilleOf(
    sumOf(providers.map(({ reversedSum }) => reversedSum)),
    sumOf(providers.map(({ earnedSum }) => earnedSum)),
  );
  const [first] = sorted;
  return (
    <PlotCard
      title={t('overview.plots.reversals')}
      figure={t('overview.plots.ofPoints', { percent: percentText(mean) })}
      sentence={
        first === undefined || rateOf(first) === 0
          ? t('overview.plots.noReversals')
          : t('overview.plots.takesBackMost', { name: first.name, percent: percentText(rateOf(first)) })
      }
      plot={
        <Shares
          shares={sorted.map((provider) => ({
            id: provider.id,
            name: provider.name,
            perMille: rateOf(provider),
            text: percentText(rateOf(provider)),
          }))}
        />
      }
      table={{
        heads: [
          t('overview.plots.provider'),
          t('overview.plots.credited'),
          t('overview.plots.takenBack'),
          t('overview.plots.rate'),
        ],
        rows: sorted.map((provider) => [
          provider.name,
          formatPoints(provider.earnedSum),
          formatPoints(provider.reversedSum),
          percentText(rateOf(provider)),
        ]),
      }}
    />
  );
}
