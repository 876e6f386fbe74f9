import { useTranslation } from 'react-i18next';
import type { OperatorWithdrawal, QueuedWithdrawal } from '#contract/withdrawals.ts';
import type { ExaminedWithdrawal } from '#contract/withdrawals-decisions.ts';
import type { Payout } from '#contract/withdrawals-payouts.ts';
import { Fact, FactList, SheetPerson, SheetSum } from '#web/admin/kit/sheet-parts.tsx';
import { formatAge, formatDollars, formatTime } from '#web/client/format.ts';
import { findRail, useRails } from '#web/ui/rails.ts';
import { Bar } from '#web/ui/skeleton-parts.tsx';
import { WithdrawalBadge } from '#web/ui/withdrawal-badge.tsx';
import type { Examination } from './obstacles.tsx';
import { Destination, LookAgain, TransactionFact } from './payout-parts.tsx';
import { PayoutFact, type Trouble, TroubleBanner } from './payout-trouble.tsx';
import { priceText } from './rate-change.ts';

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
      <Destination method={row.method} address={row.address} />
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
        {row.txId !== null && <TransactionFact txId={row.txId} />}
        {row.rejectionReason !== null && <Fact label={t('queue.sheet.reason')}>{row.rejectionReason}</Fact>}
        <Fact label={t('queue.sheet.id')}>
          <span className="mono">{row.id}</span>
        </Fact>
      </FactList>
      {isUnderWay && <LookAgain id={row.id} />}
    </>
  );
}
