import { IconAlertTriangle, IconWallet } from '@tabler/icons-react';
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { readStats } from '#contract/ledger.ts';
import { WITHDRAWAL_POINTS_MIN } from '#contract/points.ts';
import { readMethods, readWithdrawals } from '#contract/withdrawals.ts';
import { formatAmount, formatPoints, formatWorth, toPoints } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { returnToStepBefore } from '#web/client/step-before.ts';
import { useRead } from '#web/client/use-call.ts';
import { BalanceCard } from '#web/ui/balance-card.tsx';
import { BalanceFailed } from '#web/ui/balance-failed.tsx';
import { BigFigure } from '#web/ui/big-figure.tsx';
import button from '#web/ui/plain-button.module.css';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { useRailWords } from '#web/ui/rails.ts';
import { LazyWithdrawalDialog } from './lazy-withdrawal-dialog.tsx';
import { useProcessingTime } from './processing-time.ts';
import { ReceiptDialog } from './receipt-dialog.tsx';
import { isRequestId } from './request-id.ts';
import { RestrictionsNotice } from './restrictions-notice.tsx';
import { useOpenWithdrawal } from './use-open-withdrawal.ts';
import { useArePayoutsPaused, useRestrictions } from './waiting.ts';
import { pageInput, WithdrawalList } from './withdrawal-list.tsx';
import styles from './withdrawal-page.module.css';

const ROWS_PER_PAGE = 10;

/** The page of the list that the URL asks for: a number, or by its hash the page with a withdrawal. */
function useListPage() {
  const page = useSearch({ from: '/member/withdrawal' }).page;
  const hash = useLocation({ select: (location) => location.hash });
  const limit = ROWS_PER_PAGE;
  return page === undefined && isRequestId(hash)
    ? { page: 1, limit, containing: hash }
    : { page: page ?? 1, limit };
}

/** The withdrawal page: the balance, how a withdrawal works, and every request with its steps. */
export function WithdrawalPage() {
  const { t } = useTranslation();
  const page = useListPage();
  const navigate = useNavigate({ from: '/withdrawal' });
  const request = useSearch({ from: '/member/withdrawal' }).request;
  const { phoneVerified } = useMember();
  const { isOpen, open, close } = useOpenWithdrawal();
  const count = useRead(readWithdrawals, pageInput(page)).data?.pagination.totalCount;
  return (
    <>
      <h1 className={styles.title}>{t('withdrawals.title')}</h1>
      {!phoneVerified && (
        <div className={styles.notice} role="note">
          <IconAlertTriangle size={20} stroke={1.75} aria-hidden="true" />
          <p>
            {t('withdrawals.phoneNeeded')} {t('withdrawals.phoneWhere')}
          </p>
        </div>
      )}
      <RestrictionsNotice textId="stopped" className={styles.restrictions} />
      <div className={styles.top}>
        <WithdrawalBalance onWithdraw={open} />
        <InfoCard />
      </div>
      <section className="card" aria-labelledby="withdrawals">
        <div className="card-head">
          <h2 id="withdrawals" tabIndex={-1}>
            {t('withdrawals.list')}
          </h2>
          {count !== undefined && count > 0 && (
            <span className="small dim num">{t('withdrawals.count', { count })}</span>
          )}
        </div>
        <WithdrawalList {...page} onPage={(next) => void navigate({ search: { page: next } })} />
      </section>
      <LazyWithdrawalDialog isOpen={isOpen} onClose={close} />
      <ReceiptDialog
        id={request}
        onClose={() => {
          if (returnToStepBefore('request')) return;
          void navigate({ search: ({ request: _, ...search }) => search, replace: true });
        }}
        // The button that opened the dialog of the request may be disabled by now.
        onClosed={() => document.getElementById('withdrawals')?.focus()}
      />
    </>
  );
}

function WithdrawalBalance({ onWithdraw }: { onWithdraw: () => void }) {
  const { t } = useTranslation();
  const { data: stats, isError, refetch } = useRead(readStats);
  const balance = toPoints(stats?.balance);
  // New earnings fill a debt first.
  const missing = WITHDRAWAL_POINTS_MIN + toPoints(stats?.debt) - balance;
  const isEnough = stats !== undefined && balance >= WITHDRAWAL_POINTS_MIN;
  const isStopped = (useRestrictions()?.stop ?? null) !== null;
  return (
    <BalanceCard className={styles.card} labelledBy="balance" busy={stats === undefined}>
      <h2 id="balance" className={styles.label}>
        {t('withdrawals.balance')}
      </h2>
      <BigFigure text={formatPoints(stats?.balance)} unit="P" isLoading={stats === undefined} />
      <div className={styles.goal}>
        {stats !== undefined && !isEnough && (
          <ProgressBar
            value={Number(balance)}
            max={Number(WITHDRAWAL_POINTS_MIN)}
            label={t('withdrawals.toNext', { amount: formatAmount(missing) })}
          />
        )}
      </div>
      <div className={styles.ask}>
        <button
          type="button"
          className={clsx(button.button, button.paper)}
          disabled={!isEnough || isStopped}
          aria-describedby={isStopped ? 'stopped' : 'enough'}
          onClick={onWithdraw}
        >
          <IconWallet size={20} stroke={1.75} aria-hidden="true" />
          {t('withdrawals.request')}
        </button>
        <div id="enough" className={styles.enough}>
          {stats === undefined ? (
            isError && <BalanceFailed onRetry={() => void refetch()} />
          ) : isEnough ? (
            <span className="num">{t('withdrawals.rate', { dollars: formatWorth(balance) })}</span>
          ) : (
            <>
              <b>{t('withdrawals.belowMinimum')}</b>
              <span>{t('withdrawals.need', { amount: formatPoints(missing) })}</span>
            </>
          )}
        </div>
      </div>
      {stats !== undefined && toPoints(stats.debt) > 0n && (
        <p className={styles.debt}>
          {t('withdrawals.debt', { amount: formatAmount(stats.debt) })}{' '}
          <Link to="/chargeback-history">{t('withdrawals.why')}</Link>
        </p>
      )}
    </BalanceCard>
  );
}

function InfoCard() {
  const { t } = useTranslation();
  const { nameOf } = useRailWords();
  const takes = useProcessingTime();
  const arePaused = useArePayoutsPaused();
  const charged = (useRead(readMethods).data ?? []).filter((method) => method.processingFee > 0);
  const fees = charged.map(({ method, processingFee }) => `${nameOf(method)} ${formatAmount(processingFee)}`);
  const facts = [
    { label: t('withdrawals.info.smallest'), value: formatAmount(WITHDRAWAL_POINTS_MIN) },
    { label: t('withdrawals.info.eachDay'), value: t('withdrawals.info.eachDayValue') },
    { label: t('withdrawals.info.takes'), value: arePaused ? t('withdrawals.dialog.takesPaused') : takes },
    { label: t('withdrawals.info.approval'), value: t('withdrawals.info.approvalValue') },
    {
      label: t('withdrawals.info.fee'),
      value: fees.length === 0 ? t('withdrawals.info.none') : fees.join(', '),
    },
    { label: t('withdrawals.info.network'), value: t('withdrawals.info.networkValue') },
  ];
  return (
    <section className={`card ${styles.info}`} aria-label={t('withdrawals.info.label')}>
      <dl>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
