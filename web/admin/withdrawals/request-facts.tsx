import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { OperatorWithdrawal, QueuedWithdrawal } from '#contract/withdrawals.ts';
import type { ExaminedWithdrawal } from '#contract/withdrawals-decisions.ts';
import type { Payout } from '#contract/withdrawals-payouts.ts';
import { Fact, FactList, SheetPerson, SheetSum } from '#web/admin/kit/sheet-parts.tsx';
import { formatAge, formatAmount, formatDollars, formatTime } from '#web/client/format.ts';
import { findRail, useRails } from '#web/ui/rails.ts';
import { Bar } from '#web/ui/skeleton-parts.tsx';
import { Checks } from './background-checks.tsx';
import { MemberHistory, RequestSteps } from './background-history.tsx';
import { DestinationFacts, PersonFacts, UnreadPersonFacts } from './background-person.tsx';
import { PointSources } from './background-sources.tsx';
import { UnreadBackground } from './background-unread.tsx';
import type { Examination } from './obstacles.tsx';
import { Destination, LookAgain, TransactionFact } from './payout-parts.tsx';
import { PayoutFact, type Trouble, TroubleBanner } from './payout-trouble.tsx';
import { priceText } from './rate-change.ts';
import type { ExaminationRead } from './use-examination.ts';
import { WithdrawalFlags } from './withdrawal-flags.tsx';

type RequestFactsProps = {
  row: QueuedWithdrawal;
  read: ExaminationRead;
  examination: Examination;
  payout: Payout | undefined;
  trouble: Trouble | undefined;
};

/** The facts in the order of the decision: sum, person, destination, checks, where the points came from, history. */
export function RequestFacts({ row, read, examination, payout, trouble }: RequestFactsProps) {
  const { t, i18n } = useTranslation();
  const background = read.data;
  const { examined, isFailed } = examination;
  const coinAmount = row.coinAmount ?? examined?.quote?.coinAmount ?? null;
  const rail = findRail(useRails().data, row.method);
  return (
    <>
      <SheetSum
        points={row.amount}
        badges={<WithdrawalFlags row={row} areAll />}
        note={t('queue.background.asked', {
          age: formatAge(row.createdAt, i18n.language),
          time: formatTime(row.createdAt, i18n.language),
        })}
      >
        {row.status === 'pending' &&
          examined === undefined &&
          (isFailed ? '–' : <Bar width={112} height={20} />)}
        {coinAmount !== null && rail !== undefined && (
          <b className="num">
            {coinAmount} {rail.currency}
          </b>
        )}
        <span className="num">
          {formatDollars(row.amount)}
          {background !== undefined && `, ${feeText(background.feePoints, t)}`}
        </span>
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
      {background === undefined ? (
        <UnreadPersonFacts isFailed={read.isError} />
      ) : (
        <PersonFacts member={background.member} />
      )}
      <Destination method={row.method} address={row.address} />
      {background === undefined ? (
        <UnreadBackground read={read} isPending={row.status === 'pending'} />
      ) : (
        <>
          <DestinationFacts background={background} />
          <Checks background={background} />
          <PointSources background={background} />
          <MemberHistory background={background} />
        </>
      )}
      <h3>{t('queue.sheet.progress')}</h3>
      {background !== undefined && <RequestSteps steps={background.steps} />}
      <WithdrawalProgress row={row} payout={payout} />
    </>
  );
}

const feeText = (points: string, t: TFunction): string =>
  points === '0'
    ? t('queue.background.noFee')
    : t('queue.background.lessFee', { amount: formatAmount(points) });

type RateOfProps = { row: OperatorWithdrawal; examined: ExaminedWithdrawal | undefined; coin: string };

/** The rate of the payout; while the request waits, that of the quote. */
function RateOf({ row, examined, coin }: RateOfProps) {
  const { t, i18n } = useTranslation();
  const quote = row.rate === null ? examined?.quote : undefined;
  const rate = row.rate ?? quote?.rate;
  const { language } = i18n;
  // Its room is there before it is read, so that nothing below moves.
  if (rate === undefined)
    return (
      <span className="num" style={{ visibility: 'hidden' }}>
        {t('queue.sheet.rate', { coin, rate: '00.00' })}, {formatAge(new Date().toISOString(), language)}
      </span>
    );
  const text = t('queue.sheet.rate', { coin, rate: priceText(rate) });
  return <span className="num">{quote ? `${text}, ${formatAge(quote.at, language)}` : text}</span>;
}

type ProgressProps = {
  row: OperatorWithdrawal;
  payout: Payout | undefined;
};

function WithdrawalProgress({ row, payout }: ProgressProps) {
  const { t, i18n } = useTranslation();
  const isUnderWay = row.status === 'approved' && row.payoutState !== 'confirmed';
  return (
    <>
      <FactList>
        {row.status !== 'pending' && row.processedAt !== null && (
          <Fact label={t('queue.sheet.decided')}>
            {formatTime(row.processedAt, i18n.language)}
            {payout !== undefined && ` (${formatAge(row.processedAt, i18n.language)})`}
          </Fact>
        )}
        {row.status === 'approved' && <PayoutFact row={row} payout={payout} />}
        {row.txId !== null && <TransactionFact txId={row.txId} />}
        <Fact label={t('queue.sheet.id')}>
          <span className="mono">{row.id}</span>
        </Fact>
      </FactList>
      {isUnderWay && <LookAgain id={row.id} />}
    </>
  );
}
