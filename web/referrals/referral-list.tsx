import { IconMinus, IconUser } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { REFERRAL_POINTS } from '#contract/points.ts';
import { type Referral, readReferrals } from '#contract/referrals.ts';
import { requestIdOf } from '#web/client/call.ts';
import { formatAmount, formatDay, formatTime, toPoints } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { Amount } from '#web/ui/amount.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Pager } from '#web/ui/pager.tsx';
import rows from '#web/ui/rows.module.css';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { CopyTextButton } from './copy-text-button.tsx';
import { friendNumber, inviteLink } from './invite.ts';
import styles from './referral-list.module.css';

const ROWS_PER_PAGE = 10;
const SKELETONS = 3;

type ReferralListProps = { page: number; onPage: (page: number) => void };

/** The friends, newest first, ten a page. The server answers all at once. The page's number is in the URL. */
export function ReferralList({ page, onPage }: ReferralListProps) {
  const { t } = useTranslation();
  const { referralCode } = useMember();
  const list = useRead(readReferrals, {}, { refetchOnMount: 'always' });
  if (list.isPending) return <SkeletonRows count={SKELETONS} />;
  if (list.data === undefined) {
    return (
      <ErrorState
        title={t('referrals.list.failedTitle')}
        text={t('referrals.list.failedText')}
        requestId={requestIdOf(list.error)}
        onRetry={() => void list.refetch()}
      />
    );
  }
  if (list.data.length === 0) {
    return (
      <EmptyState
        title={t('referrals.list.emptyTitle')}
        text={t('referrals.list.emptyText', { amount: formatAmount(REFERRAL_POINTS) })}
        action={<CopyTextButton text={inviteLink(referralCode)} what="link" variant="default" />}
      />
    );
  }
  const totalPages = Math.ceil(list.data.length / ROWS_PER_PAGE);
  const shownPage = Math.min(page, totalPages);
  return (
    <>
      <ul className={rows.rows}>
        {list.data.slice((shownPage - 1) * ROWS_PER_PAGE, shownPage * ROWS_PER_PAGE).map((referral) => (
          <ReferralRow key={referral.id} referral={referral} />
        ))}
      </ul>
      <Pager page={shownPage} totalPages={totalPages} onPage={onPage} label={t('referrals.list.pages')} />
    </>
  );
}

function ReferralRow({ referral }: { referral: Referral }) {
  const { t, i18n } = useTranslation();
  const { referredId, createdAt, rewardAmount, status, rewardedAt } = referral;
  const isPaid = status === 'rewarded';
  const willPay = isPaid || toPoints(rewardAmount) > 0n;
  const joined = t('referrals.joined', { day: formatDay(createdAt, i18n.language) });
  const rewardStatus =
    rewardedAt !== null
      ? t('referrals.paidAt', { time: formatTime(rewardedAt, i18n.language) })
      : t(willPay ? 'referrals.waits' : 'referrals.refused');
  return (
    <li>
      <span className={rows.plate}>
        <IconUser size={20} stroke={1.75} aria-hidden="true" />
      </span>
      <div>
        <p className={rows.title}>{t('referrals.friend', { number: friendNumber(referredId) })}</p>
        <p className={rows.meta}>
          {joined} · {rewardStatus}
        </p>
      </div>
      <div className={styles.end}>
        {willPay && <Amount points={rewardAmount} signed={isPaid} muted={!isPaid} />}
        {isPaid ? (
          <StatusBadge tone="ok">{t('referrals.status.rewarded')}</StatusBadge>
        ) : willPay ? (
          <StatusBadge tone="wait">{t('referrals.status.pending')}</StatusBadge>
        ) : (
          <StatusBadge tone="plain" icon={IconMinus}>
            {t('referrals.status.refused')}
          </StatusBadge>
        )}
      </div>
    </li>
  );
}
