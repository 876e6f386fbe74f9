import { useTranslation } from 'react-i18next';
import { readCoinRates } from '#contract/withdrawals.ts';
import { formatTime, formatWorth } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { type RailFacts, useRailWords } from '#web/ui/rails.ts';
import { coinEstimate, rateText } from './estimate.ts';
import styles from './withdrawal-summary.module.css';

/** A rate older than this is fetched again when the dialog opens. */
const RATE_FRESH_MS = 60_000;

/** The coin's current rate: undefined until it is known, and for methods paid in dollars. */
const useRate = ({ method }: RailFacts) =>
  useRead(readCoinRates, undefined, { staleTime: RATE_FRESH_MS }).data?.find(
    (rate) => rate.method === method,
  );

/** The payout estimate: an amount of coin if a rate is known, else the worth of the points in dollars. */
export function PayoutEstimate({ points, rail }: { points: bigint; rail: RailFacts }) {
  const { t } = useTranslation();
  const { wordOf } = useRailWords();
  const rate = useRate(rail);
  const isCoin = rate !== undefined;
  return (
    <>
      <p className={styles.get}>
        {t(isCoin ? 'withdrawals.dialog.youGetAbout' : 'withdrawals.dialog.youGet')}
      </p>
      <p className={styles.figure}>
        <span className="num">{isCoin ? coinEstimate(points, rate.usd) : formatWorth(points)}</span>{' '}
        <small>{isCoin ? rail.currency : wordOf('withdrawals.dialog.inMethod', rail.method)}</small>
      </p>
    </>
  );
}

/** The estimate's rate and its time; the approval fixes the amount. */
export function RateSentence({ rail }: { rail: RailFacts }) {
  const { t, i18n } = useTranslation();
  const rate = useRate(rail);
  if (rate === undefined) return t('withdrawals.dialog.rateLater');
  return t('withdrawals.dialog.rate', {
    coin: rail.currency,
    dollars: rateText(rate.usd),
    time: formatTime(rate.at, i18n.language),
  });
}
