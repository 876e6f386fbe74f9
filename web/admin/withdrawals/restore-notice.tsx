import { useTranslation } from 'react-i18next';
import { readRestoreState } from '#contract/withdrawals-payouts.ts';
import { formatTime, shortenMiddle } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { useRailWords } from '#web/ui/rails.ts';
import { Notice, ServerSentence } from './notice.tsx';

const POLL_MS = 15_000;
const SHOWN_MAX = 5;

/**
 * What was found after an older copy of the database was restored: methods whose payouts wait for a comparison, and
 * payments that no payout accounts for. Nothing while there is nothing to say.
 */
export function RestoreNotice() {
  const { t, i18n } = useTranslation();
  const { nameOf } = useRailWords();
  const { data } = useRead(readRestoreState, undefined, { refetchInterval: POLL_MS });
  if (data === undefined || data.pending.length + data.unaccounted.length === 0) return null;
  return (
    <Notice title={t('queue.restore.title')}>
      {data.pending.map(({ method, reason, trouble }) => (
        <p key={method}>
          {t('queue.restore.pending', { method: nameOf(method) })} <ServerSentence text={reason} />
          {trouble !== null && <ServerSentence text={` ${trouble}`} />}
        </p>
      ))}
      {data.unaccounted.length > 0 && (
        <>
          <p>{t('queue.restore.unaccounted', { count: data.unaccounted.length })}</p>
          <ul>
            {data.unaccounted.slice(0, SHOWN_MAX).map(({ method, txId, address, coinAmount, at }) => (
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
    </Notice>
  );
}
