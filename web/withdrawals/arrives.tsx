import { useTranslation } from 'react-i18next';
import { type Method, readCoinRates } from '#contract/withdrawals.ts';
import { formatTime, formatWorth } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { coinEstimate, rateText } from './estimate.ts';
import styles from './slip.module.css';

/** A dialog opened later than this asks again. */
const RATE_FRESH_MS = 60_000;

const symbols = { litecoin: 'LTC', dash: 'DASH' } as const;

/** The fresh rate of a coin; none while it is unknown, and none for what is paid in dollars. */
const useRate = (method: Method) =>
  useRead(readCoinRates, undefined, { staleTime: RATE_FRESH_MS }).data?.find(
    (rate) => rate.method === method,
  );

/** What arrives: about how much coin where a rate is known, and otherwise what the points are worth. */
export function Arrives({ points, method }: { points: bigint; method: Method }) {
  const { t } = useTranslation();
  const rate = useRate(method);
  const isCoin = method !== 'paypal' && rate !== undefined;
  return (
    <>
      <p className={styles.get}>
        {t(isCoin ? 'withdrawals.dialog.youGetAbout' : 'withdrawals.dialog.youGet')}
      </p>
      <p className={styles.figure}>
        <span className="num">{isCoin ? coinEstimate(points, rate.usd) : formatWorth(points)}</span>{' '}
        <small>{isCoin ? symbols[method] : t(`withdrawals.dialog.inMethod.${method}`)}</small>
      </p>
    </>
  );
}

/** By which rate the estimate was made, and that it is not the last word. */
export function RateSentence({ method }: { method: 'litecoin' | 'dash' }) {
  const { t, i18n } = useTranslation();
  const rate = useRate(method);
  if (rate === undefined) return t('withdrawals.dialog.rateLater');
  return t('withdrawals.dialog.rate', {
    coin: symbols[method],
    dollars: rateText(rate.usd),
    time: formatTime(rate.at, i18n.language),
  });
}
