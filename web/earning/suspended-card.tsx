import { IconHandStop } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSiteConfig } from '#web/client/session.ts';
import styles from './suspended-card.module.css';

type SuspendedCardProps = { code: 'earnings-suspended' | 'account-suspended'; children?: ReactNode };

/**
 * Replaces pages that a suspended member may not open. Shows what is blocked, what still works, and the support
 * address.
 */
export function SuspendedCard({ code, children }: SuspendedCardProps) {
  const { t } = useTranslation();
  const supportEmail = useSiteConfig().data?.brand.supportEmail;
  return (
    <div className={styles.state} role="alert">
      <IconHandStop size={40} stroke={1.5} aria-hidden="true" />
      <p className={styles.title}>
        {code === 'account-suspended' ? t('refusals.account-suspended') : t('earn.suspended.title')}
      </p>
      <p className={styles.text}>{t('earn.suspended.text')}</p>
      <Link to="/decisions" className="link">
        {t('earn.suspended.decision')}
      </Link>
      {supportEmail !== undefined && (
        <a className="link" href={`mailto:${supportEmail}`}>
          {t('earn.suspended.contact', { email: supportEmail })}
        </a>
      )}
      {children}
    </div>
  );
}
