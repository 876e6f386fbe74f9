import { useTranslation } from 'react-i18next';
import styles from './shapes.module.css';
import { siteDayText } from './site-days.ts';

/** The shapes of plots: bars by day, lines by day, and shares. They carry no text for screen readers. */

const highestOf = (values: readonly bigint[]): bigint =>
  values.reduce((most, value) => (value > most ? value : most), 1n);

/** In percent of the highest, to a tenth. */
const shareOf = (value: bigint, highest: bigint): number => Number((value * 1_000n) / highest) / 10;

/** The days below a plot: the first, one between, and today. */
function Days({ days }: { days: readonly string[] }) {
  const { t, i18n } = useTranslation();
  const shown = [days[0], days[Math.floor(days.length / 2)]];
  return (
    <div className={`num ${styles.days}`} aria-hidden="true">
      {shown.map((day) => day !== undefined && <span key={day}>{siteDayText(day, i18n.language)}</span>)}
      <span>{t('overview.plots.today')}</span>
    </div>
  );
}

type StackedBarsProps = {
  days: readonly string[];
  /** The values of each series by day. The first series stands at the bottom. */
  series: readonly (readonly bigint[])[];
};

/** One bar for each day, of one series or of several. */
export function StackedBars({ days, series }: StackedBarsProps) {
  const sums = days.map((_, index) => series.reduce((sum, values) => sum + (values[index] ?? 0n), 0n));
  const highest = highestOf(sums);
  return (
    <>
      <div className={styles.bars} data-stacked={series.length > 1 || undefined}>
        {days.map((day, index) => (
          <span key={day} className={styles.bar} data-today={index === days.length - 1 || undefined}>
            {series.map((values, place) => (
              <i
                // biome-ignore lint/suspicious/noArrayIndexKey: the series never move.
                key={place}
                data-series={series.length > 1 ? place + 1 : undefined}
                style={{ height: `${shareOf(values[index] ?? 0n, highest)}%` }}
              />
            ))}
          </span>
        ))}
      </div>
      <Days days={days} />
    </>
  );
}

type LinesProps = {
  days: readonly string[];
  /** The values of each line by day; null where nothing is known. */
  lines: readonly (readonly (bigint | null)[])[];
};

/** One line for each series, from zero. The last point is marked. */
export function Lines({ days, lines }: LinesProps) {
  const highest = highestOf(lines.flatMap((values) => values.filter((value) => value !== null)));
  const x = (index: number) => (index * 100) / Math.max(1, days.length - 1);
  const y = (value: bigint) => 100 - shareOf(value, highest);
  return (
    <>
      <div className={styles.lines}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {lines.map((values, place) => (
            <polyline
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines never move.
              key={place}
              data-series={place + 1}
              vectorEffect="non-scaling-stroke"
              points={values
                .flatMap((value, index) => (value === null ? [] : [`${x(index)},${y(value)}`]))
                .join(' ')}
            />
          ))}
        </svg>
        {lines.map((values, place) => {
          const last = values.at(-1);
          return (
            last !== null &&
            last !== undefined && (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines never move.
              <i key={place} data-series={place + 1} style={{ top: `${y(last)}%` }} />
            )
          );
        })}
      </div>
      <Days days={days} />
    </>
  );
}

type SharesProps = { shares: readonly { id: string; name: string; perMille: number; text: string }[] };

/** A bar for each share, the highest one marked. */
export function Shares({ shares }: SharesProps) {
  const highest = Math.max(1, ...shares.map(({ perMille }) => perMille));
  return (
    <ul className={styles.shares}>
      {shares.map(({ id, name, perMille, text }) => (
        <li key={id} data-highest={(perMille > 0 && perMille === highest) || undefined}>
          <span>{name}</span>
          <span className={styles.share}>
            <i style={{ width: `${(perMille * 100) / highest}%` }} />
          </span>
          <b className="num">{text}</b>
        </li>
      ))}
    </ul>
  );
}

/** The names of series with their sums, in the order of their colours. */
export function Legend({ items }: { items: readonly { name: string; sum: string }[] }) {
  return (
    <ul className={styles.legend}>
      {items.map(({ name, sum }, place) => (
        <li key={name}>
          <i data-series={place + 1} aria-hidden="true" />
          {name} <b className="num">{sum}</b>
        </li>
      ))}
    </ul>
  );
}
