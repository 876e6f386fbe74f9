import { useTranslation } from 'react-i18next';
import { readRestoreState } from '#contract/withdrawals-payouts.ts';
import { formatTime, shortenMiddle } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { useRailWords } from '#web/ui/rails.ts';
import { Banner, ServerSentence } from './banner.tsx';

const POLL_MS = 15_000;
const SHOWN_MAX = 5;

/**
 * What was found after an older copy of the database was restored: methods whose payouts wait for a comparison,
 * payments that no payout accounts for, and pending requests that may be paid already. Nothing while there is nothing
 * to say.
 */
export function RestoreBanner() {
  const { t, i18n } = useTranslation();
  const { nameOf } = useRailWords();
  const { data } = useRead(readRestoreState, undefined, { refetchInterval: POLL_MS });
  if (data === undefined) return null;
  const { pending, unaccounted, unaccountedCount, checkedCount } = data;
  if (pending.length + unaccountedCount + checkedCount === 0) return null;
  return (
    <Banner title={t('queue.restore.title')}>
      {pending.map(({ method, reason, trouble }) => (
        <p key={method}>
          {t('queue.restore.pending', { method: nameOf(method) })} <ServerSentence text={reason} />
          {trouble !== null && <ServerSentence text={` ${trouble}`} />}
        </p>
      ))}
      {checkedCount > 0 && <p>{t('queue.restore.checked', { count: checkedCount })}</p>}
      {unaccountedCount > 0 && (
        <>
          <p>{t('queue.restore.unaccounted', { count: unaccountedCount })}</p>
          <ul>
            {unaccounted.slice(0, SHOWN_MAX).map(({ method, txId, address, coinAmount, at }) => (
              <li key={`${method} ${txId} ${address}`}>
                {nameOf(method)}, <span className="num">{coinAmount}</span>,{' '}
                <span className="mono" title={txId}>
                  {shortenMiddle(txId)}
                </span>
                , {formatTime(at, i18n.language)}
              </li>
            ))}
          </ul>
        </>
      )}
    </Banner>
  );
}
