import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type ExaminedWithdrawal, type OperatorWithdrawal, syncWithdrawal } from '#contract/withdrawals.ts';
import { Fact, FactList } from '#web/admin/kit/sheet-parts.tsx';
import { formatDollars, formatPoints, formatTime, groupedByFour } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { initialsOf } from '#web/ui/initials.ts';
import { findRail, useRails, useRailWords } from '#web/ui/rails.ts';
import { toast } from '#web/ui/toast.tsx';
import { WithdrawalBadge } from '#web/ui/withdrawal-badge.tsx';
import { CheckSection, PayoutSection } from './payout-section.tsx';
import styles from './request-sheet.module.css';

/** The facts in the order of the decision: sum, person, destination, history. */
export function RequestFacts({ row, examined }: { row: OperatorWithdrawal; examined?: Examined }) {
  const { t } = useTranslation();
  const coinAmount = row.coinAmount ?? examined?.quote?.coinAmount ?? null;
  const { wordOf } = useRailWords();
  const rail = findRail(useRails().data, row.method);
  return (
    <>
      <div className={styles.sum}>
        <div>
          <WithdrawalBadge {...row} />
          <p className={`num ${styles.figure}`}>
            {formatPoints(row.amount)} <small>P</small>
          </p>
        </div>
        <p className={styles.worth}>
          {coinAmount !== null && rail !== undefined && (
            <b className="num">
              {coinAmount} {rail.currency}
            </b>
          )}
          <span className="num">{formatDollars(row.amount)}</span>
          {rail?.isRated && <RateOf row={row} examined={examined} coin={rail.currency} />}
        </p>
      </div>
      <div className={styles.who}>
        <span className={styles.avatar} aria-hidden="true">
          {initialsOf({ firstName: row.userFirstName, lastName: row.userLastName })}
        </span>
        <div>
          <p className={styles.person}>{row.userName}</p>
          <p className={styles.contact}>
            {row.userEmail} · <span className="num">{row.userId}</span>
          </p>
        </div>
      </div>
      <h3>{wordOf('queue.sheet.address', row.method)}</h3>
      <div className={styles.address}>
        <span className="mono">
          {rail?.destination?.kind === 'code' ? groupedByFour(row.address) : row.address}
        </span>
        <CopyButton text={row.address} label={t('queue.sheet.copyAddress')} size={40} />
      </div>
      {examined !== undefined && <Obstacles examined={examined} />}
      <CheckSection row={row} />
      <h3>{t('queue.sheet.progress')}</h3>
      <WithdrawalProgress row={row} />
    </>
  );
}

type Examined = ExaminedWithdrawal | undefined;

/** Why an approval would be refused now. */
function Obstacles({ examined }: { examined: ExaminedWithdrawal }) {
  const { t, i18n } = useTranslation();
  const { trouble, holdUntil, firstApprovedBy } = examined;
  if (trouble === null && holdUntil === null && firstApprovedBy === null) return null;
  return (
    <FactList>
      {trouble !== null && <Fact label={t('queue.sheet.noQuote')}>{trouble}</Fact>}
      {holdUntil !== null && (
        <Fact label={t('queue.sheet.holdUntil')}>{formatTime(holdUntil, i18n.language)}</Fact>
      )}
      {firstApprovedBy !== null && <Fact label={t('queue.sheet.firstApproval')}>{firstApprovedBy}</Fact>}
    </FactList>
  );
}

/** The rate of the payout; while the request waits, that of the quote. */
function RateOf({ row, examined, coin }: { row: OperatorWithdrawal; examined: Examined; coin: string }) {
  const { t } = useTranslation();
  const rate = row.rate ?? examined?.quote?.rate;
  if (rate !== undefined) return <span className="num">{t('queue.sheet.rate', { coin, rate })}</span>;
  return row.status === 'pending' ? <span>{t('queue.sheet.rateLater')}</span> : null;
}

function WithdrawalProgress({ row }: { row: OperatorWithdrawal }) {
  const { t, i18n } = useTranslation();
  const sync = useAct(syncWithdrawal);
  const lookAgain = () =>
    sync.mutate({ params: { id: row.id } }, { onError: (error) => toast.bad(t(`refusals.${error.code}`)) });
  const isUnderWay = row.status === 'approved' && row.payoutState !== 'confirmed';
  return (
    <>
      <FactList>
        <Fact label={t('queue.sheet.requested')}>{formatTime(row.createdAt, i18n.language)}</Fact>
        {row.status !== 'pending' && row.processedAt !== null && (
          <Fact label={t(`queue.sheet.decided.${row.status}`)}>
            {formatTime(row.processedAt, i18n.language)}
          </Fact>
        )}
        {row.status === 'approved' && (
          <Fact label={t('queue.sheet.payout')}>{t(`payoutState.${row.payoutState}`)}</Fact>
        )}
        {row.txId !== null && (
          <Fact label={t('queue.sheet.transaction')}>
            <span className={styles.transaction}>
              <span className="mono">{groupedByFour(row.txId)}</span>
              <CopyButton text={row.txId} label={t('queue.sheet.copyTransaction')} />
            </span>
          </Fact>
        )}
        {row.rejectionReason !== null && <Fact label={t('queue.sheet.reason')}>{row.rejectionReason}</Fact>}
        <Fact label={t('queue.sheet.id')}>
          <span className="mono">{row.id}</span>
        </Fact>
      </FactList>
      {isUnderWay && (
        <Button variant="default" size="sm" mt="sm" loading={sync.isPending} onClick={lookAgain}>
          {t('queue.sheet.sync')}
        </Button>
      )}
      {isUnderWay && <PayoutSection row={row} />}
    </>
  );
}
