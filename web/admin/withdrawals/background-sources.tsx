import { useTranslation } from 'react-i18next';
import type { WithdrawalBackground } from '#contract/withdrawals-background.ts';
import { shareText } from '#web/admin/kit/share.ts';
import { formatDay, formatPoints, toPoints } from '#web/client/format.ts';
import styles from './background.module.css';

type Source = WithdrawalBackground['sources'][number];
type SourcesProps = { background: WithdrawalBackground };

/** As many as a reader tells apart by their look. */
const SERIES_MAX = 4;

/** A member loses more than twice as much as all members do. */
const isRateHigh = ({ points, reversedPoints, all }: Source): boolean =>
  all !== null &&
  toPoints(reversedPoints) > 0n &&
  toPoints(reversedPoints) * toPoints(all.earned) > 2n * toPoints(all.reversed) * toPoints(points);

/** Where the member's points came from, with the part that was taken back, of this member and of all. */
export function PointSources({ background: { sources: rows, credits } }: SourcesProps) {
  const { t, i18n } = useTranslation();
  const { count, since, areAll } = credits;
  const sum = rows.reduce((total, { points }) => total + toPoints(points), 0n);
  const nameOf = ({ kind, providerName }: Source) =>
    providerName ?? t(`queue.background.kinds.${kind}` as const);
  const sizes = rows.map(({ points }) => (sum <= 0n ? 0 : Number((toPoints(points) * 1_000n) / sum) / 10));
  const day = since === null ? '' : formatDay(since, i18n.language);
  return (
    <section aria-labelledby="request-sources">
      <h3 id="request-sources">{t('queue.background.sources.title')}</h3>
      {rows.length === 0 ? (
        <p className={styles.note}>{t('queue.background.sources.none')}</p>
      ) : (
        <>
          <div className={styles.shares} aria-hidden="true">
            {rows.map((row, place) => (
              <i
                key={nameOf(row)}
                data-series={Math.min(place + 1, SERIES_MAX)}
                style={{ width: `${sizes[place]}%` }}
              />
            ))}
          </div>
          <table className={styles.sources}>
            <thead>
              <tr>
                <th scope="col">{t('queue.background.sources.source')}</th>
                <th scope="col">{t('queue.background.sources.points')}</th>
                <th scope="col">{t('queue.background.sources.share')}</th>
                <th scope="col">{t('queue.background.sources.back')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, place) => (
                <tr key={nameOf(row)}>
                  <th scope="row">
                    <i data-series={Math.min(place + 1, SERIES_MAX)} aria-hidden="true" />
                    {nameOf(row)}
                  </th>
                  <td className="num">{formatPoints(row.points)}</td>
                  <td className="num">{shareText(toPoints(row.points), sum)}</td>
                  <td className="num">
                    <BackText row={row} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className={styles.note}>
            {t(areAll ? 'queue.background.sources.whole' : 'queue.background.sources.last', {
              count,
              day,
            })}
          </p>
        </>
      )}
    </section>
  );
}

/** What was taken back of the member's credits, and of all members'. */
function BackText({ row }: { row: Source }) {
  const { points, reversedPoints, all } = row;
  if (all === null) return '–';
  const own = shareText(toPoints(reversedPoints), toPoints(points));
  return (
    <>
      {isRateHigh(row) ? <b className={styles.warning}>{own}</b> : own} /{' '}
      {shareText(toPoints(all.reversed), toPoints(all.earned))}
    </>
  );
}
