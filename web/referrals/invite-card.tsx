import { IconGift } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { REFERRAL_POINTS } from '#contract/points.ts';
import { formatAmount } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { CopyTextButton } from './copy-text-button.tsx';
import { inviteLink } from './invite.ts';
import styles from './invite-card.module.css';

/** The dashboard's card with the reward for a friend and the link to send. */
export function InviteCard() {
  const { t } = useTranslation();
  const { referralCode } = useMember();
  return (
    <section className={clsx('card', styles.card)} aria-labelledby="invite">
      <span className={styles.plate}>
        <IconGift size={24} stroke={1.5} aria-hidden="true" />
      </span>
      <div>
        <h2 id="invite">
          <Link to="/referrals">{t('referrals.inviteTitle', { amount: formatAmount(REFERRAL_POINTS) })}</Link>
        </h2>
        <p className="small dim">
          {t('referrals.inviteText')} <span className={clsx('mono', styles.code)}>{referralCode}</span>
        </p>
      </div>
      <CopyTextButton text={inviteLink(referralCode)} what="link" variant="default" />
    </section>
  );
}
