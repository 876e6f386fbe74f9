import { useTranslation } from 'react-i18next';
import { useMember } from '#web/shell/session.ts';
import { CopyTextButton } from './copy-text-button.tsx';
import { inviteLink } from './invite.ts';
import styles from './share-card.module.css';

/** The code and the link, each with a button that copies it. */
export function ShareCard() {
  const { t } = useTranslation();
  const { referralCode } = useMember();
  const link = inviteLink(referralCode);
  return (
    <section className={`card ${styles.card}`} aria-labelledby="share">
      <h2 id="share">{t('referrals.shareTitle')}</h2>
      <p className="dim">{t('referrals.shareText')}</p>
      <dl>
        <div>
          <dt>{t('referrals.link')}</dt>
          <dd className="mono">{link}</dd>
          <CopyTextButton text={link} what="link" />
        </div>
        <div>
          <dt>{t('referrals.code')}</dt>
          <dd className={`mono ${styles.code}`}>{referralCode}</dd>
          <CopyTextButton text={referralCode} what="code" variant="default" />
        </div>
      </dl>
    </section>
  );
}
