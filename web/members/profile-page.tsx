import { IconSettings, IconShieldCheck, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { fullNameOf } from '#contract/full-name.ts';
import { formatDate } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import button from '#web/ui/plain-button.module.css';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './profile-page.module.css';
import { StatCards } from './stat-cards.tsx';
import { ThemeCard } from './theme-card.tsx';

/** The member's profile and totals. */
export function ProfilePage() {
  const { t } = useTranslation();
  return (
    <>
      <h1 className={styles.title}>{t('profile.title')}</h1>
      <div className={styles.page}>
        <div className={styles.column}>
          <IdentityCard />
          <StatCards />
        </div>
        <div className={styles.column}>
          <AccountCard />
          <ThemeCard />
        </div>
      </div>
    </>
  );
}

function IdentityCard() {
  const { t, i18n } = useTranslation();
  const member = useMember();
  const isOperator = member.role === 'admin';
  return (
    <section className={`card ${styles.who}`} aria-labelledby="who">
      <Avatar person={member} size="profile" />
      <div className={styles.names}>
        <h2 id="who">{fullNameOf(member)}</h2>
        <p className="dim">{member.email}</p>
        <p className={styles.marks}>
          <StatusBadge tone="plain" icon={isOperator ? IconShieldCheck : IconUser}>
            {t(isOperator ? 'profile.administrator' : 'profile.user')}
          </StatusBadge>
          <span className="small dimmer">
            {t('profile.joined', { day: formatDate(member.createdAt, i18n.language) })}
          </span>
        </p>
      </div>
      <Link to="/settings" className={clsx(button.button, button.outline, styles.settings)}>
        <IconSettings size={20} stroke={1.75} aria-hidden="true" />
        {t('profile.toSettings')}
      </Link>
    </section>
  );
}

function AccountCard() {
  const { t } = useTranslation();
  const { id, referralCode } = useMember();
  return (
    <section className="card" aria-labelledby="account">
      <div className="card-head">
        <h2 id="account">{t('profile.account')}</h2>
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>{t('profile.id')}</dt>
          <dd>
            <span className="mono">{id}</span>
            <CopyButton text={id} label={t('profile.copyId')} />
          </dd>
        </div>
        <div>
          <dt>{t('profile.status')}</dt>
          <dd>
            <StatusBadge tone="ok">{t('profile.active')}</StatusBadge>
          </dd>
        </div>
        <div>
          <dt>{t('profile.code')}</dt>
          <dd>
            {referralCode === '' ? (
              t('profile.generating')
            ) : (
              <>
                <span className="mono">{referralCode}</span>
                <CopyButton text={referralCode} label={t('profile.copyCode')} />
              </>
            )}
          </dd>
        </div>
      </dl>
    </section>
  );
}
