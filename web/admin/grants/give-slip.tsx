import { useTranslation } from 'react-i18next';
import { readGrantStats } from '#contract/grants.ts';
import { Fact, FactList } from '#web/admin/kit/sheet-parts.tsx';
import { formatAmount, formatDollars, formatSigned, toPoints } from '#web/client/format.ts';
import { useBrandName } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import styles from './grants.module.css';
import type { Draft } from './use-give.ts';

/** Whether a grant of these points waits for a second operator, by what this one gave today. The server decides. */
export function useNeedsSecond(amount: string): boolean {
  const { data } = useRead(readGrantStats);
  if (data === undefined || data.secondPersonFrom === null) return false;
  return toPoints(data.givenToday) + toPoints(amount || '0') >= toPoints(data.secondPersonFrom);
}

/** A balance; below zero with its sign, because it is a debt. */
const formatBalance = (points: bigint): string =>
  points < 0n ? `${formatSigned(points)}\u00a0P` : formatAmount(points);

type GiveSlipProps = { receiver: { name: string; email: string; balance: string }; draft: Draft };

/** What a grant changes, and how the member reads it. */
export function GiveSlip({ receiver, draft }: GiveSlipProps) {
  const { t } = useTranslation();
  const brand = useBrandName();
  const { data: stats } = useRead(readGrantStats);
  const points = toPoints(draft.amount || '0');
  const reason = draft.reason.trim();
  return (
    <>
      <div className={styles.slip}>
        <FactList>
          <Fact label={t('grants.slip.receiver')}>
            {receiver.name}, {receiver.email}
          </Fact>
          <Fact label={t('grants.slip.now')}>{formatBalance(toPoints(receiver.balance))}</Fact>
          <Fact label={t('grants.slip.grant')}>+{formatAmount(points)}</Fact>
          <Fact label={t('grants.slip.then')}>
            <b>{formatBalance(toPoints(receiver.balance) + points)}</b>
          </Fact>
          <Fact label={t('grants.slip.cost')}>{formatDollars(points)}</Fact>
          {stats !== undefined && stats.secondPersonFrom !== null && (
            <Fact label={t('grants.slip.today')}>
              {t('grants.slip.todayOf', {
                given: formatAmount(stats.givenToday),
                sum: formatAmount(stats.secondPersonFrom),
              })}
            </Fact>
          )}
        </FactList>
      </div>
      {points > 0n && reason !== '' && (
        <p className={styles.preview}>
          <b>{t('grants.slip.sees')}</b> {t('grants.slip.text', { amount: formatAmount(points), brand })}{' '}
          {reason}
        </p>
      )}
    </>
  );
}
