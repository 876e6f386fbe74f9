import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { REFERRAL_POINTS } from '#contract/points.ts';
import { formatAmount } from '#web/client/format.ts';
import { HowItWorks } from './how-it-works.tsx';
import { ReferralList } from './referral-list.tsx';
import { ReferralStats } from './referral-stats.tsx';
import styles from './referrals-page.module.css';
import { ShareCard } from './share-card.tsx';

/** The page for inviting friends: the code and link, the figures, the list and an explanation. */
export function ReferralsPage() {
  const { t } = useTranslation();
  const { page = 1 } = useSearch({ from: '/member/referrals' });
  const navigate = useNavigate({ from: '/referrals' });
  return (
    <>
      <h1>{t('referrals.title')}</h1>
      <p className={`dim ${styles.lead}`}>{t('referrals.lead', { amount: formatAmount(REFERRAL_POINTS) })}</p>
      <div className={styles.grid}>
        <div className={styles.column}>
          <ShareCard />
          <ReferralStats />
        </div>
        <HowItWorks />
      </div>
      <section className="card" aria-labelledby="friends">
        <div className="card-head">
          <h2 id="friends">{t('referrals.list.title')}</h2>
        </div>
        <ReferralList page={page} onPage={(next) => void navigate({ search: { page: next } })} />
      </section>
    </>
  );
}
