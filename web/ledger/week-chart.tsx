import { useTranslation } from 'react-i18next';
import { readEarningsChart } from '#contract/ledger.ts';
import { requestIdOf } from '#web/client/call.ts';
import { formatAmount, formatPoints, formatWeekday, toPoints } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import styles from './week-chart.module.css';
import { WeekChartShapes } from './week-chart-shapes.tsx';

/** The height of the value above a bar. */
const LABEL_PX = 24;
const BAR_MIN_PX = 4;

/** A bar's height, proportional to the highest bar, at least 4 px. */
function heightOf(amount: bigint, highest: bigint): string {
  const share = highest === 0n ? 0 : Number((amount * 1_000n) / highest) / 1_000;
  return `max(${BAR_MIN_PX}px, calc((100% - ${LABEL_PX}px) * ${share}))`;
}

/** The points earned on each of the last seven days of the site's time zone. */
export function WeekChart() {
  const { t, i18n } = useTranslation();
  const chart = useRead(readEarningsChart);
  const days = (chart.data ?? []).map(({ date, amount }) => ({ date, amount: toPoints(amount) }));
  const highest = days.reduce((most, { amount }) => (amount > most ? amount : most), 0n);
  const sum = days.reduce((total, { amount }) => total + amount, 0n);
  const isToday = (index: number) => index === days.length - 1;
  const sentence = days
    .map(({ date, amount }, index) => {
      const day = isToday(index) ? t('week.today') : formatWeekday(date, i18n.language, 'long');
      return `${day} ${formatPoints(amount)}`;
    })
    .join(', ');

  return (
    <section className={`card ${styles.chart}`} aria-labelledby="week">
      <div className="card-head">
        <h2 id="week">{t('week.title')}</h2>
        {chart.data !== undefined && (
          <p className="small dim">
            <span className={`num ${styles.sum}`}>{formatAmount(sum)}</span> {t('week.sum')}
          </p>
        )}
      </div>
      {chart.isError ? (
        <ErrorState
          title={t('week.failed')}
          text={t('week.failedText')}
          requestId={requestIdOf(chart.error)}
          onRetry={() => void chart.refetch()}
        />
      ) : (
        <div className={`card-body ${styles.body}`} aria-busy={chart.isPending || undefined}>
          {chart.isPending ? (
            <WeekChartShapes />
          ) : (
            <div className={`num ${styles.bars}`} role="img" aria-label={t('week.label', { days: sentence })}>
              {days.map(({ date, amount }, index) => (
                <div
                  key={date}
                  data-today={isToday(index) || undefined}
                  data-none={amount === 0n || undefined}
                >
                  <span>{formatPoints(amount)}</span>
                  <i style={{ height: heightOf(amount, highest) }} />
                </div>
              ))}
            </div>
          )}
          <div className={styles.days} aria-hidden="true">
            {days.map(({ date }, index) => (
              <span key={date} data-today={isToday(index) || undefined}>
                {isToday(index) ? t('week.today') : formatWeekday(date, i18n.language, 'short')}
              </span>
            ))}
          </div>
        </div>
      )}
    </section>
  );
}
