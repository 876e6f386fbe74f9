import { useTranslation } from 'react-i18next';
import { useMember } from '#web/client/session.ts';
import { CopyTextButton } from './copy-text-button.tsx';
import { inviteLink } from './invite.ts';
import styles from './share-card.module.css';

/** The code and the link, each with a copy button. */
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
          <dd>
            <span className="mono">{link}</span>
            <CopyTextButton text={link} what="link" />
          </dd>
        </div>
        <div>
          <dt>{t('referrals.code')}</dt>
          <dd>
            <span className={`mono ${styles.code}`}>{referralCode}</span>
            <CopyTextButton text={referralCode} what="code" variant="default" />
          </dd>
        </div>
      </dl>
    </section>
  );
}
