import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { OperatorWithdrawal, QueuedWithdrawal } from '#contract/withdrawals.ts';
import { type ExaminedWithdrawal, syncWithdrawal } from '#contract/withdrawals-decisions.ts';
import type { Payout } from '#contract/withdrawals-payouts.ts';
import { Fact, FactList, SheetPerson, SheetSum } from '#web/admin/kit/sheet-parts.tsx';
import { formatAge, formatDollars, formatTime, groupedByFour } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { findRail, useRails, useRailWords } from '#web/ui/rails.ts';
import { Bar } from '#web/ui/skeleton-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import { WithdrawalBadge } from '#web/ui/withdrawal-badge.tsx';
import type { Examination } from './obstacles.tsx';
import { PayoutFact, type Trouble, TroubleBanner } from './payout-trouble.tsx';
import { priceText } from './rate-change.ts';
import styles from './request-sheet.module.css';

type RequestFactsProps = {
  row: QueuedWithdrawal;
  examination: Examination;
  payout: Payout | undefined;
  trouble: Trouble | undefined;
};

/** The facts in the order of the decision: sum, person, destination, history. */
export function RequestFacts({ row, examination, payout, trouble }: RequestFactsProps) {
  const { t } = useTranslation();
  const { examined, isFailed } = examination;
  const coinAmount = row.coinAmount ?? examined?.quote?.coinAmount ?? null;
  const { wordOf } = useRailWords();
  const rail = findRail(useRails().data, row.method);
  return (
    <>
      <SheetSum points={row.amount} badges={<WithdrawalBadge {...row} />}>
        {row.status === 'pending' && examined === undefined && !isFailed && <Bar width={112} height={20} />}
        {coinAmount !== null && rail !== undefined && (
          <b className="num">
            {coinAmount} {rail.currency}
          </b>
        )}
        <span className="num">{formatDollars(row.amount)}</span>
        {rail?.isRated && <RateOf row={row} examined={examined} coin={rail.currency} />}
      </SheetSum>
      {trouble !== undefined && (
        <TroubleBanner
          title={t(row.status === 'pending' ? 'queue.sheet.noQuote' : 'queue.payoutSheet.trouble')}
          target={trouble.target}
        />
      )}
      <SheetPerson
        id={row.userId}
        name={row.userName}
        firstName={row.userFirstName}
        lastName={row.userLastName}
        email={row.userEmail}
      />
      <h3>{wordOf('queue.sheet.address', row.method)}</h3>
      <div className={styles.address}>
        <span className="mono">
          {rail?.destination?.kind === 'code' ? groupedByFour(row.address) : row.address}
        </span>
        <CopyButton text={row.address} label={t('queue.sheet.copyAddress')} size={40} />
      </div>
      <h3>{t('queue.sheet.progress')}</h3>
      <WithdrawalProgress row={row} payout={payout} firstApprover={examined?.firstApproverEmail ?? null} />
    </>
  );
}

type RateOfProps = { row: OperatorWithdrawal; examined: ExaminedWithdrawal | undefined; coin: string };

/** The rate of the payout; while the request waits, that of the quote. */
function RateOf({ row, examined, coin }: RateOfProps) {
  const { t } = useTranslation();
  const rate = row.rate ?? examined?.quote?.rate;
  return rate === undefined ? null : (
    <span className="num">{t('queue.sheet.rate', { coin, rate: priceText(rate) })}</span>
  );
}

type ProgressProps = {
  row: OperatorWithdrawal;
  payout: Payout | undefined;
  firstApprover: string | null;
};

function WithdrawalProgress({ row, payout, firstApprover }: ProgressProps) {
  const { t, i18n } = useTranslation();
  const sync = useAct(syncWithdrawal);
  const lookAgain = () =>
    sync.mutate({ params: { id: row.id } }, { onError: (error) => toast.bad(t(`refusals.${error.code}`)) });
  const isUnderWay = row.status === 'approved' && row.payoutState !== 'confirmed';
  return (
    <>
      <FactList>
        <Fact label={t('queue.sheet.requested')}>{formatTime(row.createdAt, i18n.language)}</Fact>
        {firstApprover !== null && <Fact label={t('queue.sheet.firstApproval')}>{firstApprover}</Fact>}
        {row.status !== 'pending' && row.processedAt !== null && (
          <Fact label={t('queue.sheet.decided')}>
            {formatTime(row.processedAt, i18n.language)}
            {payout !== undefined && ` (${formatAge(row.processedAt, i18n.language)})`}
          </Fact>
        )}
        {row.status === 'approved' && <PayoutFact row={row} payout={payout} />}
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
        <Button variant="subtle" size="sm" mt="sm" ml="-sm" loading={sync.isPending} onClick={lookAgain}>
          {t('queue.sheet.sync')}
        </Button>
      )}
    </>
  );
}
